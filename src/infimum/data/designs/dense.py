"""Dense design: an array in memory, C or Fortran order, float32 or float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.data.designs._base import Design
from infimum.typing import Indices, Matrix, Vector

__all__ = ["DenseDesign"]

#: Row-major arrays from this size on are multiplied by compiled loops.
WORTH_THREADS = 2_000_000
#: A block of rows that stays in the second-level cache while it is scaled and squared.
BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, eq=False)
class DenseDesign(Design):
    """X as one array; products are single BLAS calls in the array's own precision."""

    X: Matrix

    @property
    def shape(self) -> tuple[int, int]:
        return self.X.shape[0], self.X.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.X.dtype

    def scores(self, w: Vector) -> Vector:
        w = w.astype(self.X.dtype, copy=False)
        if w.ndim == 1 and self._tall:
            from infimum.compiled import dot_rows  # late: it loads numba

            return np.asarray(dot_rows(self.X, np.ascontiguousarray(w)))
        return np.asarray(self.X @ w)

    def pull_back(self, s: Vector) -> Vector:
        s = s.astype(self.X.dtype, copy=False)
        if s.ndim == 1 and self._tall:
            from infimum.compiled import sum_rows  # late: it loads numba

            return np.asarray(sum_rows(self.X, np.ascontiguousarray(s)))
        return np.asarray(self.X.T @ s)

    @property
    def _tall(self) -> bool:
        return self.X.size >= WORTH_THREADS and self.X.flags.c_contiguous

    def gram(self, s: Vector | None = None) -> Matrix:
        d = self.shape[1]
        if s is None:
            return np.asarray(self.X.T @ self.X, dtype=np.float64)
        roots = np.sqrt(s).astype(self.X.dtype, copy=False)
        total = np.zeros((d, d))
        for rows, block in self.row_blocks(self._block_size()):
            scaled = block.X * roots[rows, None]
            total += scaled.T @ scaled
        return total

    def columns(self, chosen: Indices) -> DenseDesign:
        return DenseDesign(np.asfortranarray(self.X[:, chosen]))

    def rows(self, chosen: Indices) -> DenseDesign:
        return DenseDesign(self.X[chosen])

    def squared_norms(self, s: Vector | None = None) -> Vector:
        total = np.zeros(self.shape[1])
        for rows, block in self.row_blocks(self._block_size()):
            squares = np.square(block.X, dtype=np.float64)
            total += squares.sum(axis=0) if s is None else s[rows] @ squares
        return total

    def toarray(self) -> Matrix:
        return self.X

    def row_blocks(self, size: int) -> Iterator[tuple[slice, DenseDesign]]:
        """Yield consecutive blocks of at most `size` samples, as views."""
        n = self.shape[0]
        for start in range(0, n, size):
            block = slice(start, min(start + size, n))
            yield block, DenseDesign(self.X[block])

    def _block_size(self) -> int:
        return max(64, BLOCK_BYTES // (self.X.itemsize * max(1, self.shape[1])))
