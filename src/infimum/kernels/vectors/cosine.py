"""Cosine kernel: the angle between two vectors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.kernels.vectors._rows import (
    VectorKernel,
    is_sparse,
    multiply_rows,
    squared_lengths,
)
from infimum.typing import Matrix, Vector

__all__ = ["Cosine"]


@dataclass(frozen=True)
class Cosine(VectorKernel):
    r"""Inner product of the vectors after each is brought to length 1.

    .. math:: k(x, z) = \frac{⟨x, z⟩}{\|x\|\,\|z\|}

    1 for vectors that point the same way, 0 for orthogonal ones, whatever their
    lengths. The zero vector has no direction; its values are 0.

    Examples
    --------
    >>> import numpy as np
    >>> Cosine()(np.array([[2.0, 0.0]]), np.array([[3.0, 4.0]])).round(6)
    array([[0.6]])
    """

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        same = Z is X
        X = _unit(X)
        Z = X if same else _unit(Z)

        def fill(rows: slice, columns: slice, out: Matrix) -> None:
            multiply_rows(X[rows], Z[columns], out)

        return fill

    def _diagonal(self, X: Any) -> Vector:
        return np.asarray((squared_lengths(X) > 0).astype(X.dtype))


def _unit(X: Any) -> Any:
    lengths = np.sqrt(squared_lengths(X))
    factors = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    if is_sparse(X):
        return sparse.csr_array(X.multiply(factors[:, None]))
    return X * factors[:, None]
