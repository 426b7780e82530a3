"""Tiles of a Gram matrix of sparse rows, whose frequent columns are a dense matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.kernels import Gaussian, Kernel
from infimum.kernels._cores import scratch
from infimum.kernels.vectors._dot_kernel import DotKernel
from infimum.objectives._kernel_rounding import dot_rounding, gaussian_rounding
from infimum.objectives._tile_contract import KernelTiles
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["SparseTiles"]

#: Columns that so large a share of the rows has are multiplied as if all had them: an
#: entry that is looked up takes some thirty times as long as one that is in line.
FREQUENT = 1.0 / 6.0


class SparseTiles(KernelTiles):
    """Kernel of CSR rows that depends on inner products or distances alone.

    The few words that every other document has make most of the work: these columns
    are dense, and so are two more for a Gaussian, whose exponent is then an inner
    product, ⟨(2γx, -γ‖x‖², 1), (z, 1, -γ‖z‖²)⟩.
    """

    def __init__(self, kernel: Kernel, X: Any, Z: Any, dtype: Any) -> None:
        self.kernel, self.dtype = kernel, np.dtype(dtype)
        left = sparse.csr_array(X).astype(np.float64)
        right = left if Z is X else sparse.csr_array(Z).astype(np.float64)
        self.shape = left.shape[0], right.shape[0]
        counts = np.bincount(right.indices, minlength=right.shape[1])
        frequent = counts >= max(FREQUENT * right.shape[0], 1.0)
        centre = np.zeros(right.shape[1])
        if self.gamma is not None and right.shape[0]:
            # Distances do not see the origin: near the data less is lost to rounding.
            centre[frequent] = right[:, frequent].mean(axis=0)
        cut = self._cut(left, frequent, centre, 0)
        self.left, self.left_dense, self.left_squares = cut
        self.entries = np.diff(self.left.indptr) + int(frequent.sum())
        cut = self._cut(right, frequent, centre, 1)
        self.right, self.right_dense, self.right_squares = cut
        self._whole: Any = None

    @property
    def gamma(self) -> float | None:
        """The factor of the squared distance in the exponent, if there is one."""
        if isinstance(self.kernel, Gaussian):
            return 0.5 / float(self.kernel.width) ** 2
        return None

    def _cut(
        self, X: Any, frequent: Mask, centre: Vector, side: int
    ) -> tuple[Any, Matrix, Vector]:
        """Return the rare columns, the frequent ones as a matrix, and squared lengths.

        The frequent ones, and the lengths, are as seen from the centre.
        """
        rare, dense = X[:, ~frequent], X[:, frequent].toarray() - centre[frequent]
        squares = _squared_lengths(rare) + np.einsum("ij,ij->i", dense, dense)
        if self.gamma is not None:
            factor = 1.0 if side else 2.0 * self.gamma
            beside = np.ones((X.shape[0], 2))
            beside[:, side] = -self.gamma * squares
            rare, dense = rare * factor, np.hstack([dense * factor, beside])
        rows = sparse.csr_array(rare.astype(self.dtype))
        return rows, dense.astype(self.dtype), squares

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        if columns is None:
            if self._whole is None:
                self._whole = self.right.tocsc(), self.right_dense
            return self.shape[1], self._whole
        some = self.right[columns].tocsc()
        return len(columns), (some, self.right_dense[columns])

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        from infimum.compiled.exponentials import exponentiate_into
        from infimum.compiled.products.sparse_rows import dot_postings

        some, (postings, dense) = self.left[i], right
        tile = scratch(some.shape[0], postings.shape[0], self.dtype)
        np.matmul(self.left_dense[i], dense.T, out=tile)
        dot_postings(
            some.indptr, some.indices, some.data,
            postings.indptr, postings.indices, postings.data, tile,
        )  # fmt: skip
        if self.gamma is not None:
            exponentiate_into(tile, out, rows, 0)
        else:
            assert isinstance(self.kernel, DotKernel)
            self.kernel._transform(tile)
            out[rows] = tile

    def lengths(self) -> Vector:
        """Return √k(x, x)."""
        if isinstance(self.kernel, DotKernel):
            values = self.left_squares.copy()
            self.kernel._transform(values)
            return np.sqrt(np.abs(values))
        return np.ones(self.shape[0])

    def blur(self) -> Vector | float:
        """Return the largest error of a value, as a share of √k(x, x) √k(z, z)."""
        known = self.rounding(0)
        if known is None:
            return np.asarray(dot_rounding(self.kernel, self.entries))
        return np.minimum(known, 1.0)

    def rounding(self, count: int) -> Vector | None:
        """Return the largest error of a sum of so many values in `multiply`."""
        if self.gamma is None:
            return None
        longest = np.sqrt(self.right_squares.max(initial=0.0))
        reach = np.sqrt(self.gamma) * (np.sqrt(self.left_squares) + longest)
        return gaussian_rounding(self.dtype, reach, self.entries + 2, count)


def _squared_lengths(X: Any) -> Vector:
    return np.asarray(X.power(2).sum(axis=1), dtype=np.float64).ravel()
