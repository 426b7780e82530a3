"""Kernels that are a formula of the Euclidean distance."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from infimum.kernels.vectors._rows import (
    VectorKernel,
    is_sparse,
    multiply_rows,
    squared_lengths,
)
from infimum.typing import Matrix, Vector

__all__ = ["DistanceKernel", "squared_distances"]

#: Columns of sparse rows that so large a share of these has are held as dense ones.
FREQUENT = 0.5


class DistanceKernel(VectorKernel):
    """A kernel that depends on ‖x - z‖ alone, and is 1 at distance 0."""

    #: Whether the formula needs small distances to be right in relative terms, as a
    #: formula with a corner at 0 does.
    careful: ClassVar[bool] = True

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        squares = squared_distances(X, Z, careful=self.careful)

        def fill(rows: slice, columns: slice, out: Matrix) -> None:
            squares(rows, columns, out)
            self._transform(out)

        return fill

    def _diagonal(self, X: Any) -> Vector:
        return np.ones(X.shape[0], dtype=X.dtype)

    @abstractmethod
    def _transform(self, squares: Matrix) -> None:
        """Turn squared distances into kernel values, in place."""


def squared_distances(
    X: Any, Z: Any, *, careful: bool
) -> Callable[[slice, slice, Matrix], None]:
    """Return a filler of blocks of ‖x - z‖² = ‖x‖² + ‖z‖² - 2⟨x, z⟩."""
    if is_sparse(X) and is_sparse(Z) and Z.shape[0]:
        return _of_sparse_rows(X, Z, careful=careful)
    if not is_sparse(X) and not is_sparse(Z) and Z.shape[0]:
        X, Z = _near(X, Z)
    left, right = squared_lengths(X), squared_lengths(Z)

    def fill(rows: slice, columns: slice, out: Matrix) -> None:
        multiply_rows(X[rows], Z[columns], out)
        out *= -2.0
        out += left[rows, None]
        out += right[columns]
        np.maximum(out, 0.0, out=out)
        if careful:
            _refine(X[rows], Z[columns], left[rows], out)

    return fill


def _near(X: Any, Z: Any) -> tuple[Any, Any]:
    """Return dense rows as seen from the mean of Z.

    Distances do not see the origin, but the terms of the sum above do: near the data
    they are small, and little is lost when they cancel.
    """
    centre = Z.mean(axis=0)
    moved = X - centre
    return moved, (moved if Z is X else Z - centre)


def _of_sparse_rows(
    X: Any, Z: Any, *, careful: bool
) -> Callable[[slice, slice, Matrix], None]:
    """Return the filler for two sparse matrices, whose frequent columns are centred.

    A column can lie far from 0 as a whole only if most rows have an entry in it.
    """
    frequent = np.bincount(Z.indices, minlength=Z.shape[1]) >= FREQUENT * Z.shape[0]
    same, others = Z is X, X[:, ~frequent]
    near = X[:, frequent].toarray()
    near = _near(near, near if same else Z[:, frequent].toarray())
    rare = others, (others if same else Z[:, ~frequent])
    sides = zip(near, rare, strict=True)
    left, right = (squared_lengths(a) + squared_lengths(b) for a, b in sides)

    def fill(rows: slice, columns: slice, out: Matrix) -> None:
        multiply_rows(rare[0][rows], rare[1][columns], out)
        out += near[0][rows] @ near[1][columns].T
        out *= -2.0
        out += left[rows, None]
        out += right[columns]
        np.maximum(out, 0.0, out=out)
        if careful:
            _refine(X[rows], Z[columns], left[rows], out)

    return fill


def _refine(X: Any, Z: Any, lengths: Vector, out: Matrix) -> None:
    """Compute again, from differences, what has mostly cancelled."""
    threshold = np.sqrt(np.finfo(out.dtype).eps)
    i, j = np.nonzero(out < threshold * lengths[:, None])
    step = max(1, 2**18 // max(1, X.shape[1]))
    for start in range(0, len(i), step):
        some = slice(start, start + step)
        out[i[some], j[some]] = squared_lengths(X[i[some]] - Z[j[some]])
