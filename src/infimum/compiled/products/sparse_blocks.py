"""A compressed sparse matrix times several vectors at once, on all cores."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Indices, Matrix, Vector

__all__ = ["multiply_lines"]

#: Parts of the rows; results do not depend on how many there are.
SOME_PARTS = 8


def multiply_lines(
    starts: Indices, places: Indices, entries: Vector, V: Matrix
) -> Matrix:
    """Return the product of a CSR matrix, given by its three arrays, with V."""
    V = np.ascontiguousarray(V)
    out = np.empty((len(starts) - 1, V.shape[1]), dtype=V.dtype)
    in_parts(
        len(out),
        lambda at: _multiply(starts, places, entries, V, at.start, out[at]),
        SOME_PARTS,
    )
    return out


@loop()
def _multiply(
    starts: Indices,
    places: Indices,
    entries: Vector,
    V: Matrix,
    first: int,
    out: Matrix,
) -> None:
    for line in range(out.shape[0]):
        row = out[line]
        row[:] = 0.0
        begin, end = np.uintp(starts[first + line]), np.uintp(starts[first + line + 1])
        for place in range(begin, end):
            entry, other = entries[place], V[np.uintp(places[place])]
            for t in range(row.size):
                row[t] += entry * other[t]
