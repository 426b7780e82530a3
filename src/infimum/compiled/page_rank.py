"""Gauss–Seidel sweeps for ranks: each vertex gets what arrives, at once."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["sweep_ranks"]


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
    the weight that leaves one, and 0 where nothing does. Returns the sweeps used.
    """
    passed = np.empty_like(y)
    for j in range(len(y)):
        passed[j] = y[j] * free[j]
    for count in range(most):
        moved = _sweep(starts, sources, weights, free, alpha, right, y, passed)
        if moved <= settled:
            return count + 1
    return most


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
) -> float:
    """Sweep once over all vertices; return the most that a column has moved."""
    n, columns = y.shape
    sums, moved = np.empty(columns), np.zeros(columns)
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
    return float(moved.max())
