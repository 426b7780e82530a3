"""Squared loss: half the squared residual, minimised by the mean."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import Loss
from infimum.typing import Formula, Vector

__all__ = ["Squared"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return the residual f - y."""
    return f - y


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return 1: the loss bends the same everywhere."""
    return 1.0 + 0.0 * f


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move towards y, all the way as the step grows."""
    return (f + step * y) / (1.0 + step)


@dataclass(frozen=True)
class Squared(Loss):
    r"""Squared loss, the negative log-likelihood of Gaussian noise.

    .. math:: \ell(y, f) = \tfrac12 (y - f)^2

    Its target function is the conditional mean; one outlier can move it anywhere.

    Examples
    --------
    >>> import numpy as np
    >>> Squared().value(np.array([1.0, 1.0]), np.array([0.0, 3.0])).round(3)
    array([0.5, 2. ])
    """

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = 1.0
    constant_curvature: ClassVar[bool] = True
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return 0.5 * (f - y) ** 2

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        return 0.5 * s**2 + y * s

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -np.inf), np.full(len(y), np.inf)

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the mean label."""
        return 2.0 * np.asarray(chance) - 1.0

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        return float(np.average(y, weights=weights))
