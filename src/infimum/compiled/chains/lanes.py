"""Eight numbers at a time: what the compiler turns into one vector instruction.

All eight are read before any is written, so that it need not ask whether the arrays
overlap.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.typing import Matrix, Vector

__all__ = [
    "FEW",
    "LANES",
    "UNSIGNED",
    "add_outer",
    "add_pairs",
    "add_scaled",
    "filled_up",
    "mix_lanes",
    "mix_rows",
    "scale_row",
]

LANES = 8
#: Numbers that rows of labels are filled up to a multiple of.
FEW = 4
#: What an index keeps of its bits: then the compiler sees that it does not count from
#: the end, and that those after it are its neighbours.
UNSIGNED = (1 << 61) - 1
_FAST = {"contract", "nsz"}


@inner_loop()
def filled_up(table: Matrix) -> Matrix:
    """Return a table with columns of 0 up to the next multiple of eight."""
    blocks = (table.shape[1] + LANES - 1) // LANES
    wide = np.zeros((table.shape[0], blocks * LANES))
    wide[:, : table.shape[1]] = table
    return wide


@inner_loop(fastmath=_FAST, forceinline=True)
def mix_rows(source: Matrix, t: int, table: Matrix, target: Vector) -> None:
    """Set `target` to Σᵢ source[t, i]·table[i], eight columns and two rows at a time.

    Sums of even and of odd rows do not wait for each other.
    """
    size = table.shape[0]
    for column in range(0, target.size, LANES):
        at = column & UNSIGNED
        a = b = c = d = e = f = g = h = 0.0
        p = q = r = s = u = v = w = x = 0.0
        for i in range(0, size - 1, 2):
            factor, other = source[t, i], source[t, i + 1]
            a += table[i, at] * factor
            b += table[i, at + 1] * factor
            c += table[i, at + 2] * factor
            d += table[i, at + 3] * factor
            e += table[i, at + 4] * factor
            f += table[i, at + 5] * factor
            g += table[i, at + 6] * factor
            h += table[i, at + 7] * factor
            p += table[i + 1, at] * other
            q += table[i + 1, at + 1] * other
            r += table[i + 1, at + 2] * other
            s += table[i + 1, at + 3] * other
            u += table[i + 1, at + 4] * other
            v += table[i + 1, at + 5] * other
            w += table[i + 1, at + 6] * other
            x += table[i + 1, at + 7] * other
        if size % 2 == 1:
            i, factor = size - 1, source[t, size - 1]
            a += table[i, at] * factor
            b += table[i, at + 1] * factor
            c += table[i, at + 2] * factor
            d += table[i, at + 3] * factor
            e += table[i, at + 4] * factor
            f += table[i, at + 5] * factor
            g += table[i, at + 6] * factor
            h += table[i, at + 7] * factor
        target[at], target[at + 1] = a + p, b + q
        target[at + 2], target[at + 3] = c + r, d + s
        target[at + 4], target[at + 5] = e + u, f + v
        target[at + 6], target[at + 7] = g + w, h + x


@inner_loop(fastmath=_FAST, forceinline=True)
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


@inner_loop(fastmath=_FAST, forceinline=True)
def add_pairs(
    low: int, high: int, left: Matrix, i: int, right: Matrix, j: int, sums: Matrix
) -> None:
    """Add Σₜ left[t, i, :]·right[t + 1, j, :] to sums[i, j, :], and the same of j + 1.

    Beyond the last label it is taken again.
    """
    k = min(j + 1, left.shape[1] - 1)
    a = b = c = d = e = f = g = h = 0.0
    p = q = r = s = u = v = w = x = 0.0
    for t in range(low, high):
        a += left[t, i, 0] * right[t + 1, j, 0]
        b += left[t, i, 1] * right[t + 1, j, 1]
        c += left[t, i, 2] * right[t + 1, j, 2]
        d += left[t, i, 3] * right[t + 1, j, 3]
        e += left[t, i, 4] * right[t + 1, j, 4]
        f += left[t, i, 5] * right[t + 1, j, 5]
        g += left[t, i, 6] * right[t + 1, j, 6]
        h += left[t, i, 7] * right[t + 1, j, 7]
        p += left[t, i, 0] * right[t + 1, k, 0]
        q += left[t, i, 1] * right[t + 1, k, 1]
        r += left[t, i, 2] * right[t + 1, k, 2]
        s += left[t, i, 3] * right[t + 1, k, 3]
        u += left[t, i, 4] * right[t + 1, k, 4]
        v += left[t, i, 5] * right[t + 1, k, 5]
        w += left[t, i, 6] * right[t + 1, k, 6]
        x += left[t, i, 7] * right[t + 1, k, 7]
    sums[i, j, 0] += a
    sums[i, j, 1] += b
    sums[i, j, 2] += c
    sums[i, j, 3] += d
    sums[i, j, 4] += e
    sums[i, j, 5] += f
    sums[i, j, 6] += g
    sums[i, j, 7] += h
    sums[i, j + 1, 0] += p
    sums[i, j + 1, 1] += q
    sums[i, j + 1, 2] += r
    sums[i, j + 1, 3] += s
    sums[i, j + 1, 4] += u
    sums[i, j + 1, 5] += v
    sums[i, j + 1, 6] += w
    sums[i, j + 1, 7] += x


@inner_loop(fastmath=_FAST, forceinline=True)
def add_scaled(
    source: Vector, start: int, factor: float, target: Vector, at: int, size: int
) -> None:
    """Add `size` numbers of `source`, times a factor, to `target`: four at a time."""
    for k in range(0, size, FEW):
        s, p = (start + k) & UNSIGNED, (at + k) & UNSIGNED
        a = target[p] + source[s] * factor
        b = target[p + 1] + source[s + 1] * factor
        c = target[p + 2] + source[s + 2] * factor
        d = target[p + 3] + source[s + 3] * factor
        target[p], target[p + 1], target[p + 2], target[p + 3] = a, b, c, d


@inner_loop(fastmath=_FAST, forceinline=True)
def scale_row(source: Matrix, t: int, factor: float, target: Matrix, s: int) -> None:
    """Set row s of `target` to row t of `source`, times a factor."""
    size = source.shape[1]
    whole = size - size % LANES
    for column in range(0, whole, LANES):
        at = column & UNSIGNED
        a, b = source[t, at] * factor, source[t, at + 1] * factor
        c, d = source[t, at + 2] * factor, source[t, at + 3] * factor
        e, f = source[t, at + 4] * factor, source[t, at + 5] * factor
        g, h = source[t, at + 6] * factor, source[t, at + 7] * factor
        target[s, at], target[s, at + 1] = a, b
        target[s, at + 2], target[s, at + 3] = c, d
        target[s, at + 4], target[s, at + 5] = e, f
        target[s, at + 6], target[s, at + 7] = g, h
    for j in range(whole, size):
        target[s, j] = source[t, j] * factor


@inner_loop(fastmath=_FAST, forceinline=True)
def add_outer(
    left: Matrix, i: int, right: Matrix, j: int, size: int, sums: Matrix
) -> None:
    """Add Σₜ left[t, i]·right[t, j:j + 8] to sums[i, j:j + 8], and the same of i + 1.

    Sums over t that the compiler may not reorder: else it would join steps, not lanes.
    """
    at = j & UNSIGNED
    a = b = c = d = e = f = g = h = 0.0
    p = q = r = s = u = v = w = x = 0.0
    for t in range(size):
        factor, other = left[t, i], left[t, i + 1]
        a += right[t, at] * factor
        b += right[t, at + 1] * factor
        c += right[t, at + 2] * factor
        d += right[t, at + 3] * factor
        e += right[t, at + 4] * factor
        f += right[t, at + 5] * factor
        g += right[t, at + 6] * factor
        h += right[t, at + 7] * factor
        p += right[t, at] * other
        q += right[t, at + 1] * other
        r += right[t, at + 2] * other
        s += right[t, at + 3] * other
        u += right[t, at + 4] * other
        v += right[t, at + 5] * other
        w += right[t, at + 6] * other
        x += right[t, at + 7] * other
    for k, each in enumerate((a, b, c, d, e, f, g, h)):
        sums[i, at + k] += each
    for k, each in enumerate((p, q, r, s, u, v, w, x)):
        sums[i + 1, at + k] += each
