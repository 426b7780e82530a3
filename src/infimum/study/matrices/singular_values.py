"""The singular value decomposition, and what it says about the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.parameters import check_domain, whole
from infimum.study.matrices._arrays import ROUNDING, accept_matrix
from infimum.typing import Matrix, Vector

__all__ = ["SingularValues", "singular_value_decomposition"]


@dataclass(frozen=True, eq=False)
class SingularValues:
    """A = U Σ Vᵗ in full: U and V are square and orthonormal.

    Attributes
    ----------
    U : ndarray of shape (n, n)
        Eigenvectors of A Aᵗ; the first `rank` span the image of A.
    values : ndarray of shape (min(n, d),)
        The singular values, largest first: roots of the eigenvalues of A Aᵗ and AᵗA.
    V : ndarray of shape (d, d)
        Eigenvectors of Aᵗ A; those after the first `rank` span the nullspace of A.
    error : float
        ‖U Σ Vᵗ - A‖ in the operator norm: no singular value is off by more.
    """

    U: Matrix
    values: Vector
    V: Matrix
    error: float

    @property
    def rank(self) -> int:
        """How many singular values are not 0."""
        return int(np.sum(self.values > ROUNDING * self.values[0]))

    @property
    def distinct(self) -> bool:
        """Whether all singular values differ, so that U and V are unique up to signs.

        Vectors of equal values may be rotated among one another, and so may those
        that belong to no singular value at all.
        """
        apart = -np.diff(self.values)
        return bool(np.all(apart > ROUNDING * self.values[0]))

    def truncated(self, rank: int) -> Matrix:
        """Return the nearest matrix of a given rank.

        It is ``values[rank]`` away in the operator norm, and no matrix of that rank is
        nearer (Eckart and Young).
        """
        check_domain("SingularValues.truncated rank", rank, whole(0, len(self.values)))
        kept = self.U[:, :rank] * self.values[:rank]
        return np.asarray(kept @ self.V[:, :rank].T)


def singular_value_decomposition(A: Any) -> SingularValues:
    """Decompose any matrix.

    Examples
    --------
    >>> import numpy as np
    >>> found = singular_value_decomposition(np.array([[0.0, 2.0, 0.0]]))
    >>> found.values, found.rank, found.V.shape
    (array([2.]), 1, (3, 3))
    """
    matrix = accept_matrix(A, "singular_value_decomposition")
    U, values, Vt = np.linalg.svd(matrix)
    count = len(values)
    again = (U[:, :count] * values) @ Vt[:count]
    return SingularValues(U, values, Vt.T, float(np.linalg.norm(again - matrix, 2)))
