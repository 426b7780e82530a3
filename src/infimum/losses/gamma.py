"""Gamma loss: the negative log-likelihood of positive amounts whose log-mean is f."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import Loss
from infimum.typing import Formula, Vector

__all__ = ["Gamma"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return 1 - y/mean; below log-means of -700 it stays the same number."""
    return 1.0 - y * np.exp(np.minimum(-f, 700.0))


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return y/mean."""
    return y * np.exp(np.minimum(-f, 700.0))


@dataclass(frozen=True)
class Gamma(Loss):
    r"""Gamma loss with a log link, for positive y, up to a constant and the shape.

    .. math:: \ell(y, f) = f + y e^{-f}

    Its target function is the logarithm of the conditional mean. Errors count in
    proportion to the mean: for durations, costs and other amounts whose spread grows
    with their size.

    Examples
    --------
    >>> import numpy as np
    >>> Gamma().value(np.array([1.0, 2.0]), np.array([0.0, 1.0])).round(3)
    array([1.   , 1.736])
    """

    target: ClassVar[str] = "positive"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)

    def value(self, y: Vector, f: Vector) -> Vector:
        return f + y * np.exp(np.minimum(-f, 700.0))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        left = 1.0 - np.asarray(s, dtype=np.float64)  # y/mean at the best score
        safe = np.where(left > 0.0, left, 1.0)
        value = np.where(left > 0.0, safe * (np.log(safe / y) - 1.0), 0.0)
        return np.where(left >= 0.0, value, np.inf)

    def cancelled(self, y: Vector, f: Vector) -> Vector | float:
        return np.abs(f)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -np.inf), np.ones(len(y))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        return float(np.log(np.average(y, weights=weights)))
