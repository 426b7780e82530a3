"""Products with the few columns of a compressed matrix that still matter.

Columns are named by `chosen`, so that none of them is ever copied; places are read as
unsigned numbers, as in `sparse_products`.
"""

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.prefetch import fetch_entry
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "correlate_columns",
    "find_beyond",
    "join_columns",
    "move_lists",
    "subtract_columns",
]

#: Columns between the one that is read and the one that is sent for.
AHEAD = 8
#: Columns that are looked at together.
BLOCK = 16


@loop()
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


@loop()
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


@loop()
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


@loop()
def move_lists(
    rows: Indices,
    starts: Indices,
    aims: Indices,
    lengths: Indices,
    owners: Indices,
    values: Vector,
) -> None:
    """Move the lists of some rows to where there is more room for them."""
    for k in range(rows.size):
        row, aim = rows[k], aims[k]
        start = starts[row]
        for t in range(lengths[row]):
            owners[aim + t], values[aim + t] = owners[start + t], values[start + t]
        starts[row] = aim


@loop()
def join_columns(
    columns: tuple[Indices, Indices, Vector],
    chosen: Indices,
    size: int,
    shares: Vector,
    lists: tuple[Indices, Indices, Indices, Vector],
    gram: Matrix,
) -> None:
    """Fill a Gram matrix that is right for the first `size` of the chosen columns.

    The entries of joined columns form a list for each row: `lists` are where they
    begin, their lengths, and the owners and values that they hold. There must be room
    for the entries of the new ones. So a new column meets only the entries that it
    shares a row with.
    """
    (starts, places, entries), (begins, lengths, owners, values) = columns, lists
    for k in range(size, chosen.size):
        j, line = np.uintp(chosen[k]), gram[k]
        line[: k + 1] = 0.0
        for place in range(np.uintp(starts[j]), np.uintp(starts[j + np.uintp(1)])):
            row, entry = np.uintp(places[place]), entries[place]
            weighted, begin = shares[row] * entry, begins[row]
            end = begin + lengths[row]
            for t in range(np.uintp(begin), np.uintp(end)):
                # An entry written down in parts meets its own parts from both sides.
                twice = 2.0 if owners[t] == k else 1.0
                line[np.uintp(owners[t])] += twice * weighted * values[t]
            line[k] += weighted * entry
            owners[end], values[end] = k, entry
            lengths[row] += 1
        for other in range(k):
            gram[other, k] = line[other]
