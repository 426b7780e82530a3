"""Poisson loss: the negative log-likelihood of counts whose log-rate is f."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import xlogy

from infimum.losses._loss import SURE, Loss
from infimum.typing import Formula, Vector

__all__ = ["Poisson"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return the rate minus the count."""
    return np.exp(f) - y


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return the rate, which is also the variance."""
    return np.exp(f)


@dataclass(frozen=True)
class Poisson(Loss):
    r"""Poisson loss for counts y ≥ 0, up to a constant in y.

    .. math:: \ell(y, f) = e^f - y f

    Its target function is the logarithm of the conditional mean. The curvature grows
    without bound, so fixed steps do not work: solvers search along the line.

    Examples
    --------
    >>> import numpy as np
    >>> Poisson().value(np.array([0.0, 2.0]), np.array([0.0, 1.0])).round(3)
    array([1.   , 0.718])
    """

    target: ClassVar[str] = "count"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)
    fused: ClassVar[tuple[str, float] | None] = ("poisson", 0.0)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.exp(f) - y * f

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        rate = s + y  # ℓ*(y, s) = rate·log(rate) - rate for rate = s + y ≥ 0
        safe = np.maximum(rate, 0.0)
        return np.where(rate >= 0.0, xlogy(safe, safe) - safe, np.inf)

    def cancelled(self, y: Vector, f: Vector) -> Vector | float:
        return np.asarray(y * np.abs(f))

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return -np.asarray(y, dtype=np.float64), np.full(len(y), np.inf)

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        mean = float(np.average(y, weights=weights))
        return float(np.log(mean)) if mean > 0 else -SURE
