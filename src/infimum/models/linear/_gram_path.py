"""Paths of elastic nets of least squares on few columns, in one compiled loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._row_penalty import RowElasticNet
from infimum.models.linear.fit import Recipe, attainable
from infimum.penalties import ElasticNet
from infimum.typing import Matrix, Vector

__all__ = ["gram_path"]

#: With more columns a working set is faster than all of the Gram matrix.
MOST_COLUMNS = 1_000
#: Sweeps for one strength after which another method goes on.
MOST_SWEEPS = 2_000


def gram_path(
    recipes: Sequence[Recipe], problem: LinearProblem
) -> tuple[list[Vector], float] | None:
    """Return the points of a path and their worst relative gap; None: not this way.

    It is for least squares on few columns, whose Gram matrix is all that is needed.
    """
    found = _prices(recipes)
    if found is None or problem.design.shape[1] > MOST_COLUMNS:
        return None
    [y], q = problem.targets, problem.shares
    if problem.offset is not None or problem.design.dtype != np.float64:
        return None
    from infimum.compiled.gram_path import follow_gram_path  # late: it loads numba

    prices, positive = found
    middle = q @ y if problem.intercept else np.zeros(y.shape[1:])
    centred = (y - middle).reshape(len(y), -1)
    square = float(q @ np.square(centred).sum(axis=1))
    pulled = problem.design.pull_back(q[:, None] * centred)
    cross = np.ascontiguousarray(pulled, dtype=np.float64)
    gram = np.ascontiguousarray(problem.design.gram(q))
    path = np.empty((len(prices), *cross.shape))
    tolerance = attainable(recipes[0].tolerance, problem.design.dtype)
    if not 0.0 < square < np.inf:
        return None
    aim = 0.4 * tolerance * square  # the gap is judged by half of the square
    reached = follow_gram_path(
        gram, cross, square, prices, positive, aim, MOST_SWEEPS, path
    )
    if reached < len(prices):
        return None
    gap = _worst_gap(problem, (gram, cross, square), path, prices, positive=positive)
    if not gap <= tolerance:
        return None
    last = np.broadcast_to(middle, y.shape[1:])[None, ...]
    shape = (cross.shape[0], *y.shape[1:])
    return [np.concatenate([w.reshape(shape), last]) for w in path], gap


def _prices(recipes: Sequence[Recipe]) -> tuple[Matrix, bool] | None:
    """Return what lengths and squares of rows cost, and whether signs are bound."""
    pairs, positive = [], False
    for recipe in recipes:
        penalty = recipe.penalty
        if not isinstance(penalty, ElasticNet | RowElasticNet):
            return None
        if recipe.max_iterations is not None or recipe.solver is not None:
            return None
        positive = isinstance(penalty, ElasticNet) and penalty.positive
        l1 = penalty.strength * penalty.l1_ratio
        pairs.append((l1, penalty.strength * (1.0 - penalty.l1_ratio)))
    return np.array(pairs), positive


def _worst_gap(
    problem: LinearProblem,
    moments: tuple[Matrix, Matrix, float],
    path: Matrix,
    prices: Matrix,
    *,
    positive: bool,
) -> float:
    """Return the largest gap of all points, as a share of what there is to gain.

    Every product is taken as wrong by all the rounding of its sum: so much is added to
    what the points cost and to what pulls at them.
    """
    (gram, cross, square), (l1, l2) = moments, prices.T
    unit = 4.0 * (sum(problem.design.shape) + 8) * np.finfo(np.float64).eps
    sizes = np.sqrt(np.diag(gram) + np.square(problem.means))
    lengths = np.sqrt(np.square(path).sum(axis=2))
    reach = np.sqrt(square) + lengths @ sizes
    bent = np.tensordot(path, gram, (1, 0)).transpose(0, 2, 1)
    fitted = (path * cross).sum(axis=(1, 2))
    error = unit * np.square(reach)
    residual = square - 2.0 * fitted + (path * bent).sum(axis=(1, 2)) + error
    against = square - fitted - error
    pulls = np.maximum(cross - bent, 0.0) if positive else cross - bent
    pull = np.sqrt(np.square(pulls).sum(axis=2)) + unit * np.outer(reach, sizes)
    primal = 0.5 * residual + l1 * lengths.sum(axis=1)
    primal += 0.5 * l2 * np.square(lengths).sum(axis=1)
    excess = np.square(np.maximum(pull - l1[:, None], 0.0)).sum(axis=1)
    largest = pull.max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        fit = np.where(largest > l1, l1 / largest, 1.0)
        strict = fit * against - 0.5 * fit * fit * residual
        loose = against - 0.5 * residual - 0.5 * excess / l2
    gaps = primal - np.where(l2 > 0.0, loose, strict)
    worst = float(gaps.max()) / (0.5 * square)
    return max(worst, 0.0) if np.isfinite(worst) else np.inf
