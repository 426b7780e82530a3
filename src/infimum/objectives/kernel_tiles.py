"""Tiles of a Gram matrix between two collections, computed on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.kernels import Gaussian, Kernel
from infimum.kernels._cores import scratch
from infimum.kernels.vectors._dot_kernel import DotKernel
from infimum.objectives._gaussian_tiles import GaussianTiles
from infimum.objectives._kernel_rounding import gaussian_rounding
from infimum.objectives._tile_contract import KernelTiles
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KernelTiles", "kernel_tiles"]


class SparseTiles(KernelTiles):
    """Kernel of CSR rows that depends on inner products or distances alone."""

    def __init__(self, kernel: Kernel, X: Any, Z: Any, dtype: Any) -> None:
        self.kernel = kernel
        self.left = sparse.csr_array(X).astype(dtype)
        self.right = self.left if Z is X else sparse.csr_array(Z).astype(dtype)
        self.left_squares = _squared_lengths(self.left)
        self.right_squares = _squared_lengths(self.right)
        self.shape = self.left.shape[0], self.right.shape[0]
        self.dtype = np.dtype(dtype)
        self._whole: Any = None

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        if columns is None:
            if self._whole is None:
                self._whole = self.right.tocsc(), self.right_squares
            return self.shape[1], self._whole
        some = self.right[columns].tocsc()
        return len(columns), (some, self.right_squares[columns])

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        from infimum.compiled import dot_postings, exponentiate_into

        some, (postings, squares) = self.left[i], right
        tile = scratch(some.shape[0], postings.shape[0], self.dtype)
        dot_postings(
            some.indptr, some.indices, some.data,
            postings.indptr, postings.indices, postings.data, tile,
        )  # fmt: skip
        if isinstance(self.kernel, Gaussian):
            gamma = 0.5 / float(self.kernel.width) ** 2
            tile *= 2.0 * gamma
            tile -= (gamma * self.left_squares[i])[:, None].astype(self.dtype)
            tile -= (gamma * squares).astype(self.dtype)
            exponentiate_into(tile, out, rows, 0)
        else:
            assert isinstance(self.kernel, DotKernel)
            self.kernel._transform(tile)
            out[rows] = tile

    def rounding(self, count: int) -> Vector | None:
        """Return the largest error of a sum of so many values in `multiply`."""
        if not isinstance(self.kernel, Gaussian):
            return None
        gamma = 0.5 / float(self.kernel.width) ** 2
        reach = np.sqrt(self.left_squares) + np.sqrt(self.right_squares.max(initial=0))
        entries = np.diff(self.left.indptr)
        return gaussian_rounding(self.dtype, np.sqrt(gamma) * reach, entries, count)


def _squared_lengths(X: Any) -> Vector:
    return np.asarray(X.power(2).sum(axis=1), dtype=np.float64).ravel()


class DotTiles(KernelTiles):
    """Kernel of dense rows that is a formula of the inner product."""

    def __init__(self, kernel: DotKernel, X: Any, Z: Any, dtype: Any) -> None:
        self.kernel, self.dtype = kernel, np.dtype(dtype)
        self.left = np.ascontiguousarray(X, dtype=dtype)
        self.right = np.ascontiguousarray(Z, dtype=dtype)
        self.shape = len(self.left), len(self.right)

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        right = self.right if columns is None else self.right[columns]
        return len(right), right

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        tile = self.left[i] @ right.T
        self.kernel._transform(tile)
        out[rows] = tile


class AnyTiles(KernelTiles):
    """Kernel of anything: strings, graphs, or a formula of no simple kind."""

    def __init__(self, kernel: Kernel, X: Any, Z: Any, dtype: Any) -> None:
        self.kernel, self.left, self.right = kernel, X, Z
        self.shape, self.dtype = (_size(X), _size(Z)), np.dtype(dtype)

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        right = self.right if columns is None else _take(self.right, columns)
        return _size(right), right

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        out[rows] = self.kernel(_take(self.left, i), right)


class GivenTiles(KernelTiles):
    """A Gram matrix that somebody else has computed."""

    def __init__(self, gram: Any) -> None:
        self.gram = np.asarray(gram)
        self.shape = self.gram.shape[0], self.gram.shape[1]
        self.dtype = self.gram.dtype

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        return self.shape[1] if columns is None else len(columns), columns

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        some = self.gram[i]
        out[rows] = some if right is None else some[:, right]


def kernel_tiles(
    kernel: Kernel | None, X: Any, Z: Any = None, dtype: Any = np.float64
) -> KernelTiles:
    """Return the tiles of `kernel` between X and Z (X itself when None).

    Without a kernel, X is the Gram matrix.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> kernel_tiles(Gaussian(), X).multiply(np.array([1.0, 0.0, -1.0])).round(3)
    array([ 0.865,  0.   , -0.865])
    """
    if kernel is None:
        return GivenTiles(X)
    Z = X if Z is None else Z
    rows = sparse.issparse(X) and sparse.issparse(Z)
    if rows and isinstance(kernel, Gaussian | DotKernel):
        return SparseTiles(kernel, X, Z, dtype)
    if isinstance(X, np.ndarray) and isinstance(Z, np.ndarray) and len(Z):
        if isinstance(kernel, Gaussian):
            return GaussianTiles(kernel, X, Z, dtype)
        if isinstance(kernel, DotKernel):
            return DotTiles(kernel, X, Z, dtype)
    return AnyTiles(kernel, X, Z, dtype)


def _size(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _take(X: Any, i: Any) -> Any:
    if hasattr(X, "shape") or isinstance(i, slice):
        return X[i]
    return [X[int(k)] for k in i]
