"""Tiles of a Gram matrix between two collections, computed on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.kernels import Gaussian, Kernel, Linear
from infimum.kernels.vectors._dot_kernel import DotKernel
from infimum.objectives._exact_sums import sums_of_products
from infimum.objectives._gaussian_tiles import GaussianTiles
from infimum.objectives._kernel_rounding import dot_rounding
from infimum.objectives._sparse_tiles import SparseTiles
from infimum.objectives._tile_contract import KernelTiles
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KernelTiles", "kernel_tiles"]


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

    def lengths(self) -> Vector:
        """Return √k(x, x)."""
        values = np.einsum("ij,ij->i", self.left, self.left, dtype=np.float64)
        self.kernel._transform(values)
        return np.asarray(np.sqrt(np.abs(values)))

    def blur(self) -> Vector | float:
        """Return the largest error of a value, as a share of √k(x, x) √k(z, z)."""
        return float(dot_rounding(self.kernel, self.left.shape[1]))

    def careful_sums(
        self, coefficients: Vector, columns: Indices
    ) -> tuple[Vector, Vector] | None:
        """Return sums over samples that may repeat, and their errors at most.

        Under the linear kernel they are inner products with one vector, in which large
        coefficients have cancelled already.
        """
        if not isinstance(self.kernel, Linear):
            return None
        weights, errors = sums_of_products(coefficients, self.right[columns])
        errors += float(dot_rounding(self.kernel, len(weights))) * np.abs(weights)
        return self.left @ weights, np.abs(self.left) @ errors


class AnyTiles(KernelTiles):
    """Kernel of anything: strings, graphs, or a formula of no simple kind."""

    def __init__(self, kernel: Kernel, X: Any, Z: Any, dtype: Any) -> None:
        self.kernel, self.left, self.right = kernel, X, Z
        self.shape, self.dtype = (_size(X), _size(Z)), np.dtype(dtype)
        self._lengths: Vector | None = None

    def _prepare(self, columns: Indices | None) -> tuple[int, Any]:
        right = self.right if columns is None else _take(self.right, columns)
        return _size(right), right

    def _fill(self, i: Any, right: Any, out: Matrix, rows: Indices) -> None:
        out[rows] = self.kernel(_take(self.left, i), right)

    def lengths(self) -> Vector:
        """Return √k(x, x)."""
        if self._lengths is None:
            self._lengths = np.sqrt(np.abs(self.kernel.diagonal(self.left)))
        return self._lengths


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

    def lengths(self) -> Vector:
        """Return √k(x, x)."""
        return np.sqrt(np.abs(np.diag(self.gram).astype(np.float64)))


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
