"""Rayleigh's principle: eigenvalues as the best quotients on subspaces."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.study.matrices._arrays import (
    accept_matrix,
    accept_symmetric,
    accept_vector,
)
from infimum.study.matrices.bases import span
from infimum.study.matrices.power_method import power_method
from infimum.typing import Matrix, Vector

__all__ = [
    "RayleighSteps",
    "quotient_range",
    "rayleigh_principle",
    "rayleigh_quotient",
]


def rayleigh_quotient(A: Any, v: Any) -> float:
    """Return vᵗAv/‖v‖², which lies between the smallest and the largest eigenvalue.

    Examples
    --------
    >>> import numpy as np
    >>> rayleigh_quotient(np.diag([3.0, 1.0]), np.array([1.0, 1.0]))
    2.0
    """
    matrix = accept_symmetric(A, "rayleigh_quotient")
    vector = accept_vector(v, len(matrix), "rayleigh_quotient")
    if not vector.any():
        raise DataError("rayleigh_quotient needs a vector other than 0.")
    return float(vector @ matrix @ vector / (vector @ vector))


class RayleighSteps(NamedTuple):
    """The largest (or smallest) quotients, each orthogonal to those before it."""

    values: Vector
    vectors: Matrix
    #: Within this distance of each value lies an eigenvalue.
    errors: Vector


def rayleigh_principle(
    A: Any, count: int, *, largest: bool = True, tolerance: float = 1e-10
) -> RayleighSteps:
    r"""Find eigenvalues one by one, as maxima (or minima) of the quotient.

    .. math:: \lambda_{k+1} = \max_{v \perp v_1, \dots, v_k}
              \frac{v^\top A v}{\|v\|^2}

    Each maximum is found by the power method on the shifted matrix, whose steps raise
    the quotient, restricted to what is orthogonal to the vectors found before.

    Examples
    --------
    >>> import numpy as np
    >>> rayleigh_principle(np.diag([1.0, 5.0, 3.0]), 2).values.round(6)
    array([5., 3.])
    """
    matrix = accept_symmetric(A, "rayleigh_principle")
    check_domain("rayleigh_principle.count", count, whole(1, len(matrix)))
    sign, size = (1.0 if largest else -1.0), float(np.linalg.norm(matrix, np.inf))
    # Adding ‖A‖ to the spectrum makes the largest eigenvalue the largest in size.
    shifted = sign * matrix + size * np.eye(len(matrix))
    values, vectors = [], np.zeros((len(matrix), 0))
    for place in range(count):
        keep = np.eye(len(matrix)) - vectors @ vectors.T
        found = power_method(
            keep @ shifted @ keep,
            start=keep @ np.random.default_rng(place).normal(size=len(matrix)),
            tolerance=tolerance,
        )
        direction = keep @ found.vector
        direction /= np.linalg.norm(direction)
        vectors = np.column_stack([vectors, direction])
        values.append(float(direction @ matrix @ direction))
    errors = np.linalg.norm(matrix @ vectors - vectors * np.array(values), axis=0)
    return RayleighSteps(np.array(values), vectors, errors)


def quotient_range(A: Any, subspace: Any) -> tuple[float, float]:
    """Return the least and the largest quotient on the span of some columns.

    Of all subspaces of dimension k none has a least quotient above the k-th largest
    eigenvalue, and none a largest quotient below the k-th smallest (Courant and
    Fischer); the spans of eigenvectors attain both.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = quotient_range(np.diag([1.0, 5.0, 3.0]), np.eye(3)[:, 1:])
    >>> round(low, 9), round(high, 9)
    (3.0, 5.0)
    """
    matrix = accept_symmetric(A, "quotient_range")
    columns = accept_matrix(subspace, "quotient_range")
    basis = span(columns).orthonormal
    values = np.linalg.eigvalsh(basis.T @ matrix @ basis)
    return float(values[0]), float(values[-1])
