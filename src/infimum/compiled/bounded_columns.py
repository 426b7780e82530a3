"""Products with the few columns of a compressed matrix that still matter.

Columns are named by `chosen`, so that none of them is ever copied; places are read as
unsigned numbers, as in `sparse_products`.
"""

import numpy as np
from numba import njit

from infimum.compiled.prefetch import fetch_entry
from infimum.typing import Indices, Matrix, Vector

__all__ = ["correlate_columns", "find_beyond", "join_columns", "subtract_columns"]

#: Columns between the one that is read and the one that is sent for.
AHEAD = 8


@njit(cache=True, nogil=True)
def find_beyond(
    known: Vector, norms: Vector, travelled: float, limit: float, out: Indices
) -> int:
    """Write the columns whose correlation may have grown beyond `limit`; count them.

    A correlation was at most ``known[j] + norms[j]·t`` after a journey of length t.
    """
    count = 0
    for j in range(known.size):
        out[count] = j
        count += int(known[j] + norms[j] * travelled > limit)
    return count


@njit(cache=True, nogil=True)
def correlate_columns(
    starts: Indices,
    places: Indices,
    entries: Vector,
    chosen: Indices,
    x: Vector,
    out: Vector,
) -> None:
    """Write the product of each chosen column with `x`.

    Columns lie anywhere; those whose turn comes soon are sent for ahead.
    """
    for k in range(chosen.size):
        if k + AHEAD < chosen.size:
            soon = np.uintp(starts[np.uintp(chosen[k + AHEAD])])
            fetch_entry(entries, soon)
            fetch_entry(places, soon)
        total, j = 0.0, np.uintp(chosen[k])
        for place in range(np.uintp(starts[j]), np.uintp(starts[j + np.uintp(1)])):
            total += entries[place] * x[np.uintp(places[place])]
        out[k] = total


@njit(cache=True, nogil=True)
def subtract_columns(
    starts: Indices,
    places: Indices,
    entries: Vector,
    chosen: Indices,
    changes: Vector,
    x: Vector,
) -> None:
    """Subtract the chosen columns from `x`, each times its change."""
    for k in range(chosen.size):
        change, j = changes[k], np.uintp(chosen[k])
        if change != 0.0:
            for place in range(np.uintp(starts[j]), np.uintp(starts[j + np.uintp(1)])):
                x[np.uintp(places[place])] -= change * entries[place]


@njit(cache=True, nogil=True)
def join_columns(
    starts: Indices,
    places: Indices,
    entries: Vector,
    chosen: Indices,
    size: int,
    shares: Vector,
    gram: Matrix,
) -> None:
    """Fill a Gram matrix that is right for the first `size` of the chosen columns."""
    spread = np.zeros(shares.size)
    for k in range(size, chosen.size):
        j = np.uintp(chosen[k])
        begin, end = np.uintp(starts[j]), np.uintp(starts[j + np.uintp(1)])
        for place in range(begin, end):
            row = np.uintp(places[place])
            spread[row] += shares[row] * entries[place]
        for other in range(k + 1):
            i, total = np.uintp(chosen[other]), 0.0
            for place in range(np.uintp(starts[i]), np.uintp(starts[i + np.uintp(1)])):
                total += entries[place] * spread[np.uintp(places[place])]
            gram[other, k] = gram[k, other] = total
        for place in range(begin, end):
            spread[np.uintp(places[place])] = 0.0
