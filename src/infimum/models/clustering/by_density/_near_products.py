"""Neighbours within a radius among many features, by products of tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.neighbors.near_tiles import (
    all_joined,
    count_near_in_tile,
    join_near_in_tile,
    least_label_in_tile,
)
from infimum.compiled.neighbors.near_unions import unite_pairs
from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.models.clustering.by_density._near_roots import number_roots, roots_of
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._metric import Metric
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["ProductNeighborhood"]

#: Queries and samples of a tile: their products stay in a core's cache.
QUERIES, SAMPLES = 128, 1024
#: Into how many parts the queries are cut, each with a forest of its own.
PARTS = 16
#: What float32 loses below its smallest normal number, for each term of a sum.
UNDERFLOW = 2.0**-120
#: Near samples that are remembered of each, at most.
REMEMBERED = 64


class _Tile(NamedTuple):
    """Products of some queries with some samples, and what tells which are near."""

    products: Matrix
    shifts: Vector
    bars: Matrix
    queries: Matrix
    samples: Matrix
    limit: float


class ProductNeighborhood:
    """Samples of Euclidean space, compared by products of float32 with all others.

    Where rounding of ‖x‖² - 2⟨q, x⟩ could decide, the difference is taken in float64.
    Samples are held in the order of a k-d tree, so that those of a tile lie together:
    a tile whose balls are too far apart is passed over, and so is one whose samples
    are in one component already.
    """

    def __init__(self, metric: Metric, X: Any, radius: float) -> None:
        self.map, self.radius = metric.map, radius
        tree = KDSearch.over(self._placed(X), QUERIES)
        self.samples, self.names = tree.points, tree.names
        self.limit = radius * radius
        self.centre = self.samples.mean(axis=0)
        moved = self.samples - self.centre
        self.scale = float(np.abs(moved).max(initial=0.0)) or 1.0
        moved /= self.scale
        self.rounded = moved.astype(np.float32)
        self.squares = np.einsum("ij,ij->i", self.rounded, self.rounded)
        self.largest = float(self.squares.max(initial=0.0))
        self.balls = _balls(self.samples, SAMPLES)
        self.found: Indices = np.empty((len(self.names), 0), dtype=np.int32)
        self.counts: Indices = np.zeros(len(self.names), dtype=np.int32)
        self.cut_short = np.ones(len(self.names), dtype=bool)

    def dense(self, weights: Vector, enough: float) -> Mask:
        """Tell which samples have enough weight within the radius."""
        n, ordered = len(self.names), weights[self.names]
        totals = np.zeros(n)
        room = min(int(np.ceil(enough)), REMEMBERED)
        self.found, self.counts = np.empty((n, room), np.int32), np.zeros(n, np.int32)

        def passed(rows: slice, _: slice) -> bool:
            return bool(totals[rows].min() >= enough)

        def work(part: slice) -> None:
            for rows, columns, tile in self._tiles(self.samples, part, passed):
                count_near_in_tile(
                    *tile, ordered[columns], enough, columns.start,
                    totals[rows], self.found[rows], self.counts[rows],
                )  # fmt: skip

        self._in_parts(n, work)
        self.cut_short = (totals >= enough) | (self.counts > room)
        return self._in_order(totals >= enough)

    def components(self, chosen: Mask) -> Indices:
        """Return the component of each chosen sample, -1 for the others."""
        names = np.flatnonzero(chosen[self.names])
        few = self._only(names)

        def work(part: slice) -> Indices:
            above: Indices = np.arange(len(names))

            def passed(rows: slice, columns: slice) -> bool:
                ends = (rows.start, rows.stop), (columns.start, columns.stop)
                return bool(all_joined(above, *ends))

            tiles = few._tiles(few.samples, part, passed, ahead=True)
            for rows, columns, tile in tiles:
                join_near_in_tile(*tile, (rows.start, columns.start), above)
            return above

        whole, every = np.arange(len(names)), np.arange(len(names))
        for above in self._in_parts(len(names), work):
            unite_pairs(every, above, whole)
        own = self.names[names]
        roots: Indices = np.arange(len(chosen))
        roots[own] = own[roots_of(whole)]
        return number_roots(roots, chosen)

    def settle_rest(self, labels: Indices, rest: Indices) -> Indices:
        """Return the least label within the radius of samples that have none.

        What is near to a sample without enough is remembered from counting it.
        """
        places = np.empty_like(self.names)
        places[self.names] = np.arange(len(places))
        at, none = places[rest], np.iinfo(np.intp).max
        counts, room = self.counts[at], self.found.shape[1]
        known = np.arange(room) < counts[:, None]
        near = labels[self.names[np.where(known, self.found[at], 0)]]
        least = np.where(known & (near >= 0), near, none).min(axis=1, initial=none)
        out = np.where(least < none, least, -1)
        long = np.flatnonzero(self.cut_short[at])
        if len(long):
            out[long] = self._least(labels, self.samples[at[long]])
        return out

    def least_label(self, labels: Indices, queries: Any) -> Indices:
        """Return the least label that is not -1 within the radius of each query."""
        return self._least(labels, self._placed(queries))

    def _least(self, labels: Indices, Q: Matrix) -> Indices:
        none, ordered = np.iinfo(np.intp).max, labels[self.names]
        least: Indices = np.full(len(Q), none)

        def work(part: slice) -> None:
            for rows, columns, tile in self._tiles(Q, part):
                least_label_in_tile(*tile, ordered[columns], least[rows])

        self._in_parts(len(Q), work)
        return np.where(least < none, least, -1)

    def _placed(self, rows: Any) -> Matrix:
        placed = np.asarray(rows, dtype=np.float64)
        return np.ascontiguousarray(placed if self.map is None else placed @ self.map)

    def _only(self, names: Indices) -> ProductNeighborhood:
        """Return the same for some of the samples."""
        few = object.__new__(ProductNeighborhood)
        vars(few).update(vars(self))
        few.samples, few.rounded = self.samples[names], self.rounded[names]
        few.squares = self.squares[names]
        few.balls = _balls(few.samples, SAMPLES)
        return few

    def _in_order(self, values: Mask) -> Mask:
        out = np.empty_like(values)
        out[self.names] = values
        return out

    def _in_parts(self, n: int, work: Any) -> list[Any]:
        with one_blas_thread():
            return in_parts(n, work, max(1, min(PARTS, -(-n // QUERIES))))

    def _tiles(
        self,
        Q: Matrix,
        part: slice,
        passed: Callable[[slice, slice], bool] | None = None,
        *,
        ahead: bool = False,
    ) -> Iterator[tuple[slice, slice, _Tile]]:
        """Yield the tiles of a part of the queries, or only those from itself on.

        The nearest come first; those that are passed over are not computed.
        """
        n = len(self.samples)
        room = np.empty(QUERIES * SAMPLES, dtype=np.float32)
        for start in range(part.start, part.stop, QUERIES):
            rows = slice(start, min(part.stop, start + QUERIES))
            doubled, bars = self._bars(Q[rows])
            for block in self._blocks(Q[rows]):
                first = max(block * SAMPLES, start) if ahead else block * SAMPLES
                columns = slice(first, min(n, (block + 1) * SAMPLES))
                if first >= columns.stop or (passed and passed(rows, columns)):
                    continue
                # Without gaps between rows, so that loops over them are vectorised.
                shape = len(doubled), columns.stop - first
                tile = room[: shape[0] * shape[1]].reshape(shape)
                np.matmul(doubled, self.rounded[columns].T, out=tile)
                yield rows, columns, _Tile(
                    tile, self.squares[columns], bars,
                    Q[rows], self.samples[columns], self.limit,
                )  # fmt: skip

    def _blocks(self, Q: Matrix) -> list[int]:
        """Return the blocks of samples that may be near, the nearest first."""
        centres, radii = self.balls
        middle, reach = _balls(Q, len(Q))
        with np.errstate(over="ignore", invalid="ignore"):
            apart = np.sqrt(np.sum((centres - middle) ** 2, axis=1))
            least = apart - radii - reach
            # What cannot be told, for numbers too large to be squared, may be near.
            near = ~(least > self.radius + 1e-9 * (apart + radii + reach))
        order = np.argsort(apart, kind="stable")
        return [int(block) for block in order[near[order]]]

    def _bars(self, Q: Matrix) -> tuple[Matrix, Matrix]:
        """Return -2q in float32, and between which values rounding could decide."""
        with np.errstate(over="ignore", invalid="ignore"):
            moved = (Q - self.centre) / self.scale
            lengths = np.einsum("ij,ij->i", moved, moved)
            largest = self.largest
            terms = moved.shape[1] + 4
            sizes = largest + 2.0 * np.sqrt(lengths * largest)
            slip = terms * (2.0**-23 * sizes + UNDERFLOW * (1.0 + np.sqrt(lengths)))
            slip += terms * 2.0**-50 * lengths
            middle = self.limit / self.scale / self.scale - lengths
            slip += 2.0**-50 * np.abs(middle)
            bars = np.column_stack((middle - slip, middle + slip)).astype(np.float32)
            outward = np.array([-np.inf, np.inf], dtype=np.float32)
            np.nextafter(bars, outward, out=bars)
            doubled = moved.astype(np.float32) * np.float32(-2.0)
        # A query too far away for float32 is compared by differences.
        unbounded = ~np.isfinite(np.hstack((bars, doubled))).all(axis=1)
        bars[unbounded], doubled[unbounded] = (-np.inf, np.inf), 0.0
        return doubled, bars


def _balls(rows: Matrix, size: int) -> tuple[Matrix, Vector]:
    """Return the centre and the radius of each run of so many rows."""
    runs = [rows[start : start + size] for start in range(0, len(rows), size)]
    with np.errstate(over="ignore"):
        means = [run.mean(axis=0) for run in runs]
    centres = np.array(means).reshape(-1, rows.shape[1])
    spans = zip(runs, centres, strict=True)
    return centres, np.array([_reach(run, centre) for run, centre in spans])


def _reach(run: Matrix, centre: Vector) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.sqrt(np.sum((run - centre) ** 2, axis=1).max()))
