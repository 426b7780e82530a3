"""The final fit: who cannot make it, or disappoints, leaves its place to another."""

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from infimum.evaluation import Split
from infimum.learn.alarm import TimeUpError
from infimum.learn.choosing import Standing, choose, standard_error
from infimum.learn.problem import Problem
from infimum.learn.refit import Refit, refit
from infimum.learn.result import Choice
from infimum.learn.scoring import Criterion
from infimum.learn.second_look import disappointment, is_open, unsteadiness

__all__ = ["FinalFit", "choose_and_fit", "given_up_for", "pace"]

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
    deadline: float,
    latest: float = math.inf,
    splits: Sequence[Split] = (),
) -> FinalFit:
    """Choose a contender and fit it on all training rows by the `latest` moment.

    A fit that takes longer is stopped, and the choice is made again among those that
    were at least twice as fast on the folds; if there are none, it is waited for. A fit
    that is not what the race has promised, or fails on those of the `splits` that the
    race had no time for, leaves its place to the next one (where all disappoint, the
    first stays), and so does one without proof if another is as good.
    """
    left, given_up = tuple(standing), list[dict[str, Any]]()
    kept: FinalFit | None = None
    while True:
        found, faster = _fit_in_time(problem, left, criterion, deadline, latest)
        if found is None:
            given_up.append(_slow(choose(left, criterion)[0]))
            left = faster
            continue
        wrong = disappointment(
            found.refit.pipeline, problem, criterion, found.promised, standing
        ) or unsteadiness(
            problem,
            found.standing,
            found.choice.value,
            splits,
            criterion,
            standing,
            deadline=deadline,
        )
        if not wrong:
            found = _proved(found, problem, left, criterion, deadline, latest)
            return _noting(found, given_up)
        kept = kept or found
        given_up.append(given_up_for(found.choice.label, wrong))
        left = tuple(each for each in left if each is not found.standing)
        if not left:
            return _noting(kept, [_all_alike(kept.choice, given_up)])


def pace(standing: Standing) -> float:
    """Return the seconds that a contender took for a fit on a fold."""
    return standing.heat.seconds / max(standing.heat.fits, 1)


def _fit_in_time(
    problem: Problem,
    left: Sequence[Standing],
    criterion: Criterion,
    deadline: float,
    latest: float,
) -> tuple[FinalFit | None, tuple[Standing, ...]]:
    """Return the fit of the best, or who is faster if it cannot be waited for."""
    choice, place = choose(left, criterion)
    each = left[place]
    faster = tuple(other for other in left if _FASTER * pace(other) < pace(each))
    owed = time.perf_counter() + _OWED * pace(each) + _GRACE
    end = max(latest, owed) if faster else math.inf
    try:
        final = refit(problem, each, choice, deadline=deadline, latest=end)
    except TimeUpError:
        return None, faster
    return FinalFit(choice, each, final), faster


def _proved(
    found: FinalFit,
    problem: Problem,
    left: Sequence[Standing],
    criterion: Criterion,
    deadline: float,
    latest: float,
) -> FinalFit:
    """Return another fit that is as good and proved, if this one is not proved."""
    others = tuple(each for each in left if each is not found.standing)
    if not is_open(found.refit.pipeline) or not others:
        return found
    next_one, place = choose(others, criterion)
    each = others[place]
    worse = each.errors[each.values.index(next_one.value)] - found.promised
    if worse.mean() > standard_error(worse) or time.perf_counter() > latest:
        return found
    other, _ = _fit_in_time(problem, others, criterion, deadline, latest)
    if other is None or is_open(other.refit.pipeline):
        return found
    if disappointment(other.refit.pipeline, problem, criterion, other.promised):
        return found
    said = given_up_for(found.choice.label, _OPEN)
    return _noting(other, [said])


def _slow(choice: Choice) -> dict[str, Any]:
    sentence = (
        f"{choice.label} was chosen, but could not be fitted to all rows in the time "
        "given; the best of those that are faster was taken instead."
    )
    return {"label": choice.label, "reason": sentence}


def given_up_for(label: str, wrong: str) -> dict[str, Any]:
    """Return who was given up for the next best, and why, in a sentence."""
    sentence = f"{label} was chosen, but given up for the next best: {wrong}."
    return {"label": label, "reason": sentence}


def _all_alike(choice: Choice, given_up: Sequence[dict[str, Any]]) -> dict[str, Any]:
    others = ", ".join(each["label"] for each in given_up)
    sentence = (
        f"No final fit is what the race has promised ({others}); {choice.label}, which "
        "was chosen first, was kept all the same."
    )
    return {"label": choice.label, "reason": sentence}


def _noting(found: FinalFit, given_up: Sequence[dict[str, Any]]) -> FinalFit:
    """Return a fit with the sentences about those that were given up for it."""
    sentences = tuple(each["reason"] for each in given_up)
    final = found.refit._replace(warnings=(*sentences, *found.refit.warnings))
    replaced = (*given_up, *found.replaced)
    return found._replace(refit=final, replaced=replaced)
