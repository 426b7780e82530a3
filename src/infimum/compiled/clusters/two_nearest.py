"""The nearest centre of each row, with a proof of the choice.

Products in the type of the tiles choose, differences in float64 decide where rounding
could have chosen wrongly. What is left are two bounds for each row: it is at most so
far from its own centre, and at least so far from every other one.
"""

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.clusters.centre_registers import TILE_BYTES, join_six
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Centres", "Found", "ScaledRows", "round_rows", "settle_nearest"]

#: What float32 loses below its smallest normal number, for each term of a sum.
UNDERFLOW = 2.0**-120
#: Tiles that six centres meet before the next six are fetched.
TILES = 4


class ScaledRows(NamedTuple):
    """Rows that are ``(source - shift) * factor``."""

    source: Any
    shift: Any
    factor: float


class Centres(NamedTuple):
    """Centres times -2, by sixes and not; squared lengths; the centres themselves.

    `packed` holds `doubled` by sixes, coordinate by coordinate; `norms` are padded with
    infinity.
    """

    packed: Any
    doubled: Any
    norms: Any
    exact: Any


class Found(NamedTuple):
    """The nearest centre of each row, and bounds on its distance and all others'."""

    labels: Any
    upper: Any
    lower: Any


@loop(fastmath={"reassoc", "contract"})
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


@inner_loop()
def _pack(
    source: Matrix, shift: Vector, factor: float, rows: Indices, tiles: Matrix
) -> None:
    """Write some rows, shifted and scaled, into tiles, coordinate by coordinate."""
    lanes = tiles.shape[2]
    for r in range(rows.size):
        i, place, lane = rows[r], r // lanes, r % lanes
        for t in range(source.shape[1]):
            tiles[place, t, lane] = (source[i, t] - shift[t]) * factor


@inner_loop(fastmath={"reassoc", "contract"})
def _dot(x: Vector, shift: Vector, factor: float, c: Vector) -> float:
    total = c.dtype.type(0.0)
    for t in range(x.size):
        total += (x[t] - shift[t]) * factor * c[t]
    return np.float64(total)


@inner_loop()
def _square(x: Vector, c: Vector, unit: float) -> float:
    total = 0.0
    for t in range(x.size):
        apart = (x[t] - c[t]) / unit
        total += apart * apart
    return float(total)


@inner_loop()
def _slip(square: float, largest: float, eps: float, d: int) -> float:
    """Return how far rounding may have moved a sum of products."""
    length = np.sqrt(square)
    slip = eps * (largest + 2.0 * length * np.sqrt(largest)) + 2.0**-50 * square
    return float((d + 4) * (slip + UNDERFLOW * (1.0 + length)))


@inner_loop()
def _decide(
    values: Vector, bar: float, x: Vector, centres: Matrix, unit: float
) -> tuple[int, float, float, float, int]:
    """Measure the centres whose rounded value is up to `bar`, by differences.

    Return the nearest, its squared distance, the second one's, the least value above
    the bar, and how many were measured.
    """
    who, nearest, second, rest, measured = 0, np.inf, np.inf, np.inf, 0
    for j in range(centres.shape[0]):
        if values[j] > bar:
            rest = min(rest, values[j])
            continue
        measured += 1
        total = _square(x, centres[j], unit)
        if total < nearest:
            who, nearest, second = j, total, nearest
        else:
            second = min(second, total)
    return who, nearest, second, rest, measured


@inner_loop()
def _meet(
    tiles: Matrix,
    packed: Matrix,
    norms: Vector,
    best: Vector,
    second: Vector,
    who: Indices,
    count: int,
) -> None:
    """Find the two smallest sums of each row of the first tiles."""
    best[:] = np.inf
    second[:] = np.inf
    who[:] = 0
    for group in range(packed.shape[0]):
        for place in range(count):
            join_six(tiles, packed, norms, best, second, who, place, group)


@loop()
def settle_nearest(
    rows: ScaledRows,
    X: Matrix,
    unit: float,
    squares: Vector,
    asked: Indices,
    centres: Centres,
    eps: float,
    found: Found,
) -> tuple[int, Indices, Indices]:
    """Give the rows asked their nearest centre and two bounds.

    Rows and centres are in units of `unit`, with a precision of `eps`; X and the exact
    centres are those of the table. Return how many distances were measured, the rows
    whose label changed, and what it was.
    """
    (source, shift, factor), (labels, upper, lower) = rows, found
    packed, doubled, norms, exact = centres
    k, d = exact.shape
    lanes, measured, count = TILE_BYTES // packed.itemsize, 0, 0
    tiles = np.zeros((TILES, d, lanes), dtype=packed.dtype)
    best = np.empty(TILES * lanes, dtype=packed.dtype)
    second, values = np.empty_like(best), np.empty(k)
    who = np.empty(TILES * lanes, dtype=np.int32)
    moved, before = np.empty(asked.size, np.intp), np.empty(asked.size, np.int32)
    largest = np.float64(np.max(norms[:k]))
    for start in range(0, asked.size, TILES * lanes):
        some = asked[start : start + TILES * lanes]
        _pack(source, shift, factor, some, tiles)
        _meet(tiles, packed, norms, best, second, who, -(-some.size // lanes))
        for r in range(some.size):
            i, name = some[r], who[r]
            square = squares[i]
            slip = _slip(square, largest, eps, d)
            if second[r] - best[r] > 2.0 * slip:
                upper[i] = np.sqrt(max(0.0, best[r] + square + slip))
                lower[i] = np.sqrt(max(0.0, second[r] + square - slip))
            else:
                for j in range(k):
                    values[j] = norms[j] + _dot(source[i], shift, factor, doubled[j])
                bar = best[r] + 2.0 * slip
                name, near, other, rest, seen = _decide(values, bar, X[i], exact, unit)
                measured += seen
                upper[i] = np.sqrt(near) * (1.0 + 2.0**-40)
                far = np.sqrt(max(0.0, rest + square - slip))
                lower[i] = min(np.sqrt(other) * (1.0 - 2.0**-40), far)
            if name != labels[i]:
                moved[count], before[count] = i, labels[i]
                labels[i] = name
                count += 1
    return measured, moved[:count], before[:count]
