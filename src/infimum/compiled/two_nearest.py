"""The nearest centre of each row of a tile, with a proof of the choice.

Products in float32 choose, differences in float64 decide where rounding could have
chosen wrongly. What is left are two bounds for each row: it is at most so far from its
own centre, and at least so far from every other one.
"""

import numpy as np
from numba import njit

from infimum.typing import Indices, Matrix, Vector

__all__ = ["round_rows", "settle_nearest"]

#: What float32 loses below its smallest normal number, for each term of a sum.
UNDERFLOW = 2.0**-120


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def round_rows(
    X: Matrix, mean: Vector, factor: float, out: Matrix, squares: Vector
) -> None:
    """Write the rows, centred and scaled, into `out`, and their squared lengths."""
    for i in range(X.shape[0]):
        total = 0.0
        for t in range(X.shape[1]):
            moved = (X[i, t] - mean[t]) * factor
            out[i, t] = moved
            total += moved * moved
        squares[i] = total


@njit(cache=True, nogil=True)
def _join_four(
    four: Matrix, norms: Vector, first: int, best: Vector, second: Vector, who: Indices
) -> None:
    """Take four rows of a tile into the running smallest and second smallest."""
    a, b, c, d = four[0], four[1], four[2], four[3]
    n0, n1, n2, n3 = norms[first], norms[first + 1], norms[first + 2], norms[first + 3]
    j0, j1 = np.int32(first), np.int32(first + 1)
    j2, j3 = np.int32(first + 2), np.int32(first + 3)
    for r in range(best.size):
        v0, v1, v2, v3 = a[r] + n0, b[r] + n1, c[r] + n2, d[r] + n3
        left, right = v1 < v0, v3 < v2
        low0, high0 = v1 if left else v0, v0 if left else v1
        low1, high1 = v3 if right else v2, v2 if right else v3
        who0, who1 = j1 if left else j0, j3 if right else j2
        turn = low1 < low0
        low, middle = low1 if turn else low0, low0 if turn else low1
        high, name = high1 if turn else high0, who1 if turn else who0
        next_low = middle if middle < high else high
        known, runner, old = best[r], second[r], who[r]
        closer = low < known
        best[r] = low if closer else known
        who[r] = name if closer else old
        beaten, other = known if closer else low, next_low if closer else runner
        second[r] = beaten if beaten < other else other


@njit(cache=True, nogil=True)
def _decide(
    x: Vector, centres: Matrix, values: Vector, norms: Vector, bar: float, unit: float
) -> tuple[int, float, float, float, int]:
    """Measure the centres whose rounded value is up to `bar`, by differences.

    Return the nearest, its squared distance, the second one's, the least value above
    the bar, and how many were measured.
    """
    who, nearest, second, rest, measured = -1, np.inf, np.inf, np.inf, 0
    for j in range(centres.shape[0]):
        value = values[j] + norms[j]
        if value > bar:
            rest = min(rest, value)
            continue
        measured += 1
        total = 0.0
        for t in range(x.size):
            apart = (x[t] - centres[j, t]) / unit
            total += apart * apart
        if total < nearest:
            who, nearest, second = j, total, nearest
        else:
            second = min(second, total)
    return who, nearest, second, rest, measured


@njit(cache=True, nogil=True)
def settle_nearest(
    tile: Matrix,
    norms: Vector,
    X: Matrix,
    rows: Indices,
    squares: Vector,
    centres: Matrix,
    unit: float,
    eps: float,
    labels: Indices,
    upper: Vector,
    lower: Vector,
) -> int:
    """Give the rows of X their nearest centre and two bounds; count what was measured.

    ``tile[j, r] + norms[j]`` is ‖c‖² - 2⟨x, c⟩ in units of `unit`, rounded to a
    precision of `eps`; `norms` is padded with infinity to a multiple of four.
    """
    size, k, measured = rows.size, centres.shape[0], 0
    best = np.full(size, np.inf, dtype=tile.dtype)
    second = np.full(size, np.inf, dtype=tile.dtype)
    who = np.zeros(size, dtype=np.int32)
    for j in range(0, tile.shape[0], 4):
        _join_four(tile[j : j + 4], norms, j, best, second, who)
    largest = 0.0
    for j in range(k):
        largest = max(largest, np.float64(norms[j]))
    longest, terms = np.sqrt(largest), X.shape[1] + 4
    for r in range(size):
        i = rows[r]
        square = squares[i]
        length = np.sqrt(square)
        slip = eps * (largest + 2.0 * length * longest) + 2.0**-50 * square
        slip = terms * (slip + UNDERFLOW * (1.0 + length))
        low, high = best[r] + square, second[r] + square
        if second[r] - best[r] > 2.0 * slip:
            labels[i] = who[r]
            upper[i] = np.sqrt(max(0.0, low + slip))
            lower[i] = np.sqrt(max(0.0, high - slip))
            continue
        bar = best[r] + 2.0 * slip
        name, near, next_near, rest, count = _decide(
            X[i], centres, tile[:k, r], norms, bar, unit
        )
        measured += count
        labels[i] = name
        upper[i] = np.sqrt(near) * (1.0 + 2.0**-40)
        lower[i] = min(
            np.sqrt(next_near) * (1.0 - 2.0**-40),
            np.sqrt(max(0.0, rest + square - slip)),
        )
    return measured
