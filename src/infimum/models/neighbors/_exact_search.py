"""The nearest samples, by comparing with all of them, a tile at a time.

Products in float32 choose a few more candidates than are asked for, differences in
float64 rank them. A bound on the rounding of the products proves that no sample was
passed over; where it cannot, the query is answered again in float64.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from scipy.spatial.distance import cdist

from infimum.compiled.neighbors.near_pairs import keep_near
from infimum.compiled.neighbors.nearest import keep_smallest, rank_candidates
from infimum.compiled.neighbors.nearest_pools import pool_smallest, shrink_pools
from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._ranking import smallest
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["ExactSearch"]

#: Queries and samples of a tile: their products stay in a core's cache.
QUERIES, SAMPLES = 256, 256
#: Most candidates beyond those asked for: rounding mixes up few.
SPARE = 16
#: From so many candidates on a pool is quicker than a heap.
MANY = 32
#: Pairs held at a time: 32 MiB of squared distances.
BLOCK = 2**22
#: Products of queries with all samples that stay in a core's cache.
ROOM = 2**18
#: Multiplications that take about as long as waking another core.
QUICK = 2**21
#: What float32 loses below its smallest normal number, for each term of a sum.
UNDERFLOW = 2.0**-120


@dataclass(frozen=True)
class ExactSearch:
    """All samples in float64; when asked, in float32 too, centred and scaled to 1."""

    samples: Matrix

    @classmethod
    def over(cls, X: Matrix) -> "ExactSearch":
        """Return a search among the rows of X."""
        return cls(np.ascontiguousarray(X, dtype=np.float64))

    @cached_property
    def centre(self) -> Vector:
        """The mean of the samples."""
        return np.asarray(self.samples.mean(axis=0))

    @cached_property
    def _single(self) -> tuple[float, Matrix, Vector]:
        moved = self.samples - self.centre
        scale = float(np.abs(moved).max(initial=0.0)) or 1.0
        moved /= scale
        rounded = moved.astype(np.float32)
        return scale, rounded, np.einsum("ij,ij->i", rounded, rounded)

    @property
    def scale(self) -> float:
        """How far an entry is from the centre at most."""
        return self._single[0]

    @property
    def rounded(self) -> Matrix:
        """The samples, centred and scaled, in float32."""
        return self._single[1]

    @property
    def squares(self) -> Vector:
        """The squared lengths of the rounded samples."""
        return self._single[2]

    def nearest(self, queries: Matrix, count: int) -> tuple[Matrix, Indices]:
        """Return squared distances and names of the nearest, the nearest first."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        distances = np.empty((len(Q), count))
        names = np.empty((len(Q), count), dtype=np.intp)
        _ = self._single  # made here, not by several threads

        def answer(rows: slice) -> None:
            for start in range(rows.start, rows.stop, QUERIES):
                some = slice(start, min(rows.stop, start + QUERIES))
                distances[some], names[some] = self._answer(Q[some], count)

        with one_blas_thread():
            short = Q.size * len(self.samples) <= QUICK
            parts = 1 if short else max(1, min(64, -(-len(Q) // QUERIES)))
            in_parts(len(Q), answer, parts)
        return distances, names

    def within(self, queries: Matrix, limit: float) -> Nearby:
        """Return squared distances up to a limit and their names, for each query."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        size = max(32, min(128, ROOM // len(self.samples)))
        size = min(size, max(1, BLOCK // len(self.samples)))
        _ = self._single  # made here, not by several threads

        def answer(rows: slice) -> list[tuple[Indices, Vector, Indices]]:
            room = min(size, rows.stop - rows.start) * len(self.samples)
            names, squares = np.empty(room, dtype=np.intp), np.empty(room)
            products = np.empty(room, dtype=np.float32)
            found = []
            for start in range(rows.start, rows.stop, size):
                some = Q[start : min(rows.stop, start + size)]
                counts = self._within(some, limit, products, names, squares)
                total = int(counts.sum())
                found.append((counts, squares[:total].copy(), names[:total].copy()))
            return found

        with one_blas_thread():
            short = Q.size * len(self.samples) <= QUICK
            parts = 1 if short else max(1, min(64, -(-len(Q) // size)))
            told = chain.from_iterable(in_parts(len(Q), answer, parts))
        return Nearby.counted(*map(np.concatenate, zip(*told, strict=True)))

    def _within(
        self, Q: Matrix, limit: float, room: Vector, names: Indices, squares: Vector
    ) -> Indices:
        """Write the pairs within a limit, query by query; return how many each has."""
        with np.errstate(over="ignore", invalid="ignore"):
            moved = (Q - self.centre) / self.scale
            single = moved.astype(np.float32) * np.float32(-2.0)
            lengths, slip = self._slips(moved)
            bars = (limit / self.scale / self.scale - lengths + slip).astype(np.float32)
            bars = np.nextafter(bars, np.float32(np.inf))
            products = room[: len(Q) * len(self.samples)].reshape(len(Q), -1)
            np.matmul(single, self.rounded.T, out=products)
        counts = np.empty(len(Q), dtype=np.intp)
        keep_near(
            products, self.squares, bars, Q, self.samples, limit, counts, names, squares
        )
        return counts

    def _answer(self, Q: Matrix, count: int) -> tuple[Matrix, Indices]:
        n = len(self.samples)
        wide = min(n, count + min(max(4, count // 2), SPARE))
        # A query too far away for float32 becomes infinite, and hence doubtful.
        with np.errstate(over="ignore", invalid="ignore"):
            moved = (Q - self.centre) / self.scale
            bars, found = self._choose(moved.astype(np.float32), wide)
        exact, names = np.empty((len(Q), count)), np.empty((len(Q), count), np.intp)
        rank_candidates(Q, self.samples, found, exact, names)
        if wide < n:
            again = np.flatnonzero(self._doubtful(moved, bars, exact[:, -1]))
            size = max(1, BLOCK // n)
            for start in range(0, len(again), size):
                rows = again[start : start + size]
                squares = cdist(Q[rows], self.samples, "sqeuclidean")
                exact[rows], names[rows] = smallest(squares, count)
        return exact, names

    def _choose(self, single: Matrix, wide: int) -> tuple[Vector, Indices]:
        """Return the names of the smallest rounded ‖x‖² - 2⟨q, x⟩, and a bar.

        Whatever was passed over is not below the bar.
        """
        n = len(self.samples)
        # Names that no value replaces are distinct, so that all samples are compared
        # where as many are asked for.
        names = np.tile(np.arange(wide, dtype=np.intp), (len(single), 1))
        if wide == n:
            return np.full(len(single), np.inf), names
        single *= np.float32(-2.0)
        if wide > MANY:
            return self._choose_many(single, wide)
        heaps = np.full((len(single), wide), np.inf, dtype=np.float32)
        for start, tile in self._tiles(single):
            shifts = self.squares[start : start + SAMPLES]
            keep_smallest(tile, shifts, start, heaps, names)
        return heaps[:, 0], names

    def _choose_many(self, single: Matrix, wide: int) -> tuple[Vector, Indices]:
        room = (len(single), 2 * wide)
        pools, names = np.empty(room, np.float32), np.empty(room, np.intp)
        sizes = np.zeros(len(single), np.int64)
        bars = np.full(len(single), np.inf, np.float32)
        for start, tile in self._tiles(single):
            shifts = self.squares[start : start + SAMPLES]
            pool_smallest(tile, shifts, start, wide, pools, names, sizes, bars)
        # A query that is not a number is above every bar, and its pool empty.
        short = sizes < wide
        pools[short], names[short], sizes[short] = np.inf, np.arange(2 * wide), wide
        shrink_pools(pools, names, sizes, bars, wide)
        return bars, np.ascontiguousarray(names[:, :wide])

    def _tiles(self, single: Matrix) -> Iterator[tuple[int, Matrix]]:
        """Yield the products of queries with some samples at a time."""
        n = len(self.samples)
        room = np.empty(len(single) * SAMPLES, dtype=np.float32)
        for start in range(0, n, SAMPLES):
            stop = min(n, start + SAMPLES)
            # Without gaps between rows, so that loops over them are vectorised.
            part = room[: len(single) * (stop - start)].reshape(-1, stop - start)
            np.matmul(single, self.rounded[start:stop].T, out=part)
            yield start, part

    def _doubtful(self, moved: Matrix, bar: Vector, worst: Vector) -> Mask:
        """Tell which queries may have a neighbour that was passed over.

        A sample passed over has a rounded ‖x‖² - 2⟨q, x⟩ of at least `bar`; rounding
        moves it by no more than `slip`. What is not a number is doubtful.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            lengths, slip = self._slips(moved)
            proven = worst / self.scale / self.scale < bar + lengths - slip
        return np.asarray(~proven)

    def _slips(self, moved: Matrix) -> tuple[Vector, Vector]:
        """Return ‖q‖², and how far rounding may move ‖x‖² - 2⟨q, x⟩ for any sample."""
        lengths = np.einsum("ij,ij->i", moved, moved)
        largest = float(self.squares.max(initial=0.0))
        terms = moved.shape[1] + 4
        sizes = largest + 2.0 * np.sqrt(lengths * largest)
        slip = terms * (2.0**-23 * sizes + UNDERFLOW * (1.0 + np.sqrt(lengths)))
        slip += terms * 2.0**-50 * lengths
        return lengths, slip
