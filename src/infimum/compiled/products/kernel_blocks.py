"""Moving kernel rows about: out of a cache into a square, and into a gradient."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["add_bounded_rows", "add_kept_rows", "gather_square"]


@loop()
def gather_square(
    kept: Matrix, slots: Indices, columns: Indices, out: Matrix, first: int, last: int
) -> None:
    """Write entries `columns` of the kept rows `slots` into rows first..last."""
    width = columns.size
    for i in range(first, last):
        row, into = kept[slots[i]], out[i]
        for j in range(width):
            into[j] = row[columns[j]]


@loop(fastmath={"reassoc", "contract"})
def add_kept_rows(
    kept: Matrix, slots: Indices, factors: Vector, total: Vector, first: int, last: int
) -> None:
    """Add the kept rows, each times its factor, to columns first..last of `total`."""
    part = np.zeros(last - first, dtype=kept.dtype)
    for k in range(slots.size):
        row, factor = kept[slots[k], first:last], kept.dtype.type(factors[k])
        for t in range(part.size):
            part[t] += factor * row[t]
    into = total[first:last]
    for t in range(part.size):
        into[t] += part[t]


@loop(fastmath={"reassoc", "contract"})
def add_bounded_rows(
    kept: Matrix, slots: Indices, factors: Vector, total: Matrix, first: int
) -> None:
    """Add the kept rows from column `first` on, times factors and times their sizes.

    In double precision, so that nothing is lost but what the rows have lost already.
    """
    sums, sizes = total[0], total[1]
    for k in range(slots.size):
        factor, size = factors[k], abs(factors[k])
        row = kept[slots[k], first : first + sums.size]
        for t in range(sums.size):
            value = float(row[t])
            sums[t] += factor * value
            sizes[t] += size * value
