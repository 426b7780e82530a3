"""The final fit: who cannot make it, or disappoints, leaves its place to another."""

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from infimum.errors import DataError, InfimumError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion
from infimum.evaluation.selection_rules import standard_error
from infimum.learn.choose.refit import (
    Refit,
    disappointment,
    is_open,
    is_proved,
    promise_of,
    refit,
    unsteadiness,
)
from infimum.learn.choose.rule import Standing, choose
from infimum.learn.clock import TimeUpError
from infimum.learn.journal import Decisions
from infimum.learn.problem import Problem
from infimum.learn.result import Choice

__all__ = ["FinalFit", "choose_and_fit", "given_up_for"]

#: A fit on all rows may take so many times what one on a fold took, and some seconds,
#: even if the time is up: a job owes a model.
_OWED, _GRACE = 3.0, 5.0
#: Who takes the place of somebody too slow must have been so many times as fast.
_FASTER = 2.0
_OPEN = "its fit ended without proof, which that of the other has"


class FinalFit(NamedTuple):
    """What was chosen, how it had done in the race, and its fit on all rows.

    `replaced` are those that were chosen before it and given up, with the reason.
    """

    choice: Choice
    standing: Standing
    refit: Refit
    replaced: tuple[dict[str, Any], ...] = ()

    @property
    def promised(self) -> Any:
        """The errors of the chosen setting on the folds."""
        return self.standing.errors[self.standing.values.index(self.choice.value)]


def choose_and_fit(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    *,
    decisions: Decisions | None = None,
    splits: Sequence[Split] = (),
) -> FinalFit:
    """Choose a contender and fit it on all training rows by the latest moment.

    A fit that takes longer is stopped, and the choice is made again among those that
    were at least twice as fast on the folds; if there are none, it is waited for. A fit
    that fails, is not what the race has promised, or does badly on those of the
    `splits` that the race had no time for, leaves its place to the next one (where all
    disappoint, the first stays), and so does one without proof if another is as good.
    What hangs on the clock is decided by the `decisions`.
    """
    way = _Way(problem, tuple(standing), criterion, decisions or Decisions(), splits)
    left, story = tuple(standing), _Story()
    while left:
        choice, place = choose(left, criterion)
        each = left[place]
        others = tuple(other for other in left if other is not each)
        try:
            found = way.fit(choice, each, left)
        except TimeUpError:
            story.late(choice)
            left = faster_than(each, left)
            continue
        except (ArithmeticError, ValueError, InfimumError) as error:
            story.failed(choice, error)
            left = others
            continue
        if not (wrong := way.wrong_with(found)):
            return story.leading_to(way.proved(found, others))
        story.disappointed(found, wrong)
        left = others
    return story.without_better()


def faster_than(each: Standing, left: Sequence[Standing]) -> tuple[Standing, ...]:
    """Return who was clearly faster on the folds than somebody."""
    return tuple(other for other in left if _FASTER * other.pace < each.pace)


def given_up_for(label: str, wrong: str) -> dict[str, Any]:
    """Return who was given up for the next best, and why, in a sentence."""
    sentence = f"{label} was chosen, but given up for the next best: {wrong}."
    return {"label": label, "reason": sentence}


