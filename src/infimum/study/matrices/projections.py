"""Projections: onto subspaces, along others, and onto affine sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import null_space

from infimum.errors import IncompatibleError
from infimum.study.matrices._arrays import (
    ROUNDING,
    accept_matrix,
    accept_square,
    accept_vector,
    negligible,
)
from infimum.study.matrices.bases import span
from infimum.typing import Matrix, Vector

__all__ = ["AffineProjection", "Projection", "project_along", "project_onto"]


@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map that changes nothing when it is applied twice: P² = P.

    It is orthogonal when its nullspace is orthogonal to its image, which is when P is
    symmetric; otherwise it projects askew.

    Examples
    --------
    >>> import numpy as np
    >>> askew = Projection(np.array([[1.0, 1.0], [0.0, 0.0]]))
    >>> askew(np.array([2.0, 3.0])), askew.orthogonal
    (array([5., 0.]), False)
    """

    matrix: Matrix

    def __post_init__(self) -> None:
        matrix = accept_square(self.matrix, "Projection")
        object.__setattr__(self, "matrix", matrix)
        if not negligible(matrix @ matrix - matrix, np.maximum(np.abs(matrix), 1.0)):
            worst = float(np.abs(matrix @ matrix - matrix).max())
            raise IncompatibleError(
                f"Projection needs P² = P; entries of P² - P reach {worst:.3g}."
            )

    def __call__(self, x: Any) -> Vector:
        """Return P x."""
        return self.matrix @ accept_vector(x, len(self.matrix), "Projection")

    @cached_property
    def image(self) -> Matrix:
        """An orthonormal basis V of what is hit, in columns."""
        return span(self.matrix).orthonormal if self.matrix.any() else self._none

    @cached_property
    def nullspace(self) -> Matrix:
        """An orthonormal basis of what is sent to 0, in columns."""
        return np.asarray(null_space(self.matrix, rcond=ROUNDING))

    @property
    def orthogonal(self) -> bool:
        """Whether image and nullspace are orthogonal to each other."""
        across = self.image.T @ self.nullspace
        return bool(np.abs(across).max(initial=0.0) <= ROUNDING)

    def coordinates(self, x: Any) -> Vector:
        """Return Vᵗ P x: the image as few numbers, one for each dimension."""
        return np.asarray(self.image.T @ self(x))

    @property
    def _none(self) -> Matrix:
        return np.zeros((len(self.matrix), 0))


def project_onto(vectors: Any) -> Projection:
    """Return the orthogonal projection P = V Vᵗ onto the span of some columns.

    Examples
    --------
    >>> import numpy as np
    >>> project_onto(np.array([[3.0], [4.0]]))(np.array([1.0, 0.0])).round(2)
    array([0.36, 0.48])
    """
    V = span(accept_matrix(vectors, "project_onto")).orthonormal
    return Projection(V @ V.T)


def project_along(image: Any, nullspace: Any) -> Projection:
    """Return the projection onto one span along another; they must complement.

    Examples
    --------
    >>> import numpy as np
    >>> project_along([[1.0], [0.0]], [[-1.0], [1.0]]).matrix
    array([[1., 1.],
           [0., 0.]])
    """
    onto = span(accept_matrix(image, "project_along")).orthonormal
    along = span(accept_matrix(nullspace, "project_along")).orthonormal
    together = np.column_stack([onto, along])
    if not span(together).basis:
        raise IncompatibleError(
            f"project_along needs complements; dimensions {onto.shape[1]} and "
            f"{along.shape[1]} do not make up {len(together)} without overlap."
        )
    weights = np.linalg.inv(together)[: onto.shape[1]]
    return Projection(onto @ weights)


@dataclass(frozen=True, eq=False)
class AffineProjection:
    """The projection onto an affine set S = mean + image: T x = P(x - mean) + mean.

    Examples
    --------
    >>> import numpy as np
    >>> line = AffineProjection(project_onto([[1.0], [0.0]]), np.array([0.0, 2.0]))
    >>> line(np.array([5.0, 7.0]))
    array([5., 2.])
    """

    linear: Projection
    mean: Vector

    def __post_init__(self) -> None:
        size = len(self.linear.matrix)
        mean = accept_vector(self.mean, size, "AffineProjection mean")
        object.__setattr__(self, "mean", mean)

    def __call__(self, x: Any) -> Vector:
        """Return the point of the affine set that x is sent to."""
        vector = accept_vector(x, len(self.mean), "AffineProjection")
        return np.asarray(self.linear(vector - self.mean) + self.mean)

    def distance(self, x: Any) -> float:
        """Return how far x is from where it is sent."""
        vector = accept_vector(x, len(self.mean), "AffineProjection")
        return float(np.linalg.norm(vector - self(vector)))
