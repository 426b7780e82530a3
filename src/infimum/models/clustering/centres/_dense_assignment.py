"""Rows of a dense table as k-means sees them: nearest centres and sums, in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from infimum.compiled.clusters.centre_bounds import find_doubtful
from infimum.compiled.clusters.centre_registers import SIX
from infimum.compiled.clusters.centre_sums import move_rows, sum_by_label
from infimum.compiled.clusters.own_centre import measure_own
from infimum.compiled.clusters.seeding import (
    collect_nearer,
    finish_squares,
    gather_by_name,
)
from infimum.compiled.clusters.two_nearest import (
    Centres,
    Found,
    ScaledRows,
    round_rows,
    settle_nearest,
)
from infimum.compiled.products.column_ranges import add_ranges
from infimum.compiled.products.dense_products import dot_rows
from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LARGEST", "Assignment", "DenseRows", "directions", "on_cores", "parts_for"]

Result = TypeVar("Result")

#: Rows of a tile of products: with a hundred centres it stays in a core's cache.
BLOCK = 512
#: Squares of larger numbers are infinite in float64.
LARGEST = 2.0**505
#: One over a smaller unit is infinite.
SMALLEST = 2.0**-1000
#: A weight below this share of the largest may be nothing but rounding.
EMPTY = 1e-9
#: Where bounds leave more than this share of the rows in doubt, they do not pay.
MOST = 0.8
#: One of how many rows of a part is tried first, to tell whether they do.
TRIED = 32
#: Parts of a pass that bounds make short: waking a core takes as long as some rows.
FEW_PARTS = 4
#: Multiplications that take about as long as waking another core.
QUICK = 2**21
#: Multiplications of a part: beginning one takes as long as some of them.
PART = 2**21


@dataclass
class Assignment:
    """The centre of each row, and bounds on its distance and on that of the others."""

    labels: Indices
    upper: Vector
    lower: Vector

    @classmethod
    def blank(cls, n: int) -> Assignment:
        """Return an assignment of n rows that is still to be made."""
        return cls(np.zeros(n, dtype=np.int32), np.zeros(n), np.zeros(n))


def parts_for(n: int, k: int, each: int = PART // 512) -> int:
    """Return how many parts n rows of `each` multiplications are cut into.

    Few enough for sums of k to be few, and for parts to be worth their beginning.
    """
    return max(1, min(16, n // (4 * k), n * each // PART))


def on_cores(
    n: int, work: Callable[[slice], Result], parts: int, each: int = QUICK
) -> list[Result]:
    """Do work on parts of n rows, on all cores, each with a BLAS of its own.

    What takes so few multiplications for `each` row that waking takes longer, is here.
    """
    if parts == 1:
        return [work(slice(0, n))]
    with one_blas_thread():
        if n * each < QUICK:
            return [work(slice(0, n))]
        return in_parts(n, work, parts)


class DenseRows:
    """A dense table, centred and scaled, once more in float32.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), float64 or float32
    weights : ndarray of shape (n_samples,) or None
        Positive weights of the rows.
    """

    def __init__(self, X: Matrix, weights: Vector | None = None) -> None:
        self.X = np.ascontiguousarray(X)
        self.n, self.d = self.X.shape
        self.weights = np.empty(0) if weights is None else weights
        with np.errstate(over="ignore", invalid="ignore"):
            self.mean, spread = self._middle()
            # A power of two, so that scaling rounds nothing.
            self.unit = float(2.0 ** np.ceil(np.log2(spread))) if spread > 0.0 else 1.0
            self.unit = max(self.unit, SMALLEST)
        if self.unit >= LARGEST:
            raise DataError(
                f"The samples differ by up to {spread:.0e}, too much for squared "
                f"distances: scale the features."
            )
        self.rounded = np.empty((self.n, self.d), dtype=np.float32)
        self.squares = np.empty(self.n)
        self.double = False
        self.asked = self.n
        on_cores(self.n, self._round, parts_for(self.n, 1, self.d), self.d)

    def inward(self, points: Matrix) -> Matrix:
        """Return points in the coordinates in which sums and shifts are told."""
        return np.asarray(np.asarray(points, dtype=np.float64) - self.mean) / self.unit

    def outward(self, points: Matrix) -> Matrix:
        """Return points in the coordinates of the table."""
        return points * self.unit + self.mean

    def points(self, rows: Indices) -> Matrix:
        """Return some rows, inward."""
        return self.inward(self.X[rows])

    def assign(
        self, found: Assignment, centres: Matrix, moves: Matrix | None = None
    ) -> list[tuple[Indices, Indices]]:
        """Find the nearest of the centres (inward) for every row that may need it.

        Without `moves` every row does. Return, by parts, whose label changed from what.
        """
        tiles = _Centres(centres, self.outward(centres))

        def work(rows: slice) -> tuple[int, int, Indices, Indices]:
            if moves is None:
                asked = np.arange(rows.start, rows.stop)
            else:
                asked = self._doubtful(rows, found, tiles, moves)
            return len(asked), *self._settle(asked, found, tiles)

        k = len(centres)
        parts = parts_for(self.n, k, k * self.d)
        if moves is not None and FEW_PARTS * self.asked < self.n:
            parts = min(parts, FEW_PARTS)
        told = on_cores(self.n, work, parts, k * self.d)
        self.asked = asked = sum(part[0] for part in told)
        measured = sum(part[1] for part in told)
        # Rounding that decides too little is rounding too much.
        self.double = self.double or measured > 4 * asked + 1000
        return [(moved, before) for _, _, moved, before in told]

    def sums(self, labels: Indices, k: int) -> tuple[Matrix, Vector]:
        """Return the sum of the rows of each label, and their weight."""

        def work(rows: slice) -> tuple[Matrix, Vector]:
            sums, mass = np.zeros((k, self.d)), np.zeros(k)
            sum_by_label(
                self.X[rows],
                self.mean,
                1.0 / self.unit,
                self.weights[rows],
                labels[rows],
                sums,
                mass,
            )
            return sums, mass

        return _total(on_cores(self.n, work, parts_for(self.n, k, self.d), self.d))

    def update(
        self,
        told: list[tuple[Indices, Indices]],
        labels: Indices,
        sums: Matrix,
        mass: Vector,
    ) -> tuple[Matrix, Vector]:
        """Return the sums and weights after the moves told by `assign`."""
        k, count = len(mass), sum(len(rows) for rows, _ in told)
        if 3 * count > self.n:
            return self.sums(labels, k)

        def work(part: slice) -> tuple[Matrix, Vector]:
            more, heavier = np.zeros((k, self.d)), np.zeros(k)
            for rows, before in told[part]:
                move_rows(
                    self.X,
                    self.mean,
                    1.0 / self.unit,
                    self.weights,
                    rows,
                    before,
                    labels,
                    more,
                    heavier,
                )
            return more, heavier

        if count * self.d < QUICK:
            more, heavier = work(slice(None))
        else:
            more, heavier = _total(on_cores(len(told), work, len(told)))
        sums, mass = sums + more, mass + heavier
        # What is left of an emptied cluster is rounding, and must not pass for weight.
        return self.sums(labels, k) if mass.min() < EMPTY * mass.max() else (sums, mass)

    def distances(self, labels: Indices, centres: Matrix) -> Vector:
        """Return the squared distance of each row to its centre, inward, exactly."""
        outer, out = self.outward(centres), np.empty(self.n)

        def work(rows: slice) -> None:
            measure_own(self.X[rows], outer, self.unit, labels[rows], out[rows])

        on_cores(self.n, work, parts_for(self.n, 1, self.d), self.d)
        return out

    @cached_property
    def inner(self) -> Matrix:
        """All rows inward."""
        return np.ascontiguousarray(self.inward(self.X))

    @cached_property
    def order(self) -> Indices:
        """An order of the rows that depends on their values only."""
        with np.errstate(over="ignore", invalid="ignore"):
            keys = dot_rows(self.X, directions(self.d).astype(self.X.dtype))
        return np.argsort(keys, kind="stable")

    def measure(self, names: Indices) -> Matrix:
        """Return the squared distances from some rows to all, inward, in float32."""
        out = np.empty((len(names), self.n), dtype=np.float32)
        doubled = -2.0 * self.rounded[names]

        def work(rows: slice) -> None:
            for start in range(rows.start, rows.stop, BLOCK):
                some = slice(start, min(rows.stop, start + BLOCK))
                tile = doubled @ self.rounded[some].T
                finish_squares(tile, self.squares, self.X, start, names, self.unit)
                out[:, some] = tile

        each = len(names) * self.d
        on_cores(self.n, work, parts_for(self.n, 1, each), each)
        return out

    def nearer(
        self, names: Indices, nearest: Vector
    ) -> tuple[Indices, Indices, Vector]:
        """Return which rows are nearer to each of some rows than `nearest`.

        The findings of name j are at ``ends[j - 1] : ends[j]``: rows and squares.
        """
        doubled = -2.0 * self.rounded[names]

        def work(rows: slice) -> list[tuple[Indices, Indices, Vector]]:
            room = len(names) * BLOCK
            found, values = np.empty(room, np.int32), np.empty(room, np.float32)
            tile = np.empty(room, np.float32)
            blocks: list[tuple[Indices, Indices, Vector]] = []
            for start in range(rows.start, rows.stop, BLOCK):
                some = slice(start, min(rows.stop, start + BLOCK))
                counts = np.zeros(len(names), dtype=np.intp)
                total = collect_nearer(
                    _product(doubled, self.rounded[some], tile),
                    self.squares,
                    self.X,
                    start,
                    names,
                    self.unit,
                    nearest,
                    (counts, found, values),
                )
                blocks.append((counts, found[:total].copy(), values[:total].copy()))
            return blocks

        each = len(names) * self.d
        told = on_cores(self.n, work, parts_for(self.n, 1, each), each)
        return _join([block for part in told for block in part])

    def _middle(self) -> tuple[Vector, float]:
        """Return the mean of the rows, and how far an entry is from it at most."""

        def work(rows: slice) -> Matrix:
            found = np.zeros((3, self.d))
            found[1], found[2] = np.inf, -np.inf
            add_ranges(self.X[rows], self.weights[rows], *found)
            return found

        told = np.array(on_cores(self.n, work, parts_for(self.n, 1, self.d), self.d))
        weight = self.weights.sum() if self.weights.size else self.n
        mean, low, high = (
            told[:, 0].sum(0) / weight,
            told[:, 1].min(0),
            told[:, 2].max(0),
        )
        # Rounding must not put the mean outside: equal entries are their own mean.
        mean = np.clip(mean, low, high)
        return mean, float(np.maximum(high - mean, mean - low).max())

    def _round(self, rows: slice) -> None:
        out, squares = self.rounded[rows], self.squares[rows]
        round_rows(self.X[rows], self.mean, 1.0 / self.unit, out, squares)

    def _doubtful(
        self, rows: slice, found: Assignment, tiles: _Centres, moves: Matrix
    ) -> Indices:
        """Return the rows that bounds leave in doubt, or all if those are most."""
        middle = rows.start + -(-(rows.stop - rows.start) // TRIED)
        some = self._unproved(slice(rows.start, middle), found, tiles, moves)
        if len(some) > MOST * (middle - rows.start):
            return np.arange(rows.start, rows.stop)
        rest = self._unproved(slice(middle, rows.stop), found, tiles, moves)
        return np.concatenate([some, rest])

    def _unproved(
        self, rows: slice, found: Assignment, tiles: _Centres, moves: Matrix
    ) -> Indices:
        return find_doubtful(
            self.rounded[rows], self.squares[rows], tiles.doubled, tiles.norms,
            rows.start, found.labels[rows], moves, found.upper[rows], found.lower[rows],
        )  # fmt: skip

    def _settle(
        self, asked: Indices, found: Assignment, tiles: _Centres
    ) -> tuple[int, Indices, Indices]:
        one: Any = np.float32(1.0)
        rows = ScaledRows(self.rounded, np.zeros(self.d, np.float32), one)
        centres = Centres(tiles.packed, tiles.doubled, tiles.norms, tiles.outer)
        if self.double:
            rows = ScaledRows(self.X, self.mean, 1.0 / self.unit)
            exact, norms = tiles.exact_doubled, tiles.exact_norms
            centres = Centres(_by_sixes(exact), exact, norms, tiles.outer)
        eps = 2.0**-52 if self.double else 2.0**-23
        kept = Found(found.labels, found.upper, found.lower)
        return settle_nearest(
            rows, self.X, self.unit, self.squares, asked, centres, eps, kept
        )


class _Centres:
    """Centres as the loops want them: doubled and negated, padded to sixes."""

    def __init__(self, centres: Matrix, outer: Matrix) -> None:
        k = len(centres)
        padded = np.zeros((-(-k // SIX) * SIX, centres.shape[1]))
        padded[:k] = centres
        self.outer = np.ascontiguousarray(outer)
        self.exact_doubled = -2.0 * padded
        self.exact_norms = np.einsum("ij,ij->i", padded, padded)
        self.exact_norms[k:] = np.inf
        with np.errstate(over="ignore"):
            self.doubled = self.exact_doubled.astype(np.float32)
            self.norms = self.exact_norms.astype(np.float32)
        self.packed = _by_sixes(self.doubled)


def _by_sixes(rows: Matrix) -> Matrix:
    """Return rows in groups of six, coordinate by coordinate."""
    groups = rows.reshape(-1, SIX, rows.shape[1]).transpose(0, 2, 1)
    return np.ascontiguousarray(groups)


def _product(left: Matrix, right: Matrix, room: Vector) -> Matrix:
    """Return left @ right.T, written into memory that is there already."""
    out = room[: len(left) * len(right)].reshape(len(left), len(right))
    return np.matmul(left, right.T, out=out)


def directions(d: int) -> Vector:
    """Return fixed numbers of which no short sum is 0, to tell rows apart."""
    return np.asarray(1.0 + np.sqrt(np.arange(1.0, d + 1.0) * np.e) % 1.0)


def _join(
    blocks: list[tuple[Indices, Indices, Vector]],
) -> tuple[Indices, Indices, Vector]:
    ends = np.cumsum(np.sum([counts for counts, _, _ in blocks], axis=0))
    places = np.concatenate([[0], ends[:-1]])
    rows, squares = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.float32)
    for counts, found, values in blocks:
        gather_by_name(counts, found, values, places, rows, squares)
    return ends, rows, squares


def _total(parts: list[tuple[Matrix, Vector]]) -> tuple[Matrix, Vector]:
    sums, mass = parts[0]
    for more, heavier in parts[1:]:
        sums += more
        mass += heavier
    return sums, mass
