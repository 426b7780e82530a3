"""`ConvexFunction`: value, gradient, conjugate and prox."""

from abc import ABC, abstractmethod

import numpy as np

from infimum.errors import IncompatibleError
from infimum.typing import Matrix, Vector

__all__ = ["ConvexFunction"]


class ConvexFunction(ABC):
    r"""A closed convex function on real vectors, with values up to +inf.

    The moduli are stated in the norm of order `norm_order`: with
    :math:`\sigma` = `strong_convexity` and :math:`L` = `smoothness`,

    .. math:: \tfrac\sigma2 \|y - x\|^2
              \le f(y) - f(x) - \langle \nabla f(x), y - x\rangle
              \le \tfrac L2 \|y - x\|^2 .

    0 and infinity mean "none known". Functions combine with ``+``, ``-`` (an affine
    function only), ``*`` (a positive number), `after` and `along`; the result knows its
    gradient, its moduli and, where a rule exists, its conjugate.
    """

    @abstractmethod
    def value(self, x: Vector) -> float:
        """Return f(x); +inf outside the domain."""

    @abstractmethod
    def gradient(self, x: Vector) -> Vector:
        """Return the gradient at x or, at a kink, one fixed subgradient."""

    def hessian(self, x: Vector) -> Matrix:
        """Return the matrix of second derivatives at x."""
        raise IncompatibleError(
            f"{type(self).__name__} has no formula for its Hessian; "
            "numeric_hessian differences the gradient."
        )

    def conjugate(self) -> "ConvexFunction":
        r"""Return the Fenchel conjugate, sup over x of ⟨x, s⟩ - f(x), as a function."""
        raise IncompatibleError(
            f"{type(self).__name__} has no closed-form conjugate; "
            "NumericConjugate computes it for one variable."
        )

    @property
    def strong_convexity(self) -> float:
        """The largest known σ; 0 when none is known."""
        return 0.0

    @property
    def smoothness(self) -> float:
        """The smallest known L; infinity when none is known."""
        return np.inf

    @property
    def norm_order(self) -> float:
        """The order p of the norm in which the two moduli are stated."""
        return 2.0

    def after(self, matrix: Matrix, offset: Vector | None = None) -> "ConvexFunction":
        """Return x ↦ f(matrix x + offset)."""
        from infimum.study.convexity.algebra import AffineComposition

        return AffineComposition(self, matrix, offset)

    def along(self, point: Vector, direction: Vector) -> "ConvexFunction":
        """Return t ↦ f(point + t direction), a function of one variable."""
        return self.after(np.asarray(direction, dtype=float)[:, None], point)

    def __call__(self, x: Vector) -> float:
        return self.value(x)

    def __add__(self, other: "ConvexFunction | float") -> "ConvexFunction":
        from infimum.study.convexity.algebra import add

        return add(self, other)

    __radd__ = __add__

    def __sub__(self, other: "ConvexFunction | float") -> "ConvexFunction":
        from infimum.study.convexity.algebra import subtract

        return subtract(self, other)

    def __mul__(self, factor: float) -> "ConvexFunction":
        from infimum.study.convexity.algebra import Scaled

        return Scaled(self, factor)

    __rmul__ = __mul__
