"""Dense design: an array in memory, C or Fortran order, float32 or float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from infimum.data.designs._design import Design, Judged
from infimum.data.short_products import products_of
from infimum.typing import Indices, Matrix, Vector

__all__ = ["DenseDesign", "DoubledDesign"]

#: Row-major arrays from this size on are multiplied by compiled loops.
WORTH_THREADS = 500_000
#: Compiled loops add up so many parts of the rows; see `infimum.compiled.threads`.
PARTS = 16
#: A block of rows that stays in the second-level cache while it is scaled and squared.
BLOCK_BYTES = 1 << 20
#: Below this share of rows with a weight the others are left out of a Gram matrix.
FEW = 0.5


@dataclass(frozen=True, eq=False)
class DenseDesign(Design):
    """X as one array; products are single BLAS calls in the array's own precision."""

    X: Matrix
    #: The design that the array is a rounded copy of, if it is one.
    exact: Design | None = None

    def __post_init__(self) -> None:
        large = self.X.size >= WORTH_THREADS and self.X.flags.c_contiguous
        vars(self).update(shape=self.X.shape, dtype=self.X.dtype, pooled=large)

    def scores(self, w: Vector) -> Vector:
        w = w.astype(self.X.dtype, copy=False)
        if w.ndim == 1 and self.pooled:
            from infimum.compiled.products.dense_products import (
                dot_rows,  # late: it loads numba
            )

            return np.asarray(dot_rows(self.X, np.ascontiguousarray(w)))
        return np.asarray(self.X @ w)

    def pull_back(self, s: Vector) -> Vector:
        s = s.astype(self.X.dtype, copy=False)
        if s.ndim == 1 and self.pooled:
            from infimum.compiled.products.dense_products import (
                sum_rows,  # late: it loads numba
            )

            return np.asarray(sum_rows(self.X, np.ascontiguousarray(s)))
        return np.asarray(self.X.T @ s)

    @property
    def depth(self) -> int:
        return -(-self.shape[0] // PARTS) + PARTS if self.pooled else self.shape[0]

    def in_double(self) -> Design:
        if self.exact is not None:
            return self.exact.in_double()
        return self if self.dtype == np.float64 else DoubledDesign(self.X)

    def as_given(self) -> Design:
        return self if self.exact is None else self.exact.as_given()

    def single(self) -> DenseDesign:
        return DenseDesign(self.X.astype(np.float32, copy=False))

    def judge(
        self, point: Vector, y: Vector, shares: Vector, loss: tuple[str, float]
    ) -> Judged | None:
        if not self.pooled:
            return None
        from infimum.compiled.products.fused_pass import (
            judge_rows,  # late: it loads numba
        )

        w, b = np.ascontiguousarray(point[:-1]), float(point[-1])
        return Judged(*judge_rows(self.X, y, shares, w, b, loss))

    def gram(self, s: Vector | None = None) -> Matrix:
        d = max(1, self.shape[1])
        if s is None:
            with products_of(self.X.size * d):
                return np.asarray(self.X.T @ self.X, dtype=np.float64)
        roots = np.sqrt(s).astype(self.X.dtype, copy=False)
        used = np.flatnonzero(roots)
        if len(used) < FEW * len(roots):
            return DenseDesign(self.X[used]).gram(s[used])
        if self.X.nbytes <= BLOCK_BYTES:
            scaled = self.X * roots[:, None]
            return np.asarray(scaled.T @ scaled, dtype=np.float64)
        parts = min(16, self.X.size // (WORTH_THREADS // 2), len(roots) // (8 * d))
        if parts <= 1:
            with products_of(self.X.size * d):
                return self._scaled_gram(roots, slice(0, len(roots)))
        from infimum.compiled.threads import (  # late: it loads numba
            in_parts,
            one_blas_thread,
        )

        with one_blas_thread():
            grams = in_parts(
                len(roots),
                lambda rows: self._scaled_gram(roots, rows),
                parts,
            )
        return np.asarray(sum(grams))

    def _scaled_gram(self, roots: Vector, rows: slice) -> Matrix:
        d = self.shape[1]
        total = np.zeros((d, d))
        for block in self._blocks(rows, 2 * d):
            scaled = self.X[block] * roots[block, None]
            total += scaled.T @ scaled
        return total

    def columns(self, chosen: Indices) -> DenseDesign:
        return DenseDesign(np.asfortranarray(self.X[:, chosen]))

    def rows(self, chosen: Indices) -> DenseDesign:
        return DenseDesign(self.X[chosen])

    def squared_norms(self, s: Vector | None = None) -> Vector:
        if self.X.flags.f_contiguous and self.X.size >= WORTH_THREADS:
            return self._column_norms(s)
        if self.X.nbytes <= BLOCK_BYTES:
            squares = np.square(self.X, dtype=np.float64)
            return np.asarray(squares.sum(axis=0) if s is None else s @ squares)
        shares = np.ones(len(self.X)) if s is None else s

        def measure(rows: slice) -> Vector:
            total = np.zeros(self.shape[1])
            for block in self._blocks(rows):
                total += shares[block] @ np.square(self.X[block], dtype=np.float64)
            return total

        if self.X.size < WORTH_THREADS:
            return measure(slice(0, len(self.X)))
        from infimum.compiled.threads import (  # late: it loads numba
            in_parts,
            one_blas_thread,
        )

        with one_blas_thread():
            return np.asarray(np.sum(in_parts(len(self.X), measure), axis=0))

    def _column_norms(self, s: Vector | None) -> Vector:
        """Return the squared norms where a column lies in one piece."""
        from infimum.compiled.threads import (  # late: it loads numba
            in_parts,
            one_blas_thread,
        )

        n, d = self.shape
        total, size = np.empty(d), max(1, BLOCK_BYTES // (32 * n))
        shares = np.ones(n) if s is None else s

        def measure(columns: slice) -> None:
            room = np.empty((size, n))
            for start in range(columns.start, columns.stop, size):
                block = slice(start, min(start + size, columns.stop))
                squares = room[: block.stop - start]
                np.square(self.X.T[block], out=squares, dtype=np.float64)
                total[block] = squares @ shares

        with one_blas_thread():
            in_parts(d, measure)
        return total

    def toarray(self) -> Matrix:
        return self.X

    def row_blocks(self, size: int) -> Iterator[tuple[slice, DenseDesign]]:
        """Yield consecutive blocks of at most `size` samples, as views."""
        n = self.shape[0]
        for start in range(0, n, size):
            block = slice(start, min(start + size, n))
            yield block, DenseDesign(self.X[block])

    def _blocks(self, rows: slice | None = None, fewest: int = 64) -> list[slice]:
        """Return consecutive blocks of rows that stay in the cache."""
        start, stop = (0, len(self.X)) if rows is None else (rows.start, rows.stop)
        fitting = BLOCK_BYTES // (self.X.itemsize * max(1, self.shape[1]))
        size = max(64, fitting, fewest)
        return [slice(k, min(k + size, stop)) for k in range(start, stop, size)]


@dataclass(frozen=True, eq=False)
class DoubledDesign(DenseDesign):
    """An array in single precision whose products are computed in double precision.

    Blocks of rows are converted on the way: there is no second copy of X.
    """

    def __post_init__(self) -> None:
        double = np.dtype(np.float64)
        vars(self).update(shape=self.X.shape, dtype=double, pooled=False)

    def scores(self, w: Vector) -> Vector:
        return np.concatenate(
            [self.X[rows].astype(np.float64) @ w for rows in self._blocks()]
        )

    def pull_back(self, s: Vector) -> Vector:
        total = np.zeros((self.shape[1], *s.shape[1:]))
        for rows in self._blocks():
            total += self.X[rows].T.astype(np.float64) @ s[rows]
        return total

    def gram(self, s: Vector | None = None) -> Matrix:
        d, roots = self.shape[1], None if s is None else np.sqrt(s)
        total = np.zeros((d, d))
        for rows in self._blocks():
            scaled = self.X[rows].astype(np.float64)
            if roots is not None:
                scaled *= roots[rows, None]
            total += scaled.T @ scaled
        return total

    def columns(self, chosen: Indices) -> DenseDesign:
        return DenseDesign(np.asfortranarray(self.X[:, chosen], dtype=np.float64))

    def rows(self, chosen: Indices) -> DoubledDesign:
        return DoubledDesign(self.X[chosen])

    def toarray(self) -> Matrix:
        return self.X.astype(np.float64)
