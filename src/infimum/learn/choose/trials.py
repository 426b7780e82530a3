"""Models that a person can read: how they are found, and how they are written down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from infimum.evaluation.uncertainty.steadiness import (
    linear_scores,
    parts_of,
    weight_steadiness,
)
from infimum.learn.choose.refit import feature_names
from infimum.learn.choose.rule import Standing
from infimum.learn.choose.small_models import StrangeTree, few_on_path, forward_steps
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import GRID
from infimum.learn.folds import fit_one, made
from infimum.learn.problem import Problem
from infimum.models.linear import (
    LinearRegression,
    LogisticRegression,
    OrdinalLogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
)
from infimum.models.multiclass import OneVsRestClassifier
from infimum.models.trees import export_text
from infimum.typing import Vector

__all__ = ["FEW", "FORWARD", "Trial", "leaves_of", "strange_trees", "trials", "written"]


#: More weights than this are no longer read, only looked up; more leaves neither.
FEW = 8
FORWARD = "forward"
#: Among so few weights a penalty is there only to keep them finite.
_SLIGHT = 1e-4
_LEAVES = "max_leaf_nodes"


@dataclass(frozen=True)
class Trial:
    """Readable models of one kind, from small to large.

    `fit` takes a matrix, targets, weights and the encoder, and returns a model for each
    of the `words`.
    """

    name: str
    label: str
    words: tuple[str, ...]
    fit: Callable[[Any, Any, Any, Any], list[Any]]
    rank: int = 1
    view: str = "linear"
    sparse: bool = True


def trials(problem: Problem, standing: Sequence[Standing]) -> list[Trial]:
    """Return what to try beside the settings of the race, the most promising first."""
    if problem.goal == "novelty":
        return [_of_strange_trees()]
    found = [_forward(problem)]
    found += [_of_tree(each) for each in standing if _is_tree(each.tally.contender)]
    paths = sorted(filter(_crosses, standing), key=_best_of_few)
    return found + [_of_path(each) for each in paths]


def strange_trees() -> Contender:
    """Return the small trees that tell rows from imitations, as a contender."""
    return Contender(
        "strange-tree",
        "Small tree of imitations",
        partial(StrangeTree, random_state=0),
        grid=tuple({_LEAVES: k, "min_samples_leaf": 5} for k in range(2, FEW + 1)),
        rank=2,
        view="trees",
    )


def leaves_of(contender: Contender, place: float) -> int:
    """Return how many leaves a setting of a small tree allows; 0 for other models."""
    if not contender.grid:
        return 0
    setting = contender.grid[round(place)]
    return next((int(v) for k, v in setting.items() if k.endswith(_LEAVES)), 0)


def _forward(problem: Problem) -> Trial:
    """Return the linear models of few columns, taken one by one."""
    label, estimator = _family(problem)

    def fit(X: Any, y: Any, weights: Any, _: Any) -> list[Any]:
        steps = forward_steps(estimator, X, y, weights, most=FEW)
        return steps + steps[-1:] * (FEW - len(steps))

    said = tuple(f"{_features(k + 1)}, taken one by one" for k in range(FEW))
    return Trial(FORWARD, label, said, fit)


def _family(problem: Problem) -> tuple[str, Any]:
    slightly = LogisticRegression(C=1.0)
    if problem.goal == "ordinal":
        return "Proportional odds", OrdinalLogisticRegression(answer="median")
    if problem.goal == "counts":
        return "Poisson", PoissonRegressor(alpha=_SLIGHT)
    if problem.goal == "quantile":
        level = problem.options.quantile or 0.5
        return "Linear quantile", QuantileRegressor(quantile=level, alpha=0.0)
    if problem.y.ndim > 1:
        return "Logistic regression", OneVsRestClassifier(slightly)
    if len(problem.classes):
        return "Logistic regression", slightly
    return "Least squares", LinearRegression()


def _of_tree(standing: Standing) -> Trial:
    """Return trees of every number of leaves that a person can keep in mind."""
    contender = standing.tally.contender
    name = next(k for k in contender.grid[0] if k.endswith(_LEAVES))
    sizes = range(2, FEW + 1)
    finer = replace(
        contender, grid=tuple({**contender.grid[0], name: k} for k in sizes)
    )
    return Trial(
        contender.name,
        contender.label,
        tuple(f"at most {k} answers" for k in sizes),
        partial(_grown, finer),
        rank=contender.rank,
        view=contender.view,
        sparse=contender.sparse,
    )


def _of_strange_trees() -> Trial:
    """Return small trees that tell rows from imitations, where there is no target."""
    kind = strange_trees()

    def fit(X: Any, y: Any, _: Any, encoder: Any) -> list[Any]:
        # Imitations that detectors are judged by are nothing to learn from.
        return _grown(kind, X[y == 0], None, None, encoder)

    said = tuple(f"at most {setting[_LEAVES]} answers" for setting in kind.grid)
    return Trial(kind.name, kind.label, said, fit, rank=kind.rank, view=kind.view)


def _grown(
    contender: Contender, X: Any, y: Any, weights: Any, encoder: Any
) -> list[Any]:
    return [
        fit_one(made(contender, GRID, place, encoder), X, y, weights)
        for place in range(len(contender.grid))
    ]


def _of_path(standing: Standing) -> Trial:
    """Return the models of a sparse path that have few weights."""
    contender = standing.tally.contender
    first = next(j for j, used in enumerate(standing.weights) if used > FEW)
    weakest = min(first + 1, len(standing.values) - 1)
    ends = (standing.values[0], standing.values[weakest])

    def fit(X: Any, y: Any, weights: Any, _: Any) -> list[Any]:
        return few_on_path(contender.make(), X, y, weights, ends=ends, most=FEW)

    said = tuple(f"at most {_features(k + 1)}" for k in range(FEW))
    return Trial(contender.name, contender.label, said, fit, rank=contender.rank)


def _crosses(standing: Standing) -> bool:
    """Whether a path goes from few weights to more than anybody reads."""
    contender = standing.tally.contender
    if contender.grid or contender.fixed or not contender.readable:
        return False
    return bool(standing.weights[0] <= FEW < standing.weights[-1])


def _best_of_few(standing: Standing) -> float:
    return float(standing.means[standing.weights <= FEW].min())


def _is_tree(contender: Contender) -> bool:
    return contender.readable and leaves_of(contender, 0) > 0


def _features(count: int) -> str:
    return f"{count} feature{'s' if count > 1 else ''}"


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
    encoder = zip(problem.classes, rules, strict=True)
    return "\n".join(f"{label}:\n{text}" for label, text in encoder)


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
