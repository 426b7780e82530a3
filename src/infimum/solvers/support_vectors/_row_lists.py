"""Lists that grow, one for each row, side by side in a single piece of memory."""

from __future__ import annotations

import numpy as np

from infimum.typing import Indices, Vector

__all__ = ["RowLists"]


class RowLists:
    """Which columns have an entry in a row, and which: a list for each row.

    A list lies in one piece, so that it is read at the speed of memory. One that gets
    too long moves to the end, where it gets twice the room it needs.
    """

    def __init__(self, rows: int) -> None:
        self.begins: Indices = np.zeros(rows, dtype=np.intp)
        self.lengths: Indices = np.zeros(rows, dtype=np.intp)
        self._room: Indices = np.zeros(rows, dtype=np.intp)
        self._filled = 0
        self.owners: Indices = np.empty(0, dtype=np.int32)
        self.values: Vector = np.empty(0)

    def make_room(self, rows: Indices) -> None:
        """Make room for one more entry in each row, once for each mention of it."""
        from infimum.compiled.products.bounded_columns import (
            move_lists,  # late: it loads numba
        )

        needed = self.lengths + np.bincount(rows, minlength=len(self.lengths))
        short = np.flatnonzero(needed > self._room)
        if not len(short):
            return
        ends = self._filled + np.cumsum(2 * needed[short])
        aims = ends - 2 * needed[short]
        self._grow(int(ends[-1]))
        move_lists(short, self.begins, aims, self.lengths, self.owners, self.values)
        self._room[short], self._filled = 2 * needed[short], int(ends[-1])

    def _grow(self, size: int) -> None:
        if size > len(self.owners):
            owners, values = np.empty(2 * size, dtype=np.int32), np.empty(2 * size)
            owners[: self._filled] = self.owners[: self._filled]
            values[: self._filled] = self.values[: self._filled]
            self.owners, self.values = owners, values

    def clear(self) -> None:
        """Take everything out of all lists."""
        self.lengths[:] = 0
