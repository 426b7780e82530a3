"""Squared ε-insensitive loss: the squared distance to a tube around the target."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import Loss
from infimum.parameters import nonnegative
from infimum.typing import Formula, Vector

__all__ = ["SquaredEpsilonInsensitive"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return twice the part of the residual outside the tube."""
    residual = f - y
    outside = np.maximum(np.abs(residual) - parameters[0], 0.0)
    return 2.0 * np.sign(residual) * outside


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return 2 outside the tube and 0 inside."""
    return 1.0 + np.sign(np.abs(f - y) - parameters[0])


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move a score outside the tube towards its wall by the factor of a quadratic."""
    residual = f - y
    outside = np.maximum(np.abs(residual) - parameters[0], 0.0)
    return f - np.sign(residual) * outside * 2.0 * step / (1.0 + 2.0 * step)


@dataclass(frozen=True)
class SquaredEpsilonInsensitive(Loss):
    r"""Squared distance to a tube of half-width `epsilon` around the truth.

    .. math:: \ell(y, f) = \max(0, |y - f| - \epsilon)^2

    Examples
    --------
    >>> import numpy as np
    >>> y, f = np.array([1.0, 1.0]), np.array([1.25, 3.0])
    >>> SquaredEpsilonInsensitive(0.5).value(y, f).round(3)
    array([0.  , 2.25])
    """

    epsilon: float = field(default=0.1, metadata={"domain": nonnegative})

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = 2.0
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.maximum(np.abs(f - y) - self.epsilon, 0.0) ** 2

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        return 0.25 * s**2 + y * s + self.epsilon * np.abs(s)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -np.inf), np.full(len(y), np.inf)
