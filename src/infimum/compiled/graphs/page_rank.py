"""Gauss–Seidel sweeps for ranks: each vertex gets what arrives, at once."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["sweep_ranks"]

#: Sweeps after which totals are no longer corrected, so that plain sweeps converge.
CORRECTED = 100


@loop()
def sweep_ranks(
    starts: Indices,
    sources: Indices,
    weights: Vector,
    free: Vector,
    alpha: float,
    right: Matrix,
    y: Matrix,
    settled: float,
    most: int,
) -> int:
    """Improve y towards (I - αPᵀ) y = right, until a sweep moves no column by more.

    `starts` and `sources` list the edges that arrive at each vertex; `free` is 1 over
    the weight that leaves one, and 0 where nothing does. After each sweep a column is
    scaled so that its equations hold in sum: the total is what sweeps find slowest.
    Returns the sweeps used.
    """
    passed, moved = np.empty_like(y), np.empty(y.shape[1])
    _scale(free, alpha, right, y, passed, moved)
    for count in range(most):
        if y.shape[1] == 1:
            args = (right[:, 0], y[:, 0], passed[:, 0])
            moved[0] = _sweep_one(starts, sources, weights, free, alpha, *args)
        else:
            _sweep(starts, sources, weights, free, alpha, right, y, passed, moved)
        if count < CORRECTED:
            _scale(free, alpha, right, y, passed, moved)
        if moved.max() <= settled:
            return count + 1
    return most


@inner_loop()
def _scale(
    free: Vector, alpha: float, right: Matrix, y: Matrix, passed: Matrix, moved: Vector
) -> None:
    """Scale each column to the sum of its right side; add how far that moves it."""
    n, columns = y.shape
    wanted, kept, total = np.zeros(columns), np.zeros(columns), np.zeros(columns)
    for j in range(n):
        share = 1.0 - alpha if free[j] > 0.0 else 1.0
        for c in range(columns):
            wanted[c] += right[j, c]
            total[c] += y[j, c]
            kept[c] += share * y[j, c]
    for c in range(columns):
        factor = wanted[c] / kept[c] if kept[c] > 0.0 else 1.0
        moved[c] += abs(factor - 1.0) * total[c]
        wanted[c] = factor
    for j in range(n):
        for c in range(columns):
            y[j, c] *= wanted[c]
            passed[j, c] = y[j, c] * free[j]


@inner_loop()
def _sweep_one(
    starts: Indices,
    sources: Indices,
    weights: Vector,
    free: Vector,
    alpha: float,
    right: Vector,
    y: Vector,
    passed: Vector,
) -> float:
    """Sweep once over all vertices; return how far a single column has moved."""
    moved = 0.0
    for j in range(len(y)):
        own, total = 0.0, 0.0
        for e in range(starts[j], starts[j + 1]):
            total += weights[e] * passed[sources[e]]
            if sources[e] == j:
                own += weights[e]
        total -= own * passed[j]
        value = (alpha * total + right[j]) / (1.0 - alpha * own * free[j])
        moved += abs(value - y[j])
        y[j] = value
        passed[j] = value * free[j]
    return moved


@inner_loop()
def _sweep(
    starts: Indices,
    sources: Indices,
    weights: Vector,
    free: Vector,
    alpha: float,
    right: Matrix,
    y: Matrix,
    passed: Matrix,
    moved: Vector,
) -> None:
    """Sweep once over all vertices; tell how far each column has moved."""
    n, columns = y.shape
    sums = np.empty(columns)
    moved[:] = 0.0
    for j in range(n):
        own = 0.0
        sums[:] = 0.0
        for e in range(starts[j], starts[j + 1]):
            if sources[e] == j:
                own += weights[e]
            else:
                for c in range(columns):
                    sums[c] += weights[e] * passed[sources[e], c]
        scale = 1.0 / (1.0 - alpha * own * free[j])
        for c in range(columns):
            value = (alpha * sums[c] + right[j, c]) * scale
            moved[c] += abs(value - y[j, c])
            y[j, c] = value
            passed[j, c] = value * free[j]
