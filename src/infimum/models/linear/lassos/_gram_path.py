"""Paths of elastic nets of least squares on few columns, in one compiled loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.fit import Recipe, attainable
from infimum.models.linear.lassos._gram_descent import (
    Moments,
    Prices,
    as_point,
    moments_of,
    prices_of,
)
from infimum.objectives import LinearRisk
from infimum.penalties import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["gram_path"]

#: With more columns a working set is faster than all of the Gram matrix.
MOST_COLUMNS = 1_000
#: Sweeps for one strength after which another method goes on.
MOST_SWEEPS = 2_000
#: A share of the gap asked for, judged by half of the square.
AIM = 0.4
#: Multiplications of a sweep of all strengths between two looks at the keyboard.
WORK = 2_000_000


def gram_path(
    recipes: Sequence[Recipe], problem: LinearProblem
) -> tuple[list[Vector], float] | None:
    """Return the points of a path and their worst relative gap; None: not this way.

    It is for least squares on few columns, whose Gram matrix is all that is needed.
    """
    asked = [_prices(recipe) for recipe in recipes]
    prices = [each for each in asked if each is not None]
    [risk, *others] = recipes[0].risks(problem)
    if len(prices) < len(asked) or others or not _few(risk):
        return None
    known, positive = moments_of(risk), prices[0].positive
    if not 0.0 < known.square < np.inf:
        return None
    tolerance = attainable(recipes[0].tolerance, problem.design.dtype)
    pairs = np.array([price[:2] for price in prices])
    path = _followed(known, pairs, AIM * tolerance * known.square, positive=positive)
    if path is None:
        return None
    gap = _worst_gap(problem, known, path, pairs, positive=positive)
    if not gap <= tolerance:
        return None
    shape = risk.null.shape
    return [as_point(w, known, shape) for w in path], gap


def _prices(recipe: Recipe) -> Prices | None:
    limited = recipe.max_iterations is not None or recipe.solver is not None
    if limited or not isinstance(recipe.penalty, Penalty):
        return None
    return prices_of(recipe.penalty)


def _few(risk: LinearRisk) -> bool:
    few = risk.design.shape[1] <= MOST_COLUMNS
    return few and risk.offset is None and risk.design.dtype == np.float64


def _followed(
    known: Moments, prices: Matrix, aim: float, *, positive: bool
) -> Matrix | None:
    """Return the minima under all prices; None if one of them needs too many sweeps.

    The loop comes back now and then, so that Ctrl-C is heard.
    """
    from infimum.compiled.descent.gram_path import (
        Quadratic,  # late: it loads numba
        follow_gram_path,
    )

    cross = known.cross
    quadratic = Quadratic(known.gram, cross, known.square)
    path = np.empty((len(prices), *cross.shape))
    point, gradient = np.zeros_like(cross), -cross
    size = max(1, WORK // (cross.size * len(cross) + 1))
    for first in range(0, len(prices), size):
        some = prices[first : first + size]
        reached, _ = follow_gram_path(
            quadratic, some, positive, aim, MOST_SWEEPS,
            point, gradient, path[first : first + size],
        )  # fmt: skip
        if reached < len(some):
            return None
    return path


def _worst_gap(
    problem: LinearProblem,
    moments: Moments,
    path: Matrix,
    prices: Matrix,
    *,
    positive: bool,
) -> float:
    """Return the largest gap of all points, as a share of what there is to gain.

    Every product is taken as wrong by all the rounding of its sum: so much is added to
    what the points cost and to what pulls at them.
    """
    (gram, cross, square, _), (l1, l2) = moments, prices.T
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
