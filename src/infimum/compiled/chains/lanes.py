"""Eight numbers at a time: what the compiler turns into one vector instruction.

All eight are read before any is written, so that it need not ask whether the arrays
overlap.
"""

from infimum.compiled.inner_loop import inner_loop
from infimum.typing import Matrix, Vector

__all__ = ["LANES", "add_product", "add_scaled", "mix_lanes"]

LANES = 8
_FAST = {"contract", "nsz"}


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
