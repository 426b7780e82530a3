"""The spectral decomposition of a symmetric matrix, with bounds on its errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.study.matrices._arrays import accept_symmetric
from infimum.typing import Matrix, Vector

__all__ = ["Spectrum", "spectral_decomposition"]


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Eigenvalues, largest first, and orthonormal eigenvectors of a symmetric matrix.

    Attributes
    ----------
    values : ndarray of shape (d,)
        The eigenvalues λ₁ ≥ λ₂ ≥ …
    vectors : ndarray of shape (d, d)
        Their eigenvectors, in columns.
    errors : ndarray of shape (d,)
        ‖A vᵢ - λᵢ vᵢ‖: within this distance of λᵢ the matrix has an eigenvalue.
    """

    values: Vector
    vectors: Matrix
    errors: Vector

    @property
    def matrix(self) -> Matrix:
        """The matrix V D Vᵗ that is put together again."""
        return np.asarray((self.vectors * self.values) @ self.vectors.T)

    def terms(self) -> list[Matrix]:
        """Return λᵢ vᵢ vᵢᵗ for each i; their sum is the matrix."""
        pairs = zip(self.values, self.vectors.T, strict=True)
        return [value * np.outer(vector, vector) for value, vector in pairs]

    def apply(self, function: Callable[[Vector], Vector]) -> Matrix:
        """Return the function of the matrix: Σ function(λᵢ) vᵢ vᵢᵗ."""
        return np.asarray((self.vectors * function(self.values)) @ self.vectors.T)


def spectral_decomposition(A: Any) -> Spectrum:
    r"""Decompose a symmetric matrix.

    .. math:: A = V D V^\top = \sum_i \lambda_i v_i v_i^\top, \qquad V^\top V = I

    Examples
    --------
    >>> import numpy as np
    >>> spectrum = spectral_decomposition(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> spectrum.values.round(12), spectrum.apply(np.sqrt).round(3)
    (array([3., 1.]), array([[1.366, 0.366],
           [0.366, 1.366]]))
    """
    matrix = accept_symmetric(A, "spectral_decomposition")
    values, vectors = np.linalg.eigh(matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    errors = np.linalg.norm(matrix @ vectors - vectors * values, axis=0)
    return Spectrum(values, vectors, errors)
