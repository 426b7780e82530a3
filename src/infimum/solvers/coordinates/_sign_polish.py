"""Solving for the coefficients in use at once, as far as their signs allow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import eigh

from infimum.solvers.coordinates._sign_factor import FLAT, SignFactor
from infimum.typing import Indices, Matrix, Vector

__all__ = ["polish"]

#: Most steps of one polish.
MOST_POLISHES = 4
#: A slope below this share of the prices' is none.
LEVEL = 1e-3


def polish(
    gram: Matrix,
    gradient: Vector,
    point: Vector,
    elastic: tuple[Vector, Vector],
    factor: SignFactor,
) -> None:
    """Solve for the coefficients in use at once, as far as their signs allow.

    Where signs stay as they are the problem is a plain quadratic. Coefficients that
    would change sign stop at 0; should that not pay, the step is cut short at the
    first of them. More coefficients than the data can tell apart leave a direction
    without curvature: along it the first of them reaches 0 at no loss.
    """
    for _ in range(MOST_POLISHES):
        priced = np.flatnonzero(point[:-1])
        slope = _slope(gradient, point, priced, elastic)
        step, flat = factor.step(gram, priced, slope, elastic[1])
        aims = _newton_aims(step, point, priced)
        if _take_best(gram, gradient, point, elastic, aims):
            if np.count_nonzero(point[:-1]) == len(priced):
                return
            continue
        if not flat:
            return
        matrix = _curvature(gram, priced, elastic)
        aims = _flat_aims(matrix, slope, gradient, point, priced)
        if not _take_best(gram, gradient, point, elastic, aims):
            return


def _take_best(
    gram: Matrix,
    gradient: Vector,
    point: Vector,
    elastic: tuple[Vector, Vector],
    aims: Iterator[Vector],
) -> bool:
    """Move to the first aim that pays; tell whether one did."""
    for aim in aims:
        bent = _bent(gram, aim - point)
        if _change(bent, gradient, point, aim, elastic) < 0.0:
            gradient += bent
            point[:] = aim
            return True
    return False


def _newton_aims(
    found: Vector | None, point: Vector, priced: Indices
) -> Iterator[Vector]:
    """Yield the minimum on the signs of `point`, then the way to the first at 0."""
    if found is None:
        return
    step = np.zeros_like(point)
    step[priced], step[-1] = found[:-1], found[-1]
    aim = point + step
    flipped = priced[point[priced] * aim[priced] < 0]
    aim[flipped] = 0.0
    yield aim
    if flipped.size:
        yield _up_to_zero(point, step, flipped)


def _flat_aims(
    matrix: Matrix, slope: Vector, gradient: Vector, point: Vector, priced: Indices
) -> Iterator[Vector]:
    """Yield where a direction without curvature leads down to a coefficient of 0.

    Only the prices may have a slope along it: where the loss has one too, the model
    falls forever, and says nothing about the loss.
    """
    from infimum.compiled.threads import one_blas_thread  # late: it loads numba

    with one_blas_thread():
        values, vectors = eigh(matrix, subset_by_index=[0, 0], check_finite=False)
    if values[0] > FLAT * np.diag(matrix).max():
        return
    step = np.zeros_like(point)
    step[np.append(priced, len(point) - 1)] = vectors[:, 0]
    if abs(gradient @ step) > LEVEL * np.abs(slope @ vectors[:, 0]):
        return
    if slope @ vectors[:, 0] > 0.0:
        step = -step
    falling = priced[point[priced] * step[priced] < 0.0]
    if falling.size:
        yield _up_to_zero(point, step, falling)


def _up_to_zero(point: Vector, step: Vector, falling: Indices) -> Vector:
    """Return the point on the way where the first of the falling ones is 0."""
    length = float((-point[falling] / step[falling]).min())
    first = falling[
        np.abs(point[falling]) <= length * np.abs(step[falling]) * (1 + 1e-12)
    ]
    aim = point + length * step
    aim[first] = 0.0
    return np.asarray(aim)


def _slope(
    gradient: Vector, point: Vector, priced: Indices, elastic: tuple[Vector, Vector]
) -> Vector:
    """Return the slope of model and penalty on the signs of `point`, intercept last."""
    l1, l2 = elastic
    slope = gradient[np.append(priced, len(point) - 1)]
    slope[:-1] += l1[priced] * np.sign(point[priced]) + l2[priced] * point[priced]
    return np.asarray(slope)


def _curvature(gram: Matrix, priced: Indices, elastic: tuple[Vector, Vector]) -> Matrix:
    """Return the curvature that goes with the slope."""
    used = np.append(priced, len(gram) - 1)
    matrix: Matrix = gram[np.ix_(used, used)]
    if matrix[-1, -1] == 0.0:
        matrix[-1, -1] = 1.0
    spots = np.arange(len(priced))
    matrix[spots, spots] += elastic[1][priced]
    return matrix


def _bent(gram: Matrix, step: Vector) -> Vector:
    """Return the change of the gradient along a step, few of whose entries move."""
    from infimum.compiled.products.chosen_rows import add_chosen  # late: it loads numba

    moving, total = np.flatnonzero(step), np.zeros_like(step)
    add_chosen(gram, moving, step[moving], total)
    return total


def _change(
    bent: Vector,
    gradient: Vector,
    point: Vector,
    aim: Vector,
    elastic: tuple[Vector, Vector],
) -> float:
    """Return the change of model and penalty from `point` to `aim`."""
    l1, l2 = elastic
    step = aim - point
    smooth = float((gradient + 0.5 * bent) @ step)
    before, after = point[:-1], aim[:-1]
    priced = l1 * (np.abs(after) - np.abs(before)) + 0.5 * l2 * (after**2 - before**2)
    return smooth + float(priced.sum())
