"""The image of a convex set under a linear map, which is convex."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

from infimum.errors import DataError
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Matrix, Vector

__all__ = ["LinearImage"]


@dataclass(frozen=True, eq=False)
class LinearImage(ConvexSet):
    """All Ax with x in a set; A must have independent columns.

    >>> import numpy as np
    >>> from infimum.study.convexity import Ball
    >>> ellipse = LinearImage(Ball(), np.diag([2.0, 1.0]))
    >>> ellipse.contains(np.array([1.9, 0.0])), ellipse.support(np.array([1.0, 0.0]))
    (True, 2.0)
    """

    region: ConvexSet
    matrix: Matrix

    def __post_init__(self) -> None:
        if np.linalg.matrix_rank(self.matrix) < self.matrix.shape[1]:
            raise DataError(
                "LinearImage.matrix must have independent columns, so that a point has "
                "one preimage; drop the dependent ones."
            )

    def violation(self, x: Vector) -> float:
        origin = self._inverse @ x
        off_range = float(np.max(np.abs(self.matrix @ origin - x)))
        return max(self.region.violation(origin), off_range - self._rounding(x))

    def support_point(self, direction: Vector) -> Vector:
        return np.asarray(
            self.matrix @ self.region.support_point(self.matrix.T @ direction)
        )

    def support(self, direction: Vector) -> float:
        return self.region.support(self.matrix.T @ direction)

    @cached_property
    def _inverse(self) -> Matrix:
        return np.asarray(scipy.linalg.pinv(self.matrix))

    def _rounding(self, x: Vector) -> float:
        # Taking the preimage amplifies rounding by the condition of the matrix.
        return super()._rounding(x) * float(np.linalg.cond(self.matrix))
