"""Eigenspaces of a square matrix, with the two multiplicities of each eigenvalue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space

from infimum.study.matrices._arrays import accept_square
from infimum.typing import Matrix, Vector

__all__ = [
    "Eigenspace",
    "characteristic_polynomial",
    "diagonalizable",
    "eigenspaces",
]


@dataclass(frozen=True, eq=False)
class Eigenspace:
    """An eigenvalue and the vectors that the matrix multiplies by it.

    Attributes
    ----------
    value : complex
        The eigenvalue; real ones have no imaginary part.
    algebraic : int
        How often it is a root of the characteristic polynomial.
    geometric : int
        The dimension of its eigenspace, never more than that.
    basis : ndarray of shape (d, geometric)
        An orthonormal basis of the eigenspace.
    """

    value: complex
    algebraic: int
    geometric: int
    basis: NDArray[Any]


def eigenspaces(A: Any, *, tolerance: float = 1e-6) -> list[Eigenspace]:
    """Return the distinct eigenvalues with their spaces, by decreasing real part.

    Computed eigenvalues closer than `tolerance` (relative to the largest entry) count
    as one: rounding splits a root of multiplicity m by about 1e-16 to the power 1/m.

    Examples
    --------
    >>> import numpy as np
    >>> (space,) = eigenspaces(np.array([[0.0, 1.0], [0.0, 0.0]]))
    >>> space.value, space.algebraic, space.geometric
    (0j, 2, 1)
    """
    matrix = accept_square(A, "eigenspaces")
    size = max(float(np.abs(matrix).max()), 1e-300)
    spaces, left = [], list(np.linalg.eigvals(matrix).astype(complex))
    while left:
        near = [value for value in left if abs(value - left[0]) <= tolerance * size]
        left = [value for value in left if abs(value - left[0]) > tolerance * size]
        centre = complex(np.mean(near))
        if abs(centre.imag) <= tolerance * size:
            centre = complex(centre.real)
        basis = _null_space(matrix, centre, tolerance)
        spaces.append(Eigenspace(centre, len(near), basis.shape[1], basis))
    return sorted(spaces, key=lambda space: (-space.value.real, -space.value.imag))


def _null_space(matrix: Matrix, value: complex, tolerance: float) -> NDArray[Any]:
    shifted = matrix - (value if value.imag else value.real) * np.eye(len(matrix))
    if not np.abs(shifted).max() > 0.0:
        return np.eye(len(matrix))
    return np.asarray(null_space(shifted, rcond=tolerance))


def diagonalizable(A: Any, *, tolerance: float = 1e-6) -> bool:
    """Tell whether the eigenvectors span the space: A = V D V⁻¹ for some V.

    That is so when both multiplicities of every eigenvalue agree. V can be orthonormal
    when A is symmetric.
    """
    spaces = eigenspaces(A, tolerance=tolerance)
    return all(space.algebraic == space.geometric for space in spaces)


def characteristic_polynomial(A: Any) -> Vector:
    """Return the coefficients of det(λI - A), highest power first.

    Its roots are the eigenvalues. Computed from A alone by the recursion of Faddeev and
    LeVerrier, which needs traces of products only.

    Examples
    --------
    >>> import numpy as np
    >>> characteristic_polynomial(np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([ 1., -4.,  3.])
    """
    matrix = accept_square(A, "characteristic_polynomial")
    d = len(matrix)
    coefficients, product = [1.0], np.zeros_like(matrix)
    for k in range(1, d + 1):
        product = matrix @ product + coefficients[-1] * np.eye(d)
        coefficients.append(-float(np.trace(matrix @ product)) / k)
    return np.array(coefficients)
