"""Huber loss: squared error near 0, linear for outliers."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.parameters import positive
from infimum.typing import Formula, Vector

__all__ = ["Huber"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return the residual, clipped to ±delta."""
    return np.minimum(np.maximum(f - y, -parameters[0]), parameters[0])


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return 1 inside the quadratic zone and 0 outside."""
    return 0.5 + 0.5 * np.sign(parameters[0] - np.abs(f - y))


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Shrink a small residual by 1 + step, move a large one by step·delta."""
    residual = f - y
    limit = step * parameters[0]
    return f - np.minimum(np.maximum(step * residual / (1.0 + step), -limit), limit)


@dataclass(frozen=True)
class Huber(Loss):
    r"""Huber loss: quadratic up to `delta`, linear beyond.

    .. math:: \ell(y, f) = \tfrac12 q^2 + \delta (|y - f| - q),
              \quad q = \min(|y - f|, \delta)

    Between the mean (large `delta`) and the median (small `delta`): no outlier pulls
    with more than `delta`.

    Examples
    --------
    >>> import numpy as np
    >>> Huber(1.0).value(np.array([0.0, 0.0]), np.array([0.5, 3.0]))
    array([0.125, 2.5  ])
    """

    delta: float = field(default=1.0, metadata={"domain": positive})

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = 1.0
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        residual = np.abs(y - f)
        quadratic = np.minimum(residual, self.delta)
        return 0.5 * quadratic**2 + self.delta * (residual - quadratic)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        inside = np.abs(s) <= self.delta * (1.0 + ROUNDING)
        return np.where(inside, 0.5 * s**2 + y * s, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -self.delta), np.full(len(y), self.delta)
