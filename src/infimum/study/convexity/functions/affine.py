"""Affine functions: the only functions that are convex and concave at once."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["Affine"]


@dataclass(frozen=True, eq=False)
class Affine(ConvexFunction):
    r"""A plane: :math:`f(x) = \langle a, x\rangle + c`.

    Its conjugate is finite at a single point, the slope.

    >>> import numpy as np
    >>> plane = Affine(np.array([1.0, -2.0]), 3.0)
    >>> plane.value(np.array([1.0, 1.0])), plane.conjugate().value(plane.slope)
    (2.0, -3.0)
    """

    slope: Vector
    constant: float = 0.0

    def value(self, x: Vector) -> float:
        return float(self.slope @ x) + self.constant

    def gradient(self, x: Vector) -> Vector:
        return np.array(self.slope, dtype=float)

    def hessian(self, x: Vector) -> Matrix:
        return np.zeros((x.size, x.size))

    def conjugate(self) -> ConvexFunction:
        from infimum.study.convexity.algebra import Raised
        from infimum.study.convexity.functions.indicator import Indicator
        from infimum.study.convexity.sets import ConvexHull

        return Raised(Indicator(ConvexHull(self.slope[None, :])), -self.constant)

    @property
    def smoothness(self) -> float:
        return 0.0
