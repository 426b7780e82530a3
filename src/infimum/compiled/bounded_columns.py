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
#: Columns that are looked at together.
BLOCK = 16


@njit(cache=True, nogil=True)
def find_beyond(
    known: Vector, reach: Vector, travelled: float, limit: float, out: Indices
) -> int:
    """Write the columns whose correlation may have grown beyond `limit`; count them.

    A correlation was at most ``known[j] + reach[j]·t`` after a journey of length t.
    Most blocks have none of them, which vector registers find out fast.
    """
    count, blocks = 0, known.size // BLOCK
    for block in range(blocks):
        start, found = block * BLOCK, 0
        for j in range(start, start + BLOCK):
            found += int(known[j] + reach[j] * travelled > limit)
        if found > 0:
            for j in range(start, start + BLOCK):
                out[count] = j
                count += int(known[j] + reach[j] * travelled > limit)
    for j in range(blocks * BLOCK, known.size):
        out[count] = j
        count += int(known[j] + reach[j] * travelled > limit)
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
    heads: Indices,
    links: Indices,
    owners: Indices,
    values: Vector,
    filled: int,
    gram: Matrix,
) -> int:
    """Fill a Gram matrix that is right for the first `size` of the chosen columns.

    The entries of joined columns form a chain in each row: `heads` tells its last one
    (-1 for none), `links` the one before, `owners` and `values` what it is. So a new
    column meets only the entries that it shares a row with. Returns the new number of
    entries in chains.
    """
    for k in range(size, chosen.size):
        j, line = np.uintp(chosen[k]), gram[k]
        line[: k + 1] = 0.0
        for place in range(np.uintp(starts[j]), np.uintp(starts[j + np.uintp(1)])):
            row, entry = np.uintp(places[place]), entries[place]
            weighted, at = shares[row] * entry, heads[row]
            while at >= 0:
                # An entry written down in parts meets its own parts from both sides.
                twice = 2.0 if owners[at] == k else 1.0
                line[owners[at]] += twice * weighted * values[at]
                at = links[at]
            line[k] += weighted * entry
            links[filled], owners[filled], values[filled] = heads[row], k, entry
            heads[row] = filled
            filled += 1
        for other in range(k):
            gram[other, k] = line[other]
    return filled
