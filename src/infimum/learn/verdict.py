"""The verdict on a race: the model to keep, the readable one, and the blend."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from infimum.evaluation import Split
from infimum.learn.alarm import TimeUpError, alarm
from infimum.learn.blending import Blend, find_blend
from infimum.learn.champion import find_champion
from infimum.learn.choosing import Standing, choose
from infimum.learn.final_fit import choose_and_fit, given_up_for, pace
from infimum.learn.ground import features_in_use
from infimum.learn.journal import Journal
from infimum.learn.lanes import blend_label, blend_lane
from infimum.learn.problem import Problem
from infimum.learn.refit import Refit, refit_blend
from infimum.learn.result import Choice, Lane
from infimum.learn.scoring import Criterion
from infimum.learn.second_look import disappointment

__all__ = ["Verdict", "settle"]

#: The note in the journal whether there was time to find a blend, and to fit it.
_BLEND = "blend"


class Verdict(NamedTuple):
    """What was decided, and the final model."""

    choice: Choice
    final: Refit
    champion: dict[str, Any] | None
    blend: dict[str, Any] | None
    lanes: tuple[Lane, ...]
    replaced: tuple[dict[str, Any], ...] = ()

    @property
    def expected_error(self) -> float | None:
        """The error rate of the chosen contender on rows held back, if it has one."""
        named = (lane for lane in self.lanes if lane.name == self.choice.name)
        return next((lane.metrics.get("error") for lane in named), None)

    def fields(self) -> dict[str, Any]:
        """Return what the verdict adds to the result."""
        return {
            "choice": self.choice,
            "champion": self.champion,
            "blend": self.blend,
            "lanes": self.lanes,
            "coefficients": self.final.coefficients,
            "replaced": self.replaced,
        }


def settle(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    *,
    deadline: float,
    latest: float = np.inf,
    journal: Journal | None = None,
) -> Verdict:
    """Choose, blend if it pays, and fit the final model on all training rows.

    After the `deadline` nothing is fitted for the report alone; what is not fitted at
    the `latest` moment is given up for something faster. Whether a blend was in time
    stands in the `journal`, so that a resumed run decides alike.
    """
    choice, _ = choose(standing, criterion)
    reason, wrong = "", ""
    lanes: tuple[Lane, ...] = ()
    replaced: tuple[dict[str, Any], ...] = ()
    blend, final = _noted_blend(
        problem, standing, splits, criterion, choice, latest, journal or Journal(None)
    )
    if blend is not None and final is not None:
        wrong = disappointment(
            final.pipeline, problem, criterion, blend.errors, standing
        )
        replaced = (given_up_for("The blend", wrong),) if wrong else ()
    if blend is not None and final is not None and not wrong:
        lane = blend_lane(blend, standing, criterion)
        winning, lanes = blend.errors, (lane,)
        choice = _blended(choice, lane)
    else:
        reason = "disappoints" if wrong else _why_not(blend, choice)
        found = choose_and_fit(
            problem,
            standing,
            criterion,
            deadline=deadline,
            latest=latest,
            splits=splits,
        )
        winning, final = found.promised, found.refit
        final = final._replace(
            warnings=(*(each["reason"] for each in replaced), *final.warnings)
        )
        replaced += found.replaced
        constant = found.standing.heat.contender.fixed
        used = 0 if constant else features_in_use(final.pipeline[-1])
        choice = replace(found.choice, weights=used)
    champion = find_champion(
        problem, standing, criterion, winning, winner=choice.name, deadline=latest
    )
    plain = None if blend is None else _plain(blend, standing, reason)
    return Verdict(choice, final, champion, plain, lanes, replaced)


def _noted_blend(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    choice: Choice,
    latest: float,
    journal: Journal,
) -> tuple[Blend | None, Refit | None]:
    """Return the blend and its fit, if they were in time when that was first asked."""
    told = journal.noted(_BLEND)
    if told is None:
        made = _try_blend(problem, standing, splits, criterion, choice, latest)
        journal.note(_BLEND, [part is not None for part in made])
        return made
    found, fitted = told
    blend = find_blend(standing, problem, splits, criterion) if found else None
    if blend is None or not fitted:
        return blend, None
    return blend, refit_blend(problem, standing, blend)


def _try_blend(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    choice: Choice,
    latest: float,
) -> tuple[Blend | None, Refit | None]:
    """Return the blend, and its fit if it pays and there is time for its members."""
    blend = None
    try:
        with alarm(latest):
            blend = find_blend(standing, problem, splits, criterion)
            # Where nothing beats the constant answer, mixing the losers would be luck.
            if blend is None or not blend.pays or choice.name == "baseline":
                return blend, None
            if time.perf_counter() + _expected(blend, standing) > latest:
                return blend, None
            return blend, refit_blend(problem, standing, blend)
    except TimeUpError:
        return blend, None


def _expected(blend: Blend, standing: Sequence[Standing]) -> float:
    return sum(pace(standing[i]) for i, _ in blend.members)


def _blended(choice: Choice, lane: Lane) -> Choice:
    return replace(
        choice,
        name=lane.name,
        label=lane.label,
        parameter=lane.parameter,
        value=lane.values[0],
        score=lane.scores[0],
        spread=lane.spreads[0],
        weights=round(lane.weights[0]),
        best_name=lane.name,
        best_label=lane.label,
        best_value=lane.values[0],
        best_score=lane.scores[0],
        threshold=lane.scores[0],
        words=lane.words[0],
        # The shares for each fold are those that the other folds have taught; the
        # members are those of all folds, which the report says.
        nested_score=lane.scores[0],
        nested_spread=lane.spreads[0],
    )


def _why_not(blend: Blend | None, choice: Choice) -> str:
    """Say why a blend was not taken; what pays and may be taken lacked the time."""
    if blend is None or not blend.pays:
        return "noise"
    return "constant" if choice.name == "baseline" else "time"


def _plain(blend: Blend, standing: Sequence[Standing], reason: str) -> dict[str, Any]:
    """Return what the report tells of a blend, taken if there is no reason."""
    taking_part = [standing[i].heat.contender for i, _ in blend.members]
    members = [
        {"name": each.name, "label": each.label, "share": share}
        for each, share in zip(taking_part, blend.shares, strict=True)
    ]
    return {
        "taken": not reason,
        "reason": reason,
        "label": blend_label(blend, standing),
        "members": members,
        "gain": blend.gain,
        "noise": blend.noise,
    }
