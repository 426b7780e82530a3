"""Elastic nets of least squares along a path of strengths, known by a Gram matrix."""

from typing import NamedTuple

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["Quadratic", "follow_gram_path", "gram_gap", "minimise_at"]

#: Each round is that much finer than the last, from this share of the largest pull on.
_COARSEST, _FINER = 1e-3, 0.1


class Quadratic(NamedTuple):
    """The function ½ `square` - ⟨cross, W⟩ + ½⟨W, gram W⟩ of a matrix W."""

    gram: Matrix
    cross: Matrix
    square: float


@loop()
def follow_gram_path(
    quadratic: Quadratic,
    prices: Matrix,
    positive: bool,  # noqa: FBT001
    aim: float,
    max_sweeps: int,
    point: Matrix,
    gradient: Matrix,
    path: Matrix,
) -> tuple[int, int]:
    """Minimise under each pair of prices, started from the last.

    A row of `path[k]` pays ``prices[k, 0]`` for its length and half of ``prices[k, 1]``
    for its square. `point` and `gradient` (that of the quadratic) are where the path
    begins, and where it has come to. A minimum is found when the gap of duality is at
    most `aim`; the first that needs more than `max_sweeps` ends the path. Returns the
    number of minima, and of sweeps.
    """
    cross = quadratic.cross
    top = np.abs(cross).max() if cross.size else 0.0
    step, total = np.empty(cross.shape[1]), 0
    for k in range(len(prices)):
        done, closed = minimise_at(
            quadratic, prices[k], positive, aim, max_sweeps, top, point, gradient, step
        )  # fmt: skip
        total += done
        if not closed:
            return k, total
        path[k] = point
    return len(prices), total


@inner_loop()
def minimise_at(
    quadratic: Quadratic,
    price: Vector,
    positive: bool,  # noqa: FBT001
    aim: float,
    max_sweeps: int,
    top: float,
    point: Matrix,
    gradient: Matrix,
    step: Vector,
) -> tuple[int, bool]:
    """Minimise under one pair of prices; return the sweeps, and whether it closed.

    `top` is the largest entry of `cross`, `step` is room for a row of it.
    """
    l1, l2 = price[0], price[1]
    fineness, done = _COARSEST * top, 0
    gram = quadratic.gram
    while gram_gap(quadratic, gradient, point, l1, l2, positive) > aim:
        if done >= max_sweeps or fineness < 1e-17 * top:
            return done, False
        left = max_sweeps - done
        done += _settle(gram, gradient, point, l1, l2, positive, fineness, left, step)
        fineness *= _FINER
    return done, True


@inner_loop()
def _settle(
    gram: Matrix,
    gradient: Matrix,
    point: Matrix,
    l1: float,
    l2: float,
    positive: bool,  # noqa: FBT001
    fineness: float,
    max_sweeps: int,
    step: Vector,
) -> int:
    """Sweep until no row moves its own gradient much; return the number of sweeps.

    Between two sweeps of all rows only those that are not 0 are visited.
    """
    done = 0
    while done < max_sweeps:
        worst = _sweep(gram, gradient, point, l1, l2, positive, True, step)
        done += 1
        if worst <= fineness:
            break
        while worst > fineness and done < max_sweeps:
            worst = _sweep(gram, gradient, point, l1, l2, positive, False, step)
            done += 1
    return done


@inner_loop()
def _sweep(
    gram: Matrix,
    gradient: Matrix,
    point: Matrix,
    l1: float,
    l2: float,
    positive: bool,  # noqa: FBT001
    every: bool,  # noqa: FBT001
    step: Vector,
) -> float:
    """Put one row after the other where it is best; return the farthest move."""
    worst = 0.0
    for j in range(len(point)):
        if gram[j, j] > 0.0 and (every or point[j].any()):
            moved = _move(gram[j], gradient, point, j, l1, l2, positive, step)
            worst = max(worst, moved)
    return worst


@inner_loop()
def _move(
    pulls: Vector,
    gradient: Matrix,
    point: Matrix,
    j: int,
    l1: float,
    l2: float,
    positive: bool,  # noqa: FBT001
    step: Vector,
) -> float:
    """Put row j where it is best; return how far its gradient moved."""
    bend: float = pulls[j]
    length, moved = 0.0, 0.0
    for t in range(len(step)):
        step[t] = bend * point[j, t] - gradient[j, t]
        if positive:
            step[t] = max(step[t], 0.0)
        length += step[t] * step[t]
    length = np.sqrt(length)
    kept = (1.0 - l1 / length) / (bend + l2) if length > l1 else 0.0
    for t in range(len(step)):
        step[t] = kept * step[t] - point[j, t]
        moved = max(moved, abs(step[t]))
        point[j, t] += step[t]
    if moved > 0.0:
        for i in range(len(point)):
            for t in range(len(step)):
                gradient[i, t] += pulls[i] * step[t]
    return moved * bend


@inner_loop()
def gram_gap(
    quadratic: Quadratic,
    gradient: Matrix,
    point: Matrix,
    l1: float,
    l2: float,
    positive: bool,  # noqa: FBT001
) -> float:
    """Return the gap of duality, with residuals that are scaled until they fit."""
    _, cross, square = quadratic
    fitted, bent, lengths, squares = 0.0, 0.0, 0.0, 0.0
    largest, excess = 0.0, 0.0
    for j in range(len(point)):
        length, pull = 0.0, 0.0
        for t in range(cross.shape[1]):
            w, slope = point[j, t], -gradient[j, t]
            fitted += cross[j, t] * w
            bent += (gradient[j, t] + cross[j, t]) * w
            length += w * w
            pull += slope * slope if slope > 0.0 or not positive else 0.0
        lengths += np.sqrt(length)
        squares += length
        pull = np.sqrt(pull)
        largest = max(largest, pull)
        excess += max(pull - l1, 0.0) ** 2
    residual = max(square - 2.0 * fitted + bent, 0.0)
    primal = 0.5 * residual + l1 * lengths + 0.5 * l2 * squares
    against = square - fitted
    if l2 > 0.0:
        return primal - (against - 0.5 * residual - 0.5 * excess / l2)
    scale = min(1.0, l1 / largest) if largest > 0.0 else 1.0
    return primal - (scale * against - 0.5 * scale * scale * residual)
