"""The verdict on a race: the model to keep, the readable one, and the blend."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from infimum.evaluation import Split
from infimum.learn.blending import Blend, find_blend
from infimum.learn.champion import find_champion
from infimum.learn.choosing import Standing, choose
from infimum.learn.ground import features_in_use
from infimum.learn.lanes import blend_label, blend_lane
from infimum.learn.problem import Problem
from infimum.learn.refit import Refit, refit, refit_blend
from infimum.learn.result import Choice, Lane
from infimum.learn.scoring import Criterion

__all__ = ["Verdict", "settle"]


class Verdict(NamedTuple):
    """What was decided, and the final model."""

    choice: Choice
    final: Refit
    champion: dict[str, Any] | None
    blend: dict[str, Any] | None
    lanes: tuple[Lane, ...]


def settle(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    *,
    deadline: float,
) -> Verdict:
    """Choose, blend if it pays, and fit the final model on all training rows."""
    choice, place = choose(standing, criterion)
    blend = find_blend(standing, problem, splits, criterion)
    each = standing[place]
    winning = each.errors[each.values.index(choice.value)]
    lanes: tuple[Lane, ...] = ()
    # Where nothing beats the constant answer, mixing the losers would be luck.
    if blend is not None and blend.pays and choice.name != "baseline":
        lane = blend_lane(blend, standing, criterion)
        final = refit_blend(problem, standing, blend)
        winning, lanes = blend.errors, (lane,)
        choice = _blended(choice, lane)
    else:
        final = refit(problem, each, choice, deadline=deadline)
        choice = replace(choice, weights=features_in_use(final.pipeline[-1]))
    champion = find_champion(problem, standing, criterion, winning, winner=choice.name)
    plain = None if blend is None else _plain(blend, standing, taken=bool(lanes))
    return Verdict(choice, final, champion, plain, lanes)


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
        # The shares for each fold are those that the other folds have taught.
        nested_score=lane.scores[0],
        nested_spread=lane.spreads[0],
    )


def _plain(
    blend: Blend, standing: Sequence[Standing], *, taken: bool
) -> dict[str, Any]:
    taking_part = [standing[i].heat.contender for i, _ in blend.members]
    members = [
        {"name": each.name, "label": each.label, "share": share}
        for each, share in zip(taking_part, blend.shares, strict=True)
    ]
    return {
        "taken": taken,
        "label": blend_label(blend, standing),
        "members": members,
        "gain": blend.gain,
        "noise": blend.noise,
    }
