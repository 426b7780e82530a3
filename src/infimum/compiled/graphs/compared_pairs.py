"""Sums over compared pairs: the Laplacian of a league, its systems, who beats whom."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Vector

__all__ = ["add_pairs", "all_reached", "pull_pairs", "solve_pairs", "spread_pairs"]

#: Steps without a smaller residual after which rounding has the last word.
PATIENCE = 30


@loop()
def spread_pairs(left: Indices, right: Indices, u: Vector, out: Vector) -> None:
    """Write the difference of the two items' numbers for each pair."""
    for k in range(left.size):
        out[k] = u[left[k]] - u[right[k]]


@loop()
def pull_pairs(left: Indices, right: Indices, s: Vector, out: Vector) -> None:
    """Add each pair's number to its left item, and take it from its right one."""
    _add(left, right, s, -1.0, out)


@loop()
def add_pairs(left: Indices, right: Indices, s: Vector, out: Vector) -> None:
    """Add each pair's number to both of its items."""
    _add(left, right, s, 1.0, out)


@inner_loop()
def _add(left: Indices, right: Indices, s: Vector, sign: float, out: Vector) -> None:
    # Pairs of one left item stand together: their sum needs no memory.
    k, m = 0, left.size
    while k < m:
        i, own = left[k], 0.0
        while k < m and left[k] == i:
            own += s[k]
            out[right[k]] += sign * s[k]
            k += 1
        out[i] += own


@inner_loop(fastmath={"contract"})
def _product(
    left: Indices, right: Indices, bend: Vector, ridge: Vector, z: Vector, out: Vector
) -> None:
    for i in range(z.size):
        out[i] = ridge[i] * z[i]
    k, m = 0, left.size
    while k < m:
        i, own = left[k], 0.0
        here = z[i]
        while k < m and left[k] == i:
            j = right[k]
            flow = bend[k] * (here - z[j])
            own += flow
            out[j] -= flow
            k += 1
        out[i] += own


@loop(fastmath={"reassoc", "contract"})
def solve_pairs(
    left: Indices,
    right: Indices,
    bend: Vector,
    ridge: Vector,
    goal: Vector,
    tolerance: float,
    most: int,
    x: Vector,
) -> int:
    """Solve (Laplacian of the pairs + diagonal) x = goal by conjugate gradients.

    Without a diagonal the goal must sum to 0, and so does x. Stops at the residual
    `tolerance`, or where it no longer falls; returns the steps taken.
    """
    n = goal.size
    free = ridge.max() == 0.0
    scale = _scale(left, right, bend, ridge)
    residual, image = goal.copy(), np.empty(n)
    x[:] = 0.0
    best, since, step = np.inf, 0, 0
    direction, along = np.zeros(n), 0.0
    for step in range(most + 1):
        if free:
            residual -= residual.mean()
        size = np.sqrt((residual * residual).sum())
        since = 0 if size < best else since + 1
        best = min(best, size)
        if size <= tolerance or since > PATIENCE or step == most:
            break
        ahead = (residual * residual * scale).sum()
        share = ahead / along if along > 0.0 else 0.0
        along = ahead
        for i in range(n):
            direction[i] = residual[i] * scale[i] + share * direction[i]
        _product(left, right, bend, ridge, direction, image)
        length = ahead / (direction * image).sum()
        for i in range(n):
            x[i] += length * direction[i]
            residual[i] -= length * image[i]
    if free:
        x -= x.mean()
    return step


@inner_loop()
def _scale(left: Indices, right: Indices, bend: Vector, ridge: Vector) -> Vector:
    """Return 1 over the diagonal, which is kept from 0."""
    diagonal = ridge.copy()
    _add(left, right, bend, 1.0, diagonal)
    floor = 1e-12 * diagonal.max()
    for i in range(diagonal.size):
        diagonal[i] = 1.0 / max(diagonal[i], floor)
    return diagonal


@loop()
def all_reached(
    left: Indices, right: Indices, wins: Vector, losses: Vector, n: int, sweeps: int
) -> bool:
    """Tell whether item 0 beats and is beaten by all others, over chains of wins.

    A False after the last sweep may be wrong, a True is not.
    """
    beats, beaten = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    beats[0] = beaten[0] = True
    lacking = 2 * n - 2
    for _ in range(sweeps):
        before = lacking
        for k in range(left.size):
            i, j = left[k], right[k]
            if wins[k] > 0.0:
                lacking -= _learn(beats, i, j) + _learn(beaten, j, i)
            if losses[k] > 0.0:
                lacking -= _learn(beats, j, i) + _learn(beaten, i, j)
            if lacking == 0:
                return True
        if lacking == before:
            break
    return False


@inner_loop()
def _learn(known: Mask, i: int, j: int) -> int:
    """Mark j if i is marked; return how many marks that added."""
    if known[i] and not known[j]:
        known[j] = True
        return 1
    return 0
