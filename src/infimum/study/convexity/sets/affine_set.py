"""Affine sets: the solutions of linear equations."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

from infimum.errors import IncompatibleError
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Matrix, Vector

__all__ = ["AffineSet"]


@dataclass(frozen=True, eq=False)
class AffineSet(ConvexSet):
    """The points {x : Ax = b}; A may have dependent rows, b must be in its range.

    >>> import numpy as np
    >>> line = AffineSet(np.ones((1, 2)), np.ones(1))
    >>> line.project(np.array([1.0, 1.0])).round(9).tolist()
    [0.5, 0.5]
    """

    matrix: Matrix
    target: Vector

    def violation(self, x: Vector) -> float:
        return float(np.max(np.abs(self.matrix @ x - self.target), initial=0.0))

    def project(self, x: Vector) -> Vector:
        return np.asarray(x - self._inverse @ (self.matrix @ x - self.target))

    def support(self, direction: Vector) -> float:
        along = self._inverse.T @ direction
        rest = float(np.max(np.abs(direction - self.matrix.T @ along)))
        if rest > self._rounding(direction) * (1.0 + np.max(np.abs(self.matrix))):
            return np.inf
        return float(along @ self.target)

    def support_point(self, direction: Vector) -> Vector:
        if self.support(direction) == np.inf:
            raise IncompatibleError(
                "AffineSet is unbounded in this direction, so no point of it reaches "
                "farthest; ask in a combination of the rows of its matrix."
            )
        return np.asarray(self._inverse @ self.target)

    @cached_property
    def _inverse(self) -> Matrix:
        return np.asarray(scipy.linalg.pinv(self.matrix))
