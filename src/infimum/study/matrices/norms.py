"""Norms of matrices, with the vector that attains each bound."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.study.matrices._arrays import accept_matrix
from infimum.typing import Vector

__all__ = ["MatrixNorms", "matrix_norms"]


class MatrixNorms(NamedTuple):
    """The three usual norms of a matrix; all are norms of its singular values.

    Attributes
    ----------
    operator : float
        sup ‖Ax‖/‖x‖, the largest singular value.
    direction : ndarray
        A unit vector x that attains it.
    frobenius : float
        The root of the sum of squares: of the entries, of the singular values, and of
        the trace of AᵗA.
    nuclear : float
        The sum of the singular values.
    spectral_radius : float or None
        The largest |eigenvalue| of a square matrix: equal to the operator norm when A
        is normal (A Aᵗ = AᵗA), at most that otherwise.
    normal : bool
        Whether A is square and normal.
    """

    operator: float
    direction: Vector
    frobenius: float
    nuclear: float
    spectral_radius: float | None
    normal: bool


def matrix_norms(A: Any) -> MatrixNorms:
    """Measure a matrix.

    Always ‖A‖ ≤ ‖A‖_F ≤ ‖A‖_* ≤ √r ‖A‖_F ≤ r ‖A‖ for a matrix of rank r.

    Examples
    --------
    >>> import numpy as np
    >>> norms = matrix_norms(np.array([[0.0, 2.0], [0.0, 0.0]]))
    >>> norms.operator, norms.frobenius, norms.spectral_radius, norms.normal
    (2.0, 2.0, 0.0, False)
    """
    matrix = accept_matrix(A, "matrix_norms")
    _, values, Vt = np.linalg.svd(matrix, full_matrices=False)
    square = matrix.shape[0] == matrix.shape[1]
    radius = float(np.abs(np.linalg.eigvals(matrix)).max()) if square else None
    commuting = square and np.allclose(
        matrix @ matrix.T, matrix.T @ matrix, rtol=0.0, atol=1e-10 * values[0] ** 2
    )
    return MatrixNorms(
        operator=float(values[0]),
        direction=Vt[0],
        frobenius=float(np.sqrt((matrix**2).sum())),
        nuclear=float(values.sum()),
        spectral_radius=radius,
        normal=bool(commuting),
    )
