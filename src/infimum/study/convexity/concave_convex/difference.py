"""Differences of convex functions: nearly every function is one."""

from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.oracle import Oracle
from infimum.study.convexity.functions.squared_norm import SquaredNorm
from infimum.study.convexity.local_models import first_order_model
from infimum.typing import Matrix, Vector

__all__ = ["DifferenceOfConvex", "split_by_curvature"]


@dataclass(frozen=True, eq=False)
class DifferenceOfConvex:
    r"""A function :math:`J = f - g` with f and g convex; J itself need not be.

    It is not a `ConvexFunction`, but has value, gradient and Hessian like one, and at
    every point a convex function above it that touches it there (`majorant`).

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm, SquaredNorm
    >>> well = DifferenceOfConvex(SquaredNorm(), 2.0 * Norm())  # w²/2 - 2|w|
    >>> well.value(np.array([2.0])), well.gradient(np.array([2.0])).tolist()
    (-2.0, [0.0])
    """

    convex: ConvexFunction
    subtracted: ConvexFunction

    def value(self, x: Vector) -> float:
        """Return J(x)."""
        return self.convex.value(x) - self.subtracted.value(x)

    __call__ = value

    def gradient(self, x: Vector) -> Vector:
        """Return ∇f(x) - ∇g(x)."""
        return np.asarray(self.convex.gradient(x) - self.subtracted.gradient(x))

    def hessian(self, x: Vector) -> Matrix:
        """Return the matrix of second derivatives."""
        return np.asarray(self.convex.hessian(x) - self.subtracted.hessian(x))

    def majorant(self, point: Vector) -> ConvexFunction:
        """Return f minus the tangent plane of g at a point: convex, and nowhere below.

        The tangent plane lies below g, so its negative lies above -g.
        """
        plane = first_order_model(self.subtracted, point)
        return self.convex + Affine(-plane.slope, -plane.constant)

    def rate(self, point: Vector) -> float:
        r"""Return the factor by which the procedure shrinks errors near a fixed point.

        It is the largest eigenvalue of :math:`(\nabla^2 f)^{-1}\nabla^2 g`, below 1 at
        a strict local minimum: the flatter f - g compared to f, the slower.
        """
        bend, taken = self.convex.hessian(point), self.subtracted.hessian(point)
        return float(np.max(np.abs(np.linalg.eigvals(np.linalg.solve(bend, taken)))))


def split_by_curvature(
    function: ConvexFunction, curvature: float
) -> DifferenceOfConvex:
    r"""Split a function with second derivatives of at least -`curvature`.

    .. math:: J = \bigl(J + \tfrac L2\|w\|^2\bigr) - \tfrac L2\|w\|^2

    Every function with a bounded Hessian can be split so. A given `Oracle` need not be
    convex itself.

    >>> import numpy as np
    >>> from infimum.study.convexity import Oracle
    >>> wave = Oracle(lambda w: float(np.cos(w[0])), lambda w: -np.sin(w))
    >>> split = split_by_curvature(wave, 1.0)
    >>> round(split.value(np.array([np.pi])), 9)
    -1.0
    """
    check_domain("split_by_curvature curvature", curvature, positive)
    bowl = SquaredNorm(scale=curvature)
    missing = isinstance(function, Oracle) and function.curvature is None

    def bend(w: Vector) -> Matrix:
        if missing:
            raise DataError(
                "split_by_curvature was given a function without a Hessian; "
                "numeric_hessian differences its gradient."
            )
        return np.asarray(function.hessian(w) + bowl.hessian(w))

    lifted = Oracle(
        lambda w: function.value(w) + bowl.value(w),
        lambda w: function.gradient(w) + bowl.gradient(w),
        bend,
    )
    return DifferenceOfConvex(lifted, bowl)
