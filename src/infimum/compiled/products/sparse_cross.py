"""Products of the columns of one compressed matrix with those of another."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["cross_columns"]


@loop()
def cross_columns(
    starts: Indices,
    places: Indices,
    entries: Vector,
    other_starts: Indices,
    other_places: Indices,
    other_entries: Vector,
    s: Vector,
    out: Matrix,
) -> None:
    """Write ``Xᵀ diag(s) Z`` into `out`, one column of Z spread out at a time.

    For few columns of Z: each of them costs a reading of X, but no set-up.
    """
    spread = np.zeros(s.size)
    for column in range(out.shape[1]):
        begin = np.uintp(other_starts[column])
        end = np.uintp(other_starts[column + 1])
        for place in range(begin, end):
            row = np.uintp(other_places[place])
            spread[row] += s[row] * float(other_entries[place])
        for line in range(out.shape[0]):
            total = 0.0
            for place in range(np.uintp(starts[line]), np.uintp(starts[line + 1])):
                total += entries[place] * spread[np.uintp(places[place])]
            out[line, column] = total
        for place in range(begin, end):
            spread[np.uintp(other_places[place])] = 0.0
