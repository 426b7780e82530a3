"""Lengths, angles and orthogonality, and what orthonormal columns are good for."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.study.matrices._arrays import ROUNDING, accept_matrix, accept_vector

__all__ = ["OrthogonalityReport", "angle", "orthogonality"]


def angle(x: Any, z: Any) -> float:
    """Return the angle between two vectors, from 0 to π, also when it is tiny.

    From the difference and the sum of the unit vectors (Kahan), since the arc cosine of
    ⟨x, z⟩/(‖x‖‖z‖) loses half the digits near 0 and π.

    Examples
    --------
    >>> import numpy as np
    >>> round(angle([1.0, 0.0], [1.0, 1.0]) / np.pi, 12)
    0.25
    """
    first = accept_vector(x, np.size(x), "angle")
    second = accept_vector(z, first.size, "angle")
    if not (first.any() and second.any()):
        raise DataError("angle needs two vectors other than 0.")
    a, b = first / np.linalg.norm(first), second / np.linalg.norm(second)
    return float(2.0 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b)))


class OrthogonalityReport(NamedTuple):
    """What the columns of a matrix are to one another.

    Attributes
    ----------
    orthogonal : bool
        Whether any two of them are orthogonal.
    orthonormal : bool
        Whether they moreover have length 1, so that AᵗA = I.
    inverse_is_transpose : bool
        Whether moreover A is square, so that AAᵗ = I as well.
    defect : float
        The largest |cosine| between two columns.
    """

    orthogonal: bool
    orthonormal: bool
    inverse_is_transpose: bool
    defect: float


def orthogonality(A: Any) -> OrthogonalityReport:
    """Examine the columns of a matrix.

    Orthonormal columns keep lengths and angles; only if there are as many as rows does
    the transpose undo the map from both sides.

    Examples
    --------
    >>> import numpy as np
    >>> tall = orthogonality(np.eye(3)[:, :2])
    >>> tall.orthonormal, tall.inverse_is_transpose
    (True, False)
    """
    matrix = accept_matrix(A, "orthogonality")
    lengths = np.linalg.norm(matrix, axis=0)
    units = matrix / np.where(lengths > 0.0, lengths, 1.0)
    cosines = units.T @ units
    np.fill_diagonal(cosines, 0.0)
    defect = float(np.abs(cosines).max(initial=0.0))
    orthogonal = defect <= ROUNDING
    orthonormal = orthogonal and bool(np.all(np.abs(lengths - 1.0) <= ROUNDING))
    square = matrix.shape[0] == matrix.shape[1]
    return OrthogonalityReport(orthogonal, orthonormal, orthonormal and square, defect)
