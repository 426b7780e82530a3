"""Kernel rows within a memory bound: the least recently used make room."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.kernels._cores import pieces_of, share
from infimum.objectives.kernel_tiles import KernelTiles
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KernelCache"]

#: Columns that a core adds up at a time; fewer in double precision, and twice.
SPAN, NARROW = 4096, 1024
#: Kernel values below the smallest number are that number: an error for each.
UNDERFLOW = 1e-37


class KernelCache:
    """Rows of a square Gram matrix, computed on demand and kept while there is room.

    Parameters
    ----------
    tiles : KernelTiles
        Where rows come from.
    megabytes : float
        How much memory the rows may take.
    """

    def __init__(self, tiles: KernelTiles, megabytes: float) -> None:
        self.tiles = tiles
        n = tiles.shape[0]
        fit = int(megabytes * 2**20 / (max(n, 1) * tiles.dtype.itemsize))
        self.slots = min(n, fit)
        self.hits = self.misses = 0
        self._clock = 0
        self._kept: Any = None
        self._slot_of = np.full(n, -1)
        self._owner = np.full(self.slots, -1)
        self._used = np.zeros(self.slots, dtype=np.int64)

    def drop(self) -> None:
        """Give the memory back."""
        self._kept = None
        self._slot_of[:], self._owner[:], self._used[:] = -1, -1, 0

    def square(self, i: Indices) -> Matrix:
        """Return the kernel values among the rows `i`, which may repeat."""
        from infimum.compiled.products.kernel_blocks import gather_square

        slots = self._slots(i)
        out = np.empty((len(i), len(i)), dtype=self.tiles.dtype)

        def work(piece: slice) -> None:
            gather_square(self._kept, slots, i, out, piece.start, piece.stop)

        share(work, pieces_of(len(i), 256))
        return out

    def add(self, i: Indices, factors: Vector, total: Vector) -> None:
        """Add the rows `i`, each times its factor, to `total`."""
        from infimum.compiled.products.kernel_blocks import add_kept_rows

        slots = self._slots(i)

        def work(piece: slice) -> None:
            add_kept_rows(self._kept, slots, factors, total, piece.start, piece.stop)

        share(work, pieces_of(len(total), SPAN))

    def count(self, i: Indices) -> int:
        """Return how many of the rows are here."""
        return int(np.count_nonzero(self._slot_of[i] >= 0))

    def bounded_sums(self, i: Indices, factors: Vector) -> tuple[Vector, Vector]:
        """Return the sum of the rows, each times its factor, and its error at most.

        Rows that are here serve as they are, the others are not kept. The error counts
        the rounding of kernel values, if the tiles know it; else it has no bound.
        """
        kept = self._slot_of[i] >= 0
        total = np.zeros((2, self.tiles.shape[1]))
        self._add_kept(self._slot_of[i[kept]], factors[kept], total)
        both = np.column_stack([factors, np.abs(factors)])[~kept]
        total += np.asarray(self.tiles.multiply(both, i[~kept])).T
        share_lost = self.tiles.rounding(len(both))
        if share_lost is None:
            return total[0], np.full(len(total[0]), np.inf)
        nothing = float(np.abs(factors).sum()) * UNDERFLOW
        return total[0], share_lost * total[1] + nothing

    def _add_kept(self, slots: Indices, factors: Vector, total: Matrix) -> None:
        """Add up the rows in some slots, and the rows times the sizes of factors."""
        from infimum.compiled.products.kernel_blocks import add_bounded_rows

        if not len(slots):
            return

        def work(piece: slice) -> None:
            add_bounded_rows(self._kept, slots, factors, total[:, piece], piece.start)

        share(work, pieces_of(total.shape[1], NARROW))

    def _slots(self, i: Indices) -> Indices:
        """Return where the rows are, after computing those that were missing."""
        self._clock += 1
        if self._kept is None:
            shape = self.slots, self.tiles.shape[1]
            self._kept = np.empty(shape, dtype=self.tiles.dtype)
        wanted = np.unique(i)
        known = self._slot_of[wanted] >= 0
        self._used[self._slot_of[wanted[known]]] = self._clock
        missing = wanted[~known]
        self.hits, self.misses = self.hits + known.sum(), self.misses + len(missing)
        if len(missing):
            slots = np.sort(
                np.argpartition(self._used, len(missing) - 1)[: len(missing)]
            )
            evicted = self._owner[slots]
            self._slot_of[evicted[evicted >= 0]] = -1
            self._owner[slots], self._slot_of[missing] = missing, slots
            self._used[slots] = self._clock
            self.tiles.write(missing, self._kept, slots)
        return self._slot_of[i]
