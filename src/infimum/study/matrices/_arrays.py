"""The door of the room: what counts as a vector, a matrix, and as zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = [
    "ROUNDING",
    "accept_matrix",
    "accept_square",
    "accept_symmetric",
    "accept_vector",
    "negligible",
]

#: What counts as zero, relative to the largest number it is compared with.
ROUNDING = 1e-10
MATRIX = 2


def accept_matrix(A: Any, owner: str) -> Matrix:
    """Return A as a finite float64 matrix with at least one entry."""
    matrix = np.asarray(A, dtype=np.float64)
    if matrix.ndim != MATRIX or matrix.size == 0:
        raise DataError(f"{owner} needs a matrix with entries, got {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise DataError(f"{owner} needs finite numbers, got NaN or infinity.")
    return matrix


def accept_square(A: Any, owner: str) -> Matrix:
    """Return A as a finite square matrix."""
    matrix = accept_matrix(A, owner)
    if matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"{owner} needs a square matrix, got shape {matrix.shape}.")
    return matrix


def accept_symmetric(A: Any, owner: str) -> Matrix:
    """Return A as a matrix that is exactly symmetric, if it nearly is."""
    matrix = accept_square(A, owner)
    if not negligible(matrix - matrix.T, matrix):
        worst = float(np.abs(matrix - matrix.T).max())
        raise DataError(f"{owner} needs a symmetric matrix; entries differ by {worst}.")
    return np.asarray(0.5 * (matrix + matrix.T))


def accept_vector(x: Any, size: int, owner: str) -> Vector:
    """Return x as a finite vector of a given length."""
    vector = np.asarray(x, dtype=np.float64)
    if vector.shape != (size,):
        raise DataError(f"{owner} needs {size} numbers, got shape {vector.shape}.")
    if not np.isfinite(vector).all():
        raise DataError(f"{owner} needs finite numbers, got NaN or infinity.")
    return vector


def negligible(small: Any, large: Any) -> bool:
    """Tell whether one array is rounding compared with another."""
    size = float(np.abs(large).max(initial=0.0))
    return bool(np.abs(small).max(initial=0.0) <= ROUNDING * size)
