"""Bases: what vectors span, whether they are independent, and where x is in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.matrices._arrays import ROUNDING, accept_matrix, accept_vector
from infimum.typing import Matrix, Vector

__all__ = ["Coordinates", "Span", "coordinates", "span"]


@dataclass(frozen=True, eq=False)
class Span:
    """What the columns of a matrix span.

    Attributes
    ----------
    dimension : int
        Of the space they span.
    size : int
        Of the space they live in.
    independent : bool
        Whether none of them is a combination of the others.
    orthonormal : ndarray of shape (size, dimension)
        An orthonormal basis of what they span.
    relation : ndarray or None
        When they are dependent: weights, not all 0, whose combination of them is 0.
    """

    dimension: int
    size: int
    independent: bool
    orthonormal: Matrix
    relation: Vector | None

    @property
    def basis(self) -> bool:
        """Whether the vectors are a basis of the whole space."""
        return self.independent and self.dimension == self.size

    def __contains__(self, x: Any) -> bool:
        vector = accept_vector(x, self.size, "Span")
        rest = vector - self.orthonormal @ (self.orthonormal.T @ vector)
        return bool(np.linalg.norm(rest) <= ROUNDING * np.linalg.norm(vector))


class Coordinates(NamedTuple):
    """Weights on the vectors of a basis, and how far their combination is from x."""

    values: Vector
    residual: float


def span(vectors: Any) -> Span:
    """Examine vectors, given as the columns of a matrix.

    The singular values decide: those below 1e-10 of the largest count as 0.

    Examples
    --------
    >>> import numpy as np
    >>> span(np.array([[1.0, 1.0], [1.0, 2.0]])).basis
    True
    >>> twins = span(np.array([[1.0, 2.0], [1.0, 2.0]]))
    >>> twins.basis, twins.dimension, (twins.relation / twins.relation[1]).round(9)
    (False, 1, array([-2.,  1.]))
    """
    matrix = accept_matrix(vectors, "span")
    U, values, Vt = np.linalg.svd(matrix)
    dimension = int(np.sum(values > ROUNDING * values[0]))
    independent = dimension == matrix.shape[1]
    relation = None if independent else Vt[-1]
    return Span(dimension, len(matrix), independent, U[:, :dimension], relation)


def coordinates(basis: Any, x: Any) -> Coordinates:
    """Return the weights with which the columns of `basis` combine to x.

    Examples
    --------
    >>> import numpy as np
    >>> coordinates(np.array([[1.0, 1.0], [1.0, 2.0]]), np.array([3.0, 5.0])).values
    array([1., 2.])
    """
    matrix = accept_matrix(basis, "coordinates")
    vector = accept_vector(x, len(matrix), "coordinates")
    if not (found := span(matrix)).independent:
        raise IncompatibleError(
            f"coordinates needs independent vectors; {matrix.shape[1]} were given that "
            f"span {found.dimension} dimensions, so coordinates are not unique."
        )
    values = np.linalg.lstsq(matrix, vector, rcond=None)[0]
    residual = float(np.linalg.norm(matrix @ values - vector))
    if residual > ROUNDING * float(np.linalg.norm(vector)):
        raise IncompatibleError(
            f"coordinates needs a vector in the span, got one {residual:.3g} away."
        )
    return Coordinates(values, residual)
