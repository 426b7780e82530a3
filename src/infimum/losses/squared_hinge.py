"""Squared hinge loss: the square of what a margin lacks to 1."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.typing import Formula, Vector

__all__ = ["SquaredHinge"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -2y times how far the point is inside the margin."""
    return -2.0 * y * np.maximum(1.0 - y * f, 0.0)


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return 2 inside the margin and 0 outside."""
    return 1.0 + np.sign(1.0 - y * f)


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move a point inside the margin towards its edge by the factor of a quadratic."""
    return f + y * np.maximum(1.0 - y * f, 0.0) * 2.0 * step / (1.0 + 2.0 * step)


@dataclass(frozen=True)
class SquaredHinge(Loss):
    r"""Squared hinge loss for labels in {-1, +1}.

    .. math:: \ell(y, f) = \max(0, 1 - y f)^2

    Differentiable, so Newton's method applies; its target function is 2p - 1.

    Examples
    --------
    >>> import numpy as np
    >>> SquaredHinge().value(np.array([1.0, -1.0]), np.array([0.5, 0.5])).round(3)
    array([0.25, 2.25])
    """

    target: ClassVar[str] = "sign"
    curvature: ClassVar[float] = 2.0
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.maximum(1.0 - y * f, 0.0) ** 2

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        return np.where(y * s <= ROUNDING, y * s + 0.25 * s**2, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.where(y > 0, -np.inf, 0.0), np.where(y > 0, 0.0, np.inf)

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the mean label."""
        return 2.0 * np.asarray(chance) - 1.0

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        return float(np.average(y, weights=weights))
