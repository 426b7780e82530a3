"""Fenchel conjugates by computation: of one variable, and on a grid."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.line_minimum import minimize_on_line
from infimum.typing import Vector

__all__ = ["NumericConjugate", "legendre_transform"]


@dataclass(frozen=True, eq=False)
class NumericConjugate(ConvexFunction):
    r"""The conjugate of a function of one variable, maximised each time it is asked.

    .. math:: f^*(s) = \sup_x\, s x - f(x)

    The gradient is the maximiser. `centre` should lie in the domain of the function.

    >>> import numpy as np
    >>> from infimum.study.convexity import SquaredNorm
    >>> round(NumericConjugate(SquaredNorm()).value(np.array([3.0])), 9)
    4.5
    """

    function: ConvexFunction
    centre: float = 0.0

    def value(self, x: Vector) -> float:
        point = self.gradient(x)
        if not np.isfinite(point[0]):
            return np.inf
        return float(x @ point) - self.function.value(point)

    def gradient(self, x: Vector) -> Vector:
        slope = float(x[0])

        def price(t: float) -> float:
            return self.function.value(np.array([t])) - slope * t

        return np.array([minimize_on_line(price, (self.centre,))])

    def conjugate(self) -> ConvexFunction:
        return self.function


def legendre_transform(points: Vector, values: Vector, slopes: Vector) -> Vector:
    """Return max over the grid of slope · point - value, for each slope.

    It is the exact conjugate of the function that takes `values` at `points` and is
    infinite elsewhere. Applied twice it gives the convex envelope of the values, as far
    as the slopes can tell.

    >>> import numpy as np
    >>> grid = np.linspace(-2, 2, 5)
    >>> legendre_transform(grid, 0.5 * grid**2, np.array([1.0])).tolist()
    [0.5]
    """
    return np.asarray(np.max(np.outer(slopes, points) - values, axis=1))
