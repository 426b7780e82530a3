"""Gauss–Seidel sweeps for eight ranks: each vertex gets what arrives, at once."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["WIDTH", "step_away", "sweep_ranks"]

#: Sweeps after which totals are no longer corrected, so that plain sweeps converge.
CORRECTED = 100
#: Columns that are swept together.
WIDTH = 8


@loop(superwords=True)
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
        _sweep_eight(starts, sources, weights, free, alpha, right, y, passed, moved)
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


@inner_loop(fastmath={"contract"})
def _sweep_eight(
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
    """Sweep once over all vertices; tell how far each of eight columns has moved."""
    flat, sums = passed.reshape(-1), np.empty(WIDTH)
    moved[:] = 0.0
    for j in range(len(y)):
        own = _arrive(starts, sources, weights, flat, j, sums)
        scale = 1.0 / (1.0 - alpha * own * free[j])
        for t in range(WIDTH):
            value = (alpha * (sums[t] - own * passed[j, t]) + right[j, t]) * scale
            moved[t] += abs(value - y[j, t])
            y[j, t] = value
            passed[j, t] = value * free[j]


@inner_loop(fastmath={"contract"}, forceinline=True)
def _arrive(
    starts: Indices,
    sources: Indices,
    weights: Vector,
    flat: Vector,
    j: int,
    sums: Vector,
) -> float:
    """Write what arrives at a vertex in eight columns; return its weight to itself.

    Eight sums in registers take a line of memory at a time.
    """
    own = 0.0
    a = b = c = d = e = f = g = h = 0.0
    for k in range(starts[j], starts[j + 1]):
        weight = weights[k]
        if sources[k] == j:
            own += weight
        at = np.uintp(sources[k]) * np.uintp(WIDTH)
        a += weight * flat[at]
        b += weight * flat[at + np.uintp(1)]
        c += weight * flat[at + np.uintp(2)]
        d += weight * flat[at + np.uintp(3)]
        e += weight * flat[at + np.uintp(4)]
        f += weight * flat[at + np.uintp(5)]
        g += weight * flat[at + np.uintp(6)]
        h += weight * flat[at + np.uintp(7)]
    sums[0], sums[1], sums[2], sums[3] = a, b, c, d
    sums[4], sums[5], sums[6], sums[7] = e, f, g, h
    return own


@loop(superwords=True)
def step_away(
    starts: Indices,
    sources: Indices,
    weights: Vector,
    free: Vector,
    alpha: float,
    right: Matrix,
    y: Matrix,
) -> Vector:
    """Scale eight columns to the sum 1; return how far a step of the surfer moves them.

    Who is stuck jumps like anybody else.
    """
    n = len(y)
    totals, lost, sums = np.zeros(WIDTH), np.zeros(WIDTH), np.empty(WIDTH)
    for j in range(n):
        for t in range(WIDTH):
            totals[t] += y[j, t]
    for t in range(WIDTH):
        totals[t] = 1.0 / totals[t] if totals[t] > 0.0 else 0.0
    passed = np.empty_like(y)
    for j in range(n):
        for t in range(WIDTH):
            y[j, t] *= totals[t]
            passed[j, t] = y[j, t] * free[j]
            lost[t] += y[j, t] if free[j] == 0.0 else 0.0
    flat, away = passed.reshape(-1), np.zeros(WIDTH)
    for j in range(n):
        _arrive(starts, sources, weights, flat, j, sums)
        for t in range(WIDTH):
            jumped = right[j, t] * (1.0 + alpha * lost[t] / (1.0 - alpha))
            away[t] += abs(y[j, t] - alpha * sums[t] - jumped)
    return away
