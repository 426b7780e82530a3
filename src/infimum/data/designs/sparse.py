"""Sparse design: only the non-zero entries, by rows and by columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.designs._design import Design
from infimum.typing import Indices, Matrix, Vector

__all__ = ["SparseDesign"]

#: Products with fewer entries are over before a second thread has woken up.
WORTH_THREADS = 200_000
#: Products of columns that read fewer entries are over before SciPy has set up its own.
FEW_READINGS = 5_000_000


@dataclass(frozen=True, eq=False)
class SparseDesign(Design):
    """X in compressed form; the other orientation is built once when first needed.

    Rows serve ``X w`` and columns serve ``Xᵀ s``, so each output entry belongs to one
    thread and the result does not depend on their number.
    """

    X: Any

    def __post_init__(self) -> None:
        n, d = self.X.shape
        pooled = bool(self.X.nnz >= WORTH_THREADS)
        vars(self).update(shape=(int(n), int(d)), dtype=self.X.dtype, pooled=pooled)

    @cached_property
    def by_row(self) -> Any:
        """The CSR form of X."""
        return sparse.csr_array(self.X)

    @cached_property
    def by_column(self) -> Any:
        """The CSC form of X."""
        return sparse.csc_array(self.X)

    def scores(self, w: Vector) -> Vector:
        if w.ndim > 1:
            return np.asarray(self.by_row @ w.astype(self.dtype, copy=False))
        if not self.pooled and self.X.format == "csc":
            return np.asarray(self.X @ w.astype(self.dtype, copy=False))
        return _product(self.by_row, w)

    def pull_back(self, s: Vector) -> Vector:
        if s.ndim > 1:
            return np.asarray(self.by_column.T @ s.astype(self.dtype, copy=False))
        if self._has_columns:
            return _product(self.by_column, s)
        return _sum(self.by_row, s)

    @property
    def _has_columns(self) -> bool:
        """Whether columns are at hand; to build them costs as much as many products."""
        cheap = not self.pooled or self.X.format == "csc"
        return cheap or "by_column" in self.__dict__

    def gram(self, s: Vector | None = None) -> Matrix:
        rows = self.by_row.astype(np.float64)
        scaled = rows if s is None else sparse.diags_array(s) @ rows
        return np.asarray((rows.T @ scaled).toarray())

    def cross(self, other: Design, s: Vector) -> Matrix:
        if not isinstance(other, SparseDesign):
            return super().cross(other, s)
        if self.X.nnz * other.shape[1] <= FEW_READINGS:
            return _cross(self.by_column, other.by_column, s)
        scaled = sparse.diags_array(s) @ other.by_column.astype(np.float64)
        product = self.by_column.astype(np.float64).T @ scaled
        return np.asarray(product.toarray())

    def columns(self, chosen: Indices) -> SparseDesign:
        return SparseDesign(_taken(self.by_column, np.asarray(chosen)))

    def rows(self, chosen: Indices) -> SparseDesign:
        return SparseDesign(self.by_row[chosen])

    def squared_norms(self, s: Vector | None = None) -> Vector:
        ones = np.ones(self.shape[0]) if s is None else s
        if self._has_columns:
            return _product(self.by_column, ones, squared=True)
        return _sum(self.by_row, ones, squared=True)

    @cached_property
    def depth(self) -> int:
        """The most entries of a column."""
        if self.X.format == "csc" or "by_column" in self.__dict__:
            return int(np.diff(self.by_column.indptr).max(initial=0))
        return int(np.bincount(self.by_row.indices, minlength=1).max())

    def in_double(self) -> SparseDesign:
        wide = self.dtype == np.float64
        return self if wide else SparseDesign(self.X.astype(np.float64))

    def row_lengths(self) -> Vector:
        """Return the squared length of each row, in float64."""
        if not self.pooled:
            return _product(self.by_row, np.ones(self.shape[1]), squared=True)
        from infimum.compiled.products.sparse_products import (
            square_lines,  # late: it loads numba
        )

        return square_lines(self.by_row.indptr, self.by_row.data)

    def toarray(self) -> Matrix:
        return np.asarray(self.X.toarray())


def _product(compressed: Any, vector: Vector, *, squared: bool = False) -> Vector:
    """Multiply each compressed line by `vector`, on all cores when that pays.

    With `squared` entries, which are squared in float64, so is the result.
    """
    if compressed.nnz < WORTH_THREADS:
        if squared:
            compressed = compressed.astype(np.float64).power(2)
        straight = compressed if compressed.format == "csr" else compressed.T
        return np.asarray(straight @ vector.astype(compressed.dtype, copy=False))
    from infimum.compiled.products.sparse_products import (
        dot_lines,  # late: it loads numba
    )

    kind = np.float64 if squared else compressed.dtype
    parts = compressed.indptr, compressed.indices, compressed.data
    return np.asarray(
        dot_lines(*parts, np.ascontiguousarray(vector, dtype=kind), squared=squared)
    )


def _taken(by_column: Any, chosen: Indices) -> Any:
    """Return some columns; SciPy would spend more on questions than on the copy."""
    if chosen.dtype.kind not in "iu" or by_column.nnz == 0 or chosen.size == 0:
        return by_column[:, chosen]
    chosen = np.where(chosen < 0, chosen + by_column.shape[1], chosen)
    first = by_column.indptr[chosen]
    counts = by_column.indptr[chosen + 1] - first
    starts = np.zeros(len(chosen) + 1, dtype=by_column.indptr.dtype)
    np.cumsum(counts, out=starts[1:])
    places = np.repeat(first - starts[:-1], counts)
    places += np.arange(starts[-1], dtype=places.dtype)
    parts = by_column.data[places], by_column.indices[places], starts
    return sparse.csc_array(parts, shape=(by_column.shape[0], len(chosen)))


def _cross(mine: Any, other: Any, s: Vector) -> Matrix:
    """Return the products of two sets of columns, with samples weighted by `s`."""
    from infimum.compiled.products.sparse_cross import (
        cross_columns,  # late: it loads numba
    )

    out = np.empty((mine.shape[1], other.shape[1]))
    left = mine.indptr, mine.indices, mine.data
    right = other.indptr, other.indices, other.data
    cross_columns(*left, *right, np.ascontiguousarray(s, dtype=np.float64), out)
    return out


def _sum(by_row: Any, vector: Vector, *, squared: bool = False) -> Vector:
    """Add the rows, each times its entry of `vector`, on all cores."""
    from infimum.compiled.products.sparse_products import (
        sum_lines,  # late: it loads numba
    )

    parts = by_row.indptr, by_row.indices, by_row.data
    total = sum_lines(
        *parts, np.ascontiguousarray(vector), by_row.shape[1], squared=squared
    )
    return total if squared else total.astype(by_row.dtype, copy=False)
