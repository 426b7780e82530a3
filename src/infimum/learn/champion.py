"""The champion of the readable: a few weights or a few questions, and their price."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from infimum.errors import InfimumError
from infimum.learn.alarm import TimeUpError, alarm
from infimum.learn.choosing import (
    Field,
    Standing,
    not_clearly_beaten,
    standard_error,
    words,
)
from infimum.learn.ground import collecting, parts_of
from infimum.learn.problem import Problem
from infimum.learn.refit import feature_names, fitted
from infimum.learn.scoring import Criterion
from infimum.learn.steadiness import weight_steadiness
from infimum.models.trees import export_text
from infimum.typing import Vector

__all__ = ["find_champion"]

#: More weights than this are no longer read, only looked up.
_FEW = 8
#: Seconds for the errors of its weights at least, and their part of the time left.
_LEAST, _SHARE = 2.0, 0.05


def find_champion(
    problem: Problem,
    standing: Sequence[Standing],
    criterion: Criterion,
    winning: Vector,
    *,
    winner: str,
    deadline: float = np.inf,
) -> dict[str, Any] | None:
    """Return the best sparse linear model or small tree, and what it costs.

    `winning` are the errors of the winner on the folds: the cost is the average of the
    differences, with their standard error. Without time it is not written down.
    """
    field = Field(standing)
    able = [i for i in range(len(field.owners)) if _readable(field, i)]
    if not able:
        return None
    ranked = [int(i) for i in field.order(field.errors) if i in set(able)]
    order = np.array([able.index(i) for i in ranked])
    fragile = np.any(field.fragile[able], axis=1)
    place = able[not_clearly_beaten(field.errors[able], order, fragile)]
    i, j = field.owners[place]
    each = standing[i]
    cost = each.errors[j] - winning[: each.folds]
    return {
        "name": each.heat.contender.name,
        "label": each.heat.contender.label,
        "words": words(each.heat, each.values[j]),
        "score": criterion.error(float(each.means[j])),
        "spread": float(each.spreads[j]),
        "cost": float(cost.mean()),
        "cost_spread": standard_error(cost),
        "weights": float(each.weights[j]),
        "is_winner": winner == each.heat.contender.name and not cost.any(),
        **_reading(problem, each, each.values[j], deadline),
    }


def _readable(field: Field, place: int) -> bool:
    contender = field.standing[field.owners[place][0]].heat.contender
    if contender.rank == 0 or not contender.readable:
        return False
    return bool(field.weights[place] <= _FEW)


def _reading(
    problem: Problem, standing: Standing, value: float, deadline: float
) -> dict[str, Any]:
    """Return the model as a person would write it down: weights or questions."""
    try:
        with alarm(deadline), collecting():
            pipeline = fitted(problem, standing, value)
    except (ArithmeticError, ValueError, InfimumError, TimeUpError):
        return {}
    parts = parts_of(pipeline[-1])
    if all(hasattr(each, "tree_") for each in parts):
        return {"rules": _questions(problem, pipeline, parts)}
    names = feature_names(pipeline)
    weights = np.vstack([np.atleast_2d(np.asarray(p.coef_, float)) for p in parts])
    used = np.flatnonzero(np.any(weights != 0, axis=0))
    ranked = used[np.argsort(-np.abs(weights[:, used]).max(axis=0), kind="stable")]
    steady = None
    if problem.y.ndim == 1:
        X = pipeline[:-1].transform(problem.rows)
        # A generous budget leaves the errors to the rows, not to a busy machine.
        left = max(_LEAST, _SHARE * (deadline - time.perf_counter()))
        steady = weight_steadiness(
            pipeline[-1], X, problem.y, problem.weights, seconds=left
        )
    return {
        "weights_by_feature": [[names[k], weights[:, k].tolist()] for k in ranked],
        # In the same order; None if there was no time to fit again and again.
        "errors": steady and [steady.errors[:, k].tolist() for k in ranked],
        "intercept": np.hstack([p.intercept_ for p in parts]).tolist(),
    }


def _questions(problem: Problem, pipeline: Any, parts: Sequence[Any]) -> str:
    """Return the questions of a tree; of several trees under the label of each."""
    names, levels = feature_names(pipeline), _levels(pipeline[0])
    rules = [export_text(p, feature_names=names, level_names=levels) for p in parts]
    if problem.y.ndim == 1:
        return rules[0]
    told = zip(problem.classes, rules, strict=True)
    return "\n".join(f"{label}:\n{text}" for label, text in told)


def _levels(encoder: Any) -> dict[int, list[str]]:
    """Return what the codes of categories and of yes and no stand for, by feature."""
    named, place = {}, 0
    for state in getattr(encoder, "columns_", ()):
        if state["kind"] == "categorical":
            named[place] = [*map(str, state["levels"]), "a rare one"]
        elif state["kind"] == "boolean":
            named[place] = ["false", "true"]
        place += len(state["names"])
    return named
