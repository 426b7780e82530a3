"""What is near among many features: products of tiles, with a bound on rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from infimum.compiled import (
    count_near_in_tile,
    in_parts,
    join_near_in_tile,
    least_label_in_tile,
    one_blas_thread,
    unite_pairs,
)
from infimum.models.clustering._near_roots import number_roots, roots_of
from infimum.models.neighbors._metric import Metric
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["ProductNeighborhood"]

#: Queries and samples of a tile: their products stay in a core's cache.
QUERIES, SAMPLES = 128, 1024
#: Into how many parts the queries are cut, each with a forest of its own.
PARTS = 16
#: What float32 loses below its smallest normal number, for each term of a sum.
UNDERFLOW = 2.0**-120


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
    """

    def __init__(self, metric: Metric, X: Any, radius: float) -> None:
        self.map = metric.map
        self.samples = self._placed(X)
        self.limit = radius * radius
        self.centre = self.samples.mean(axis=0)
        moved = self.samples - self.centre
        self.scale = float(np.abs(moved).max(initial=0.0)) or 1.0
        moved /= self.scale
        self.rounded = moved.astype(np.float32)
        self.squares = np.einsum("ij,ij->i", self.rounded, self.rounded)

    def dense(self, weights: Vector, enough: float) -> Mask:
        """Tell which samples have enough weight within the radius."""
        totals = np.zeros(len(self.samples))

        def settled(rows: slice) -> bool:
            return bool(totals[rows].min() >= enough)

        def work(part: slice) -> None:
            for rows, columns, tile in self._tiles(self.samples, part, settled):
                count_near_in_tile(*tile, weights[columns], enough, totals[rows])

        self._in_parts(len(totals), work)
        return totals >= enough

    def components(self, chosen: Mask) -> Indices:
        """Return the component of each chosen sample, -1 for the others."""
        names = np.flatnonzero(chosen)
        few = self._only(names)

        def work(part: slice) -> Indices:
            above: Indices = np.arange(len(names))
            for rows, columns, tile in few._tiles(few.samples, part, ahead=True):
                join_near_in_tile(*tile, (rows.start, columns.start), above)
            return above

        whole, every = np.arange(len(names)), np.arange(len(names))
        for above in self._in_parts(len(names), work):
            unite_pairs(every, above, whole)
        roots: Indices = np.arange(len(chosen))
        roots[names] = names[roots_of(whole)]
        return number_roots(roots, chosen)

    def least_label(self, labels: Indices, queries: Any) -> Indices:
        """Return the least label that is not -1 within the radius of each query."""
        Q, none = self._placed(queries), np.iinfo(np.intp).max
        least: Indices = np.full(len(Q), none)

        def work(part: slice) -> None:
            for rows, columns, tile in self._tiles(Q, part):
                least_label_in_tile(*tile, labels[columns], least[rows])

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
        return few

    def _in_parts(self, n: int, work: Any) -> list[Any]:
        with one_blas_thread():
            return in_parts(n, work, max(1, min(PARTS, n // QUERIES)))

    def _tiles(
        self,
        Q: Matrix,
        part: slice,
        settled: Callable[[slice], bool] | None = None,
        *,
        ahead: bool = False,
    ) -> Iterator[tuple[slice, slice, _Tile]]:
        """Yield the tiles of a part of the queries, or only those from itself on.

        Some queries get no more of them as soon as they are settled.
        """
        n = len(self.samples)
        room = np.empty((QUERIES, SAMPLES), dtype=np.float32)
        for start in range(part.start, part.stop, QUERIES):
            rows = slice(start, min(part.stop, start + QUERIES))
            doubled, bars = self._bars(Q[rows])
            for first in range(start if ahead else 0, n, SAMPLES):
                if settled is not None and settled(rows):
                    break
                columns = slice(first, min(n, first + SAMPLES))
                tile = room[: len(doubled), : columns.stop - first]
                np.matmul(doubled, self.rounded[columns].T, out=tile)
                yield rows, columns, _Tile(
                    tile, self.squares[columns], bars,
                    Q[rows], self.samples[columns], self.limit,
                )  # fmt: skip

    def _bars(self, Q: Matrix) -> tuple[Matrix, Matrix]:
        """Return -2q in float32, and between which values rounding could decide."""
        with np.errstate(over="ignore", invalid="ignore"):
            moved = (Q - self.centre) / self.scale
            lengths = np.einsum("ij,ij->i", moved, moved)
            largest = float(self.squares.max(initial=0.0))
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
        wild = ~np.isfinite(np.hstack((bars, doubled))).all(axis=1)
        bars[wild], doubled[wild] = (-np.inf, np.inf), 0.0
        return doubled, bars