class _Way(NamedTuple):
    """The way from a choice to a fit that holds."""

    problem: Problem
    standing: tuple[Standing, ...]
    criterion: Criterion
    decisions: Decisions
    splits: Sequence[Split]

    def fit(self, choice: Choice, each: Standing, left: Sequence[Standing]) -> FinalFit:
        """Fit on all rows; raise TimeUpError if that cannot be waited for."""
        owed = time.perf_counter() + _OWED * each.pace + _GRACE
        latest = max(self.decisions.latest, owed)
        final = refit(
            self.problem,
            each,
            choice,
            decisions=self.decisions,
            latest=latest if faster_than(each, left) else math.inf,
        )
        return FinalFit(choice, each, final)

    def wrong_with(self, found: FinalFit) -> str:
        """Say what is wrong with a fit; nothing if it is what was promised."""
        return disappointment(
            found.refit.pipeline,
            self.problem,
            self.criterion,
            found.promised,
            self.standing,
        ) or unsteadiness(
            self.problem,
            promise_of(found.standing, found.choice.value),
            self.splits,
            self.criterion,
            self.standing,
            decisions=self.decisions,
        )

    def proved(self, found: FinalFit, others: Sequence[Standing]) -> FinalFit:
        """Return another fit that is as good and proved, if this one is not proved."""
        able = [each for each in others if each.tally.contender.convex]
        if not is_open(found.refit.pipeline) or not able:
            return found
        choice, place = choose(able, self.criterion)
        each = able[place]
        worse = each.errors[each.values.index(choice.value)] - found.promised
        if worse.mean() > standard_error(worse) or not self._patient(each):
            return found
        try:
            other = self.fit(choice, each, able)
        except (TimeUpError, ArithmeticError, ValueError, InfimumError):
            return found
        if not is_proved(other.refit.pipeline) or self.wrong_with(other):
            return found
        return _noting(other, [given_up_for(found.choice.label, _OPEN)])

    def _patient(self, each: Standing) -> bool:
        """Whether there is time to try somebody else as well."""
        return bool(
            self.decisions.once(
                f"second-fit-{each.tally.contender.name}",
                lambda: time.perf_counter() <= self.decisions.latest,
            )
        )


class _Story:
    """Who was chosen and given up on the way, in the order it happened."""

    def __init__(self) -> None:
        self.given_up: list[dict[str, Any]] = []
        self.first: FinalFit | None = None
        self.before = 0
        self.alike: list[str] = []
        self.unready: list[str] = []
        self.error: Exception | None = None

    def late(self, choice: Choice) -> None:
        """Note that a fit was stopped."""
        sentence = (
            f"{choice.label} was chosen, but could not be fitted to all rows in the "
            "time given; the best of those that are faster was taken instead."
        )
        self.unready.append(choice.label)
        self.given_up.append({"label": choice.label, "reason": sentence})

    def failed(self, choice: Choice, error: Exception) -> None:
        """Note that a fit ended with an error."""
        self.error = self.error or error
        wrong = f"it could not be fitted to all rows ({str(error).rstrip('.')})"
        self.unready.append(choice.label)
        self.given_up.append(given_up_for(choice.label, wrong))

    def disappointed(self, found: FinalFit, wrong: str) -> None:
        """Note that a fit is not what was promised."""
        if self.first is None:
            self.first, self.before = found, len(self.given_up)
            self.unready.clear()
        self.alike.append(found.choice.label)
        self.given_up.append(given_up_for(found.choice.label, wrong))

    def leading_to(self, found: FinalFit) -> FinalFit:
        """Return a good fit with what was given up for it."""
        return _noting(found, self.given_up)

    def without_better(self) -> FinalFit:
        """Return the first fit that disappointed, since all have."""
        if self.first is None:
            raise self.error or DataError("No contender can be fitted to all rows.")
        label = self.first.choice.label
        unready = ", ".join(self.unready)
        nor = f", and {unready} could not be fitted to all rows" if unready else ""
        sentence = (
            f"No final fit is what the race has promised ({', '.join(self.alike)})"
            f"{nor}; {label}, the first of them, was kept all the same."
        )
        found = {"label": label, "reason": sentence}
        return _noting(self.first, [*self.given_up[: self.before], found])


def _noting(found: FinalFit, given_up: Sequence[dict[str, Any]]) -> FinalFit:
    """Return a fit with the sentences about those that were given up for it."""
    sentences = tuple(each["reason"] for each in given_up)
    final = found.refit._replace(warnings=(*sentences, *found.refit.warnings))
    replaced = (*given_up, *found.replaced)
    return found._replace(refit=final, replaced=replaced)
