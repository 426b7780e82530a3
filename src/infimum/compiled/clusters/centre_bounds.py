"""Bounds that prove a row's nearest centre unchanged, without measuring it."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["find_doubtful", "find_doubtful_sparse"]

#: Sums of bounds are rounded; this much (relatively) never matters and always covers.
MARGIN = 1.0 + 2.0**-36


@loop()
def find_doubtful_sparse(
    first: int,
    labels: Indices,
    moves: Matrix,
    upper: Vector,
    lower: Vector,
) -> Indices:
    """Move the bounds of some rows, return those whose centre may have changed.

    `moves` has three rows: how far each centre moved, how far any other one did, and
    half the distance from it to the nearest other one.
    """
    doubtful = np.empty(labels.size, dtype=np.intp)
    count = 0
    for i in range(labels.size):
        own = labels[i]
        upper[i] = (upper[i] + moves[0, own]) * MARGIN
        lower[i] = lower[i] / MARGIN - moves[1, own]
        if upper[i] >= max(lower[i], moves[2, own]):
            doubtful[count] = first + i
            count += 1
    return doubtful[:count]


@inner_loop(fastmath={"reassoc", "contract"})
def _dot(x: Vector, c: Vector) -> float:
    total = np.float32(0.0)
    for t in range(x.size):
        total += x[t] * c[t]
    return np.float64(total)


@loop()
def find_doubtful(
    rows: Matrix,
    squares: Vector,
    doubled: Matrix,
    norms: Vector,
    first: int,
    labels: Indices,
    moves: Matrix,
    upper: Vector,
    lower: Vector,
) -> Indices:
    """Do as `find_doubtful_sparse`, measuring the own centre where that settles it.

    `rows` are float32, `doubled` holds -2 times the centres and `norms` their squared
    lengths.
    """
    asked = find_doubtful_sparse(first, labels, moves, upper, lower)
    largest = 0.0
    for j in range(moves.shape[1]):
        largest = max(largest, np.float64(norms[j]))
    longest, terms, count = np.sqrt(largest), rows.shape[1] + 4, 0
    for i in asked:
        r = i - first
        own, square = labels[r], squares[r]
        length = np.sqrt(square)
        slip = 2.0**-23 * (largest + 2.0 * length * longest) + 2.0**-50 * square
        slip = terms * (slip + 2.0**-120 * (1.0 + length))
        value = _dot(rows[r], doubled[own]) + norms[own] + square + slip
        upper[r] = min(upper[r], np.sqrt(max(0.0, value)))
        if upper[r] >= max(lower[r], moves[2, own]):
            asked[count] = i
            count += 1
    return asked[:count]
