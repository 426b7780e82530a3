"""Interior-point starts for support vector machines with few features.

A kernel of low rank is a linear machine in disguise. There an interior point method
needs some twenty steps, however badly the features are scaled and however high the
price of a violation, where a method that moves two variables at a time may never end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.certificates.feasibility import balance
from infimum.kernels import Kernel, Linear
from infimum.losses import Loss
from infimum.models._interruption import was_interrupted
from infimum.models.linear._problem import LinearProblem
from infimum.objectives import SupportVectorDual
from infimum.penalties import Ridge
from infimum.solvers import InteriorPoint
from infimum.typing import Matrix, Vector

__all__ = ["Plain", "few_features", "from_the_inside", "linear_features"]

#: Features at most, and multiplications at most for one step.
MOST_FEATURES, MOST_WORK = 300, 2e9
#: A kernel matrix is of low rank when this share of its trace is left.
LEFT = 1e-13
#: Coefficients so near a bound, relative to the box, are at it: the coarsest measure
#: counts that costs less than this share of the objective.
NEAR, COST = (1e-6, 1e-9, 1e-12), 1e-9


class Plain(NamedTuple):
    """What a machine minimises, as a risk: the loss, and each sample's price."""

    loss: Loss
    targets: Vector
    bounds: Vector


def linear_features(kernel: Kernel | None, things: Any) -> Matrix | None:
    """Return the samples themselves, if the kernel is linear and they are short."""
    if not isinstance(kernel, Linear) or sparse.issparse(things):
        return None
    X = np.asarray(things, dtype=np.float64)
    return X if _short(*X.shape) else None


def few_features(kernel: Kernel | None, things: Any) -> Matrix | None:
    """Return features whose products are the kernel values, if few are enough.

    Cholesky's elimination, largest pivot first, reading one row of the kernel matrix
    for each feature.
    """
    gram = np.asarray(things, dtype=np.float64) if kernel is None else None
    left = np.diag(gram).copy() if gram is not None else _diagonal(kernel, things)
    n, total = len(left), float(left.sum())
    found = np.zeros((n, 0))
    while left.sum() > LEFT * total:
        if not _short(n, found.shape[1] + 1) or found.shape[1] >= n:
            return None
        pivot = int(np.argmax(left))
        row = gram[pivot] if gram is not None else _row(kernel, things, pivot)
        column = (row - found @ found[pivot]) / np.sqrt(left[pivot])
        found = np.column_stack([found, column])
        left = np.maximum(left - column**2, 0.0)
        left[pivot] = 0.0
    return found


def from_the_inside(
    plain: Plain, features: Matrix, dual: SupportVectorDual, tolerance: float
) -> Vector:
    """Return a feasible point of the dual that is as good as optimal."""
    problem = LinearProblem.of(
        features, (plain.targets,), plain.loss, plain.bounds, intercept=True
    )
    [risk] = problem.risks(Ridge(1.0 / float(plain.bounds.sum())))
    solution = InteriorPoint(tolerance=min(1e-9, tolerance)).solve(risk)
    if was_interrupted(solution):
        raise KeyboardInterrupt  # what comes next would not know of it
    pulls = -plain.bounds * balance(risk, solution.slopes)
    if len(dual.low) > len(pulls):  # one variable pulls up, another one down
        pulls = np.concatenate([np.maximum(pulls, 0.0), np.minimum(pulls, 0.0)])
    points = [_settled(pulls, dual, near) for near in NEAR]
    values = np.array([_value(dual, features, point) for point in points])
    size = np.abs(values).max() + plain.bounds @ np.abs(plain.targets)
    good = values <= values.min() + COST * size
    return points[int(np.argmax(good))]


def _value(dual: SupportVectorDual, features: Matrix, point: Vector) -> float:
    w = features.T @ dual.coefficients(point)
    return float(0.5 * (w @ w) + dual.linear @ point)


def _settled(point: Vector, dual: SupportVectorDual, near: float) -> Vector:
    """Put coefficients on the bounds they are next to; the others keep the sum at 0."""
    width = dual.high - dual.low
    point = np.clip(point, dual.low, dual.high)
    point = np.where(point - dual.low <= near * width, dual.low, point)
    point = np.where(dual.high - point <= near * width, dual.high, point)
    excess = float(point.sum() - dual.start.sum())
    room = (dual.high - point) if excess < 0 else (point - dual.low)
    inside = (point > dual.low) & (point < dual.high)
    room = np.where(inside, room, 0.0) if room[inside].sum() > abs(excess) else room
    total = float(room.sum())
    return point - excess * room / total if total > 0 else point


def _short(samples: int, features: int) -> bool:
    work = float(samples) * (features + 1.0) ** 2
    return features <= MOST_FEATURES and work <= MOST_WORK


def _diagonal(kernel: Any, things: Any) -> Vector:
    return np.array(kernel.diagonal(things), dtype=np.float64)


def _row(kernel: Any, things: Any, place: int) -> Vector:
    one = things[place : place + 1]
    return np.asarray(kernel(one, things), dtype=np.float64).ravel()
