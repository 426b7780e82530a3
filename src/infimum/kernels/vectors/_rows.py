"""Rows of matrices: how vectors come into a kernel, and leave it block by block."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.data.canonical import canonical
from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = [
    "VectorKernel",
    "accept_rows",
    "fill_by_dense_blocks",
    "is_sparse",
    "multiply_rows",
    "squared_lengths",
]

#: Entries of a block of dense rows that are compared at a time.
BLOCK = 2**20
#: Rows and columns of a tile of the Gram matrix: few enough to stay in the cache
#: between the matrix product and the formula, enough for the product to be fast.
TILE = 320
#: Gram matrices with more entries than this are worth waking the other cores.
SERIAL = 2**20
MATRIX = 2


class VectorKernel(Kernel):
    """A kernel on the rows of matrices, dense or CSR, filled in block by block.

    Float32 in is float32 work and float32 out. When both collections are the same,
    only the blocks on and below the diagonal are computed; the rest is their mirror.
    """

    @property
    def reads_rows(self) -> bool:
        """Whether it compares rows of a table: always."""
        return True

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        same = Z is None or Z is X
        X, Z = accept_rows(X, X if same else Z)
        out = np.empty((X.shape[0], Z.shape[0]), dtype=X.dtype)
        fill = self._filler(X, Z)
        whole = is_sparse(X) or is_sparse(Z)  # cutting compressed rows costs a copy
        tiles = list(_tiles(*out.shape, lower=same, whole=whole))

        def work(some: slice) -> None:
            for rows, columns in tiles[some]:
                fill(rows, columns, out[rows, columns])
                if same:
                    _mirror(out, rows, columns)

        _share(work, len(tiles), out.size)
        if same:
            np.fill_diagonal(out, self._diagonal(X))
        return out

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(self._diagonal(accept_rows(X, X)[0]))

    @abstractmethod
    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        """Return a function that writes a block, rows of X and of Z, into a view."""

    @abstractmethod
    def _diagonal(self, X: Any) -> Vector:
        """Return k(x, x) for each row."""


def is_sparse(X: Any) -> bool:
    """Return whether `X` is a SciPy sparse matrix or array."""
    return bool(sparse.issparse(X))


def accept_rows(X: Any, Z: Any) -> tuple[Any, Any]:
    """Admit two matrices of as many columns, of one float type, dense or CSR."""
    X, Z = _as_matrix(X), (None if Z is X else _as_matrix(Z))
    Z = X if Z is None else Z
    # An empty list says nothing about its number of columns.
    if X.shape == (0, 0):
        X = np.empty((0, Z.shape[1]), dtype=Z.dtype)
    if Z.shape == (0, 0):
        Z = np.empty((0, X.shape[1]), dtype=X.dtype)
    if X.shape[1] != Z.shape[1]:
        raise DataError(
            f"A kernel compares vectors of one length, got {X.shape[1]} and "
            f"{Z.shape[1]} columns."
        )
    kind = np.result_type(X.dtype, Z.dtype)
    same = Z is X
    X = X.astype(kind, copy=False)
    return X, (X if same else Z.astype(kind, copy=False))


def _as_matrix(X: Any) -> Any:
    matrix: Any
    if is_sparse(X):
        matrix = sparse.csr_array(canonical(X))
    else:
        matrix = np.asarray(X)
        if matrix.shape == (0,):
            matrix = np.empty((0, 0))
    if matrix.ndim != MATRIX or matrix.dtype.kind not in "fiub":
        raise DataError(
            "A kernel on vectors expects a matrix of numbers, one row per vector, got "
            f"shape {matrix.shape} of {matrix.dtype}."
        )
    if not np.isfinite(matrix.data if is_sparse(matrix) else matrix).all():
        raise DataError("A kernel on vectors expects finite numbers, got NaN or inf.")
    single = matrix.dtype == np.float32
    return matrix if single else matrix.astype(np.float64, copy=False)


def _blocks(count: int, size: int) -> Iterator[slice]:
    size = max(size, 64)
    for start in range(0, count, size):
        yield slice(start, min(count, start + size))


def _tiles(
    rows: int, columns: int, *, lower: bool, whole: bool
) -> Iterator[tuple[slice, slice]]:
    """Cut a matrix into tiles, or only its part on and below the diagonal."""
    for across in _blocks(rows, TILE):
        stop = across.stop if lower else columns
        for down in [slice(0, stop)] if whole else _blocks(stop, TILE):
            yield across, down


def _share(work: Callable[[slice], None], count: int, entries: int) -> None:
    """Do the work on all tiles, on all cores when there is much of it."""
    if entries <= SERIAL or count == 1:
        work(slice(0, count))
        return
    from infimum.compiled.threads import in_parts, one_blas_thread

    with one_blas_thread():
        in_parts(count, work, min(count, 64))


def _mirror(out: Matrix, rows: slice, columns: slice) -> None:
    """Write a tile on or below the diagonal to the other side of it."""
    below = slice(columns.start, min(columns.stop, rows.start))
    out[below, rows] = out[rows, below].T
    if columns.stop == rows.stop:
        square = out[rows, rows]
        square[...] = np.where(np.tri(len(square), dtype=bool), square, square.T)


def multiply_rows(X: Any, Z: Any, out: Matrix) -> None:
    """Write the inner products of the rows of X with the rows of Z into `out`."""
    if is_sparse(X) or is_sparse(Z):
        product = X @ Z.T
        out[...] = product.toarray() if is_sparse(product) else product
    else:
        np.matmul(X, Z.T, out=out)


def squared_lengths(X: Any) -> Vector:
    """Return ‖x‖² of each row."""
    if is_sparse(X):
        return np.asarray(X.power(2).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,ij->i", X, X))


def fill_by_dense_blocks(
    X: Any, Z: Any, formula: Callable[[NDArray[Any], NDArray[Any], Matrix], None]
) -> Callable[[slice, slice, Matrix], None]:
    """Return a filler for a formula that needs dense rows, never many at a time."""
    width = max(1, X.shape[1])

    def fill(rows: slice, columns: slice, out: Matrix) -> None:
        for start, left in _dense(X[rows], width):
            for other, right in _dense(Z[columns], width):
                part = out[start : start + len(left), other : other + len(right)]
                formula(left, right, part)

    return fill


def _dense(X: Any, width: int) -> Iterator[tuple[int, NDArray[Any]]]:
    if not is_sparse(X):
        yield 0, np.ascontiguousarray(X)
        return
    for rows in _blocks(X.shape[0], BLOCK // width):
        yield rows.start, X[rows].toarray()
