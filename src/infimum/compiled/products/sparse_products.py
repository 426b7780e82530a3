"""Products of a compressed sparse matrix with a vector, on all cores.

Places are read as unsigned numbers: a signed index might count from the end, and to
ask that of every entry takes as long as the product itself.
"""

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Indices, Vector

__all__ = ["dot_lines", "square_lines", "sum_lines"]

#: Parts of `dot_lines`, whose results do not depend on how many there are.
SOME_PARTS = 8
#: Partial sums of `sum_lines`, which are as long as the result.
FEW_PARTS = 4


def dot_lines(
    starts: Indices,
    places: Indices,
    entries: Vector,
    x: Vector,
    *,
    squared: bool = False,
) -> Vector:
    """Return the product of each compressed line, squared or not, with `x`."""
    out = np.empty(len(starts) - 1, dtype=x.dtype)
    dot = _dot_squared if squared else _dot
    in_parts(
        len(out),
        lambda at: dot(starts, places, entries, x, at.start, out[at]),
        SOME_PARTS,
    )
    return out


def square_lines(starts: Indices, entries: Vector) -> Vector:
    """Return the squared length of each compressed line, in float64."""
    out = np.empty(len(starts) - 1)
    in_parts(
        len(out), lambda at: _square(starts, entries, at.start, out[at]), SOME_PARTS
    )
    return out


def sum_lines(
    starts: Indices,
    places: Indices,
    entries: Vector,
    s: Vector,
    size: int,
    *,
    squared: bool = False,
) -> Vector:
    """Return the sum of the compressed lines, squared or not, each times some `s`."""
    add_up = _sum_squared if squared else _sum
    totals = in_parts(
        len(starts) - 1,
        lambda at: add_up(
            starts, places, entries, s, at.start, at.stop, np.zeros(size)
        ),
        FEW_PARTS,
    )
    return np.asarray(sum(totals))


@loop()
def _dot(
    starts: Indices,
    places: Indices,
    entries: Vector,
    x: Vector,
    first: int,
    out: Vector,
) -> None:
    for line in range(out.size):
        total = 0.0
        begin, end = np.uintp(starts[first + line]), np.uintp(starts[first + line + 1])
        for place in range(begin, end):
            total += entries[place] * x[np.uintp(places[place])]
        out[line] = total


@loop(fastmath={"reassoc", "contract"})
def _square(starts: Indices, entries: Vector, first: int, out: Vector) -> None:
    for line in range(out.size):
        total = 0.0
        begin, end = np.uintp(starts[first + line]), np.uintp(starts[first + line + 1])
        for place in range(begin, end):
            entry = float(entries[place])
            total += entry * entry
        out[line] = total


@loop()
def _dot_squared(
    starts: Indices,
    places: Indices,
    entries: Vector,
    x: Vector,
    first: int,
    out: Vector,
) -> None:
    for line in range(out.size):
        total = 0.0
        begin, end = np.uintp(starts[first + line]), np.uintp(starts[first + line + 1])
        for place in range(begin, end):
            total += float(entries[place]) ** 2 * x[np.uintp(places[place])]
        out[line] = total


@loop()
def _sum(
    starts: Indices,
    places: Indices,
    entries: Vector,
    s: Vector,
    first: int,
    last: int,
    out: Vector,
) -> Vector:
    for line in range(first, last):
        factor = s[line]
        if factor != 0.0:
            for place in range(np.uintp(starts[line]), np.uintp(starts[line + 1])):
                out[np.uintp(places[place])] += factor * entries[place]
    return out


@loop()
def _sum_squared(
    starts: Indices,
    places: Indices,
    entries: Vector,
    s: Vector,
    first: int,
    last: int,
    out: Vector,
) -> Vector:
    for line in range(first, last):
        factor = s[line]
        for place in range(np.uintp(starts[line]), np.uintp(starts[line + 1])):
            out[np.uintp(places[place])] += factor * float(entries[place]) ** 2
    return out
