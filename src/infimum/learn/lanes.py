"""Every contender in the result: scores along its settings, and its proof."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from infimum.errors import InfimumError
from infimum.learn.blending import Blend
from infimum.learn.choosing import Standing, standard_error, words
from infimum.learn.decisions import Decisions
from infimum.learn.ground import collecting, fit_one, made
from infimum.learn.problem import Problem
from infimum.learn.progress import Progress, Step
from infimum.learn.refit import plain_proof
from infimum.learn.result import Lane, TracePoint
from infimum.learn.scoring import Criterion

__all__ = ["blend_label", "blend_lane", "run_lanes"]

_MOST_POINTS = 200


def run_lanes(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    decisions: Decisions,
    progress: Progress,
) -> tuple[Lane, ...]:
    """Describe every contender; if time is left, solve the convex on all rows."""
    encoder, X = problem.encoded("linear")
    lanes = []
    for done, each in enumerate(standing):
        progress(Step("prove", each.heat.contender.label, done, len(standing)))
        model = None
        if each.heat.contender.convex:
            model = decisions.in_time(
                f"proof-{each.heat.contender.name}",
                partial(_solved, each, encoder, X, problem),
                decisions.deadline,
                expected=each.pace,
            )
        lanes.append(_lane(each, criterion, model))
    return tuple(lanes)


def blend_label(blend: Blend, standing: Sequence[Standing]) -> str:
    """Name the members of a blend with their shares."""
    parts = [
        f"{share:.0%} {standing[i].heat.contender.label}"
        for share, (i, _) in zip(blend.shares, blend.members, strict=True)
    ]
    return "Blend of " + ", ".join(parts[:-1]) + " and " + parts[-1]


def blend_lane(
    blend: Blend, standing: Sequence[Standing], criterion: Criterion
) -> Lane:
    """Describe a blend as a contender with one setting."""
    used = max(standing[i].weights[j] for i, j in blend.members)
    names = blend.metrics[0]
    return Lane(
        name="blend",
        label=blend_label(blend, standing),
        parameter="setting",
        values=(0.0,),
        scores=(criterion.error(float(blend.errors.mean())),),
        spreads=(standard_error(blend.errors),),
        weights=(float(used),),
        best=0,
        pick=0,
        folds=len(blend.errors),
        seconds=sum(standing[i].heat.seconds for i, _ in blend.members),
        metrics={name: _mean([fold[name] for fold in blend.metrics]) for name in names},
        proof=None,
        trace=(),
        words=("shares by rows held back",),
    )


def _solved(standing: Standing, encoder: Any, X: Any, problem: Problem) -> Any:
    heat = standing.heat
    value = standing.values[standing.pick]
    try:
        with collecting():
            model = made(heat.contender, heat.parameter, value, encoder)
            return fit_one(model, X, problem.y, problem.weights)
    except (ArithmeticError, ValueError, InfimumError):
        return None


def _lane(standing: Standing, criterion: Criterion, model: Any) -> Lane:
    heat = standing.heat
    return Lane(
        name=heat.contender.name,
        label=heat.contender.label,
        parameter=heat.parameter,
        values=standing.values,
        scores=tuple(criterion.error(mean) for mean in standing.means.tolist()),
        spreads=tuple(standing.spreads.tolist()),
        weights=tuple(standing.weights.tolist()),
        best=standing.best,
        pick=standing.pick,
        folds=standing.folds,
        seconds=heat.seconds,
        metrics={
            name: standing.average(name, standing.best)
            for name in standing.metrics[0][0]
        },
        proof=plain_proof(model),
        trace=() if model is None else _trace(model),
        words=tuple(words(heat, value) for value in standing.values),
        state=heat.retired,
    )


def _trace(model: Any) -> tuple[TracePoint, ...]:
    """Return the relative gap against time; a logarithmic axis has no place for 0."""
    # Targets so small that their squares vanish leave a scale of 0, and no gap.
    scale = float(model.certificate_.scale) or 1.0
    history = getattr(model, "history_", [])
    records = [r for r in history if math.isfinite(r.primal - r.dual)]
    kept = np.linspace(0, len(records) - 1, min(len(records), _MOST_POINTS))
    return tuple(
        TracePoint(
            float(records[place].seconds),
            max(float(records[place].primal - records[place].dual) / scale, 1e-16),
        )
        for place in np.unique(kept.round().astype(int))
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
