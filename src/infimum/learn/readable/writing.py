"""A readable model written down: weights with their errors, or questions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from infimum.learn.ground import linear_scores, parts_of
from infimum.learn.problem import Problem
from infimum.learn.refit import feature_names
from infimum.learn.steadiness import weight_steadiness
from infimum.models.trees import export_text
from infimum.typing import Vector

__all__ = ["written"]


class _Units(NamedTuple):
    """What a feature was moved and divided by before the model saw it."""

    means: Vector
    scales: Vector


def written(problem: Problem, pipeline: Any, seconds: float) -> dict[str, Any]:
    """Return a model as a person would write it down: weights or questions.

    Weights come in two units, largest first: for one standard deviation of a number (as
    the model saw it) and, under `per_unit`, for one unit of the table; yes and no are 0
    and 1 in both. Their errors are those of `weight_steadiness`, None if the `seconds`
    are too few for it.
    """
    parts = [each for each in parts_of(pipeline[-1]) if not isinstance(each, float)]
    if parts and all(hasattr(each, "tree_") for each in parts):
        answers = sum(int(each.get_n_leaves()) for each in parts)
        return {"rules": _questions(problem, pipeline), "size": f"{answers} answers"}
    names, units = feature_names(pipeline), _units(pipeline[0])
    weights, start = linear_scores(pipeline[-1])
    used = np.flatnonzero(np.any(weights != 0, axis=0))
    ranked = used[np.argsort(-np.abs(weights[:, used]).max(axis=0), kind="stable")]
    steady = weight_steadiness(
        pipeline[-1],
        pipeline[:-1].transform(problem.rows),
        problem.y,
        problem.weights,
        groups=problem.groups,
        seconds=seconds,
    )
    own = weights / units.scales
    moved = (own[:, used] @ units.means[used]) if len(used) else np.zeros(len(weights))
    return {
        "size": f"{len(used) or 'no'} feature{'' if len(used) == 1 else 's'}",
        "weights_by_feature": [[names[k], weights[:, k].tolist()] for k in ranked],
        # In the same order; None if there was no time to fit again and again.
        "errors": steady and [steady.errors[:, k].tolist() for k in ranked],
        "intercept": start.tolist(),
        "per_unit": {
            "scales": units.scales[ranked].tolist(),
            "weights": own[:, ranked].T.tolist(),
            "errors": steady
            and [(steady.errors[:, k] / units.scales[k]).tolist() for k in ranked],
            "intercept": (start - (moved if len(moved) == len(start) else moved[0]))
            .astype(float)
            .tolist(),
        },
    }


def _questions(problem: Problem, pipeline: Any) -> str:
    """Return the questions of a tree; of several trees under the label of each."""
    names, levels = feature_names(pipeline), _levels(pipeline[0])
    parts = parts_of(pipeline[-1])
    if problem.y.ndim == 1:
        return str(export_text(parts[0], feature_names=names, level_names=levels))
    rules = [
        f"always {each:.0f}\n"
        if isinstance(each, float)
        else export_text(each, feature_names=names, level_names=levels)
        for each in parts
    ]
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


def _units(encoder: Any) -> _Units:
    """Return how an encoder has moved and divided each of its columns."""
    if not hasattr(encoder, "columns_"):
        scales = np.asarray(encoder.scale_, dtype=float)
        return _Units(np.zeros(len(scales)), scales)
    pairs: list[tuple[float, float]] = []
    for state in encoder.columns_:
        numbers: Sequence[Any] = [state] if state["kind"] == "numeric" else []
        if state["kind"] == "date":
            numbers = list(state["parts"].values())
        pairs += [(each["mean"], each["scale"]) for each in numbers]
        # Indicators, levels and counts of words stay as they are.
        pairs += [(0.0, 1.0)] * (len(state["names"]) - len(numbers))
    means, scales = np.array(pairs, dtype=float).T
    return _Units(means, scales)
