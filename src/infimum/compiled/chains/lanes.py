"""Eight numbers at a time: what the compiler turns into one vector instruction.

All eight are read before any is written, so that it need not ask whether the arrays
overlap.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.typing import Matrix, Vector

__all__ = ["LANES", "add_product", "add_scaled", "filled_up", "mix_lanes", "mix_rows"]

LANES = 8
_FAST = {"contract", "nsz"}


@inner_loop()
def filled_up(table: Matrix) -> Matrix:
    """Return a table with columns of 0 up to the next multiple of eight."""
    blocks = (table.shape[1] + LANES - 1) // LANES
    wide = np.zeros((table.shape[0], blocks * LANES))
    wide[:, : table.shape[1]] = table
    return wide


@inner_loop(fastmath=_FAST)
def mix_rows(source: Matrix, t: int, table: Matrix, target: Vector) -> None:
    """Set `target` to Σᵢ source[t, i]·table[i], eight columns at a time."""
    for at in range(0, target.size, LANES):
        a = b = c = d = e = f = g = h = 0.0
        for i in range(table.shape[0]):
            factor = source[t, i]
            a += table[i, at] * factor
            b += table[i, at + 1] * factor
            c += table[i, at + 2] * factor
            d += table[i, at + 3] * factor
            e += table[i, at + 4] * factor
            f += table[i, at + 5] * factor
            g += table[i, at + 6] * factor
            h += table[i, at + 7] * factor
        target[at], target[at + 1], target[at + 2], target[at + 3] = a, b, c, d
        target[at + 4], target[at + 5], target[at + 6], target[at + 7] = e, f, g, h


@inner_loop(fastmath=_FAST)
def mix_lanes(
    source: Matrix, t: int, factors: Matrix, k: int, target: Matrix, s: int, j: int
) -> None:
    """Set target[s, j, :] to Σᵢ source[t, i, :]·factors[k, i]."""
    a = b = c = d = e = f = g = h = 0.0
    for i in range(factors.shape[1]):
        factor = factors[k, i]
        a += source[t, i, 0] * factor
        b += source[t, i, 1] * factor
        c += source[t, i, 2] * factor
        d += source[t, i, 3] * factor
        e += source[t, i, 4] * factor
        f += source[t, i, 5] * factor
        g += source[t, i, 6] * factor
        h += source[t, i, 7] * factor
    target[s, j, 0], target[s, j, 1], target[s, j, 2], target[s, j, 3] = a, b, c, d
    target[s, j, 4], target[s, j, 5], target[s, j, 6], target[s, j, 7] = e, f, g, h


@inner_loop(fastmath=_FAST)
def add_product(
    left: Vector, right: Matrix, t: int, j: int, target: Matrix, i: int, k: int
) -> None:
    """Add left·right[t, j, :] to target[i, k, :]."""
    a = target[i, k, 0] + left[0] * right[t, j, 0]
    b = target[i, k, 1] + left[1] * right[t, j, 1]
    c = target[i, k, 2] + left[2] * right[t, j, 2]
    d = target[i, k, 3] + left[3] * right[t, j, 3]
    e = target[i, k, 4] + left[4] * right[t, j, 4]
    f = target[i, k, 5] + left[5] * right[t, j, 5]
    g = target[i, k, 6] + left[6] * right[t, j, 6]
    h = target[i, k, 7] + left[7] * right[t, j, 7]
    target[i, k, 0], target[i, k, 1], target[i, k, 2], target[i, k, 3] = a, b, c, d
    target[i, k, 4], target[i, k, 5], target[i, k, 6], target[i, k, 7] = e, f, g, h


@inner_loop(fastmath=_FAST)
def add_scaled(
    source: Vector, start: int, factor: float, target: Vector, at: int, blocks: int
) -> None:
    """Add eight numbers a block of `source`, times a factor, to `target`."""
    for block in range(blocks):
        s, p = start + LANES * block, at + LANES * block
        a = target[p] + source[s] * factor
        b = target[p + 1] + source[s + 1] * factor
        c = target[p + 2] + source[s + 2] * factor
        d = target[p + 3] + source[s + 3] * factor
        e = target[p + 4] + source[s + 4] * factor
        f = target[p + 5] + source[s + 5] * factor
        g = target[p + 6] + source[s + 6] * factor
        h = target[p + 7] + source[s + 7] * factor
        target[p], target[p + 1], target[p + 2], target[p + 3] = a, b, c, d
        target[p + 4], target[p + 5], target[p + 6], target[p + 7] = e, f, g, h
