"""What readable models there are to try once the race is over, and on what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from infimum.learn.choosing import Standing
from infimum.learn.contenders import Contender
from infimum.learn.ground import fit_one, made
from infimum.learn.heat import GRID
from infimum.learn.problem import Problem
from infimum.learn.readable.few_on_path import few_on_path
from infimum.learn.readable.few_weights import forward_steps
from infimum.learn.readable.strange_tree import StrangeTree
from infimum.models.linear import (
    LinearRegression,
    LogisticRegression,
    OrdinalLogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
)
from infimum.models.multiclass import OneVsRestClassifier

__all__ = ["FEW", "FORWARD", "Trial", "leaves_of", "strange_trees", "trials"]

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
    found += [_of_tree(each) for each in standing if _is_tree(each.heat.contender)]
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
        level = problem.wishes.quantile or 0.5
        return "Linear quantile", QuantileRegressor(quantile=level, alpha=0.0)
    if problem.y.ndim > 1:
        return "Logistic regression", OneVsRestClassifier(slightly)
    if len(problem.classes):
        return "Logistic regression", slightly
    return "Least squares", LinearRegression()


def _of_tree(standing: Standing) -> Trial:
    """Return trees of every number of leaves that a person can keep in mind."""
    contender = standing.heat.contender
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

    def fit(X: Any, y: Any, _: Any, told: Any) -> list[Any]:
        # Imitations that detectors are judged by are nothing to learn from.
        return _grown(kind, X[y == 0], None, None, told)

    said = tuple(f"at most {setting[_LEAVES]} answers" for setting in kind.grid)
    return Trial(kind.name, kind.label, said, fit, rank=kind.rank, view=kind.view)


def _grown(contender: Contender, X: Any, y: Any, weights: Any, told: Any) -> list[Any]:
    return [
        fit_one(made(contender, GRID, place, told), X, y, weights)
        for place in range(len(contender.grid))
    ]


def _of_path(standing: Standing) -> Trial:
    """Return the models of a sparse path that have few weights."""
    contender = standing.heat.contender
    first = next(j for j, used in enumerate(standing.weights) if used > FEW)
    weakest = min(first + 1, len(standing.values) - 1)
    ends = (standing.values[0], standing.values[weakest])

    def fit(X: Any, y: Any, weights: Any, _: Any) -> list[Any]:
        return few_on_path(contender.make(), X, y, weights, ends=ends, most=FEW)

    said = tuple(f"at most {_features(k + 1)}" for k in range(FEW))
    return Trial(contender.name, contender.label, said, fit, rank=contender.rank)


def _crosses(standing: Standing) -> bool:
    """Whether a path goes from few weights to more than anybody reads."""
    contender = standing.heat.contender
    if contender.grid or contender.fixed or not contender.readable:
        return False
    return bool(standing.weights[0] <= FEW < standing.weights[-1])


def _best_of_few(standing: Standing) -> float:
    return float(standing.means[standing.weights <= FEW].min())


def _is_tree(contender: Contender) -> bool:
    return contender.readable and leaves_of(contender, 0) > 0


def _features(count: int) -> str:
    return f"{count} feature{'s' if count > 1 else ''}"
