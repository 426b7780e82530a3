"""Binomial deviance: the logistic loss of fractions of successes."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import xlogy

from infimum.losses._loss import SURE, Loss
from infimum.typing import Formula, Vector

__all__ = ["Binomial"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return σ(f) - y; tanh instead of exp, so that no score can overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * f) - y


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return σ(f)·σ(-f), the variance of one trial."""
    half = np.tanh(0.5 * f)
    return 0.25 * (1.0 - half * half)


@dataclass(frozen=True)
class Binomial(Loss):
    r"""Half the deviance of one trial, for fractions y of successes in [0, 1].

    .. math:: \ell(y, f) = \log(1 + e^f) - y f + y \log y + (1 - y) \log (1 - y)

    The numbers of trials are sample weights: a fraction of 0.3 out of 10 trials weighs
    as much as three successes and seven failures, and has the same fit. Its target
    function is the log-odds of a success; a perfect fit costs 0.

    Examples
    --------
    >>> import numpy as np
    >>> Binomial().value(np.array([0.0, 0.3]), np.array([0.0, 1.0])).round(3)
    array([0.693, 0.402])
    """

    target: ClassVar[str] = "fraction"
    curvature: ClassVar[float] = 0.25
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)

    def value(self, y: Vector, f: Vector) -> Vector:
        # Both terms are positive: nothing cancels where the fit is nearly perfect.
        softplus, against = np.log1p(np.exp(-np.abs(f))), np.where(f > 0, 1.0 - y, y)
        return np.asarray(softplus + against * np.abs(f) + _negative_entropy(y))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        chance, other = s + y, (1.0 - y) - s
        inside = (chance >= 0.0) & (other >= 0.0)
        value = _negative_entropy(np.maximum(chance, 0.0), np.maximum(other, 0.0))
        return np.where(inside, value - _negative_entropy(y), np.inf)

    def cancelled(self, y: Vector, f: Vector) -> Vector | float:
        return 1.0  # entropies of two chances

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return -np.asarray(y, dtype=np.float64), 1.0 - y

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        mean = float(np.average(y, weights=weights))
        if mean in {0.0, 1.0}:
            return float(np.copysign(SURE, mean - 0.5))
        return float(np.log(mean / (1.0 - mean)))


def _negative_entropy(p: Vector, rest: Vector | None = None) -> Vector:
    """Return p log p + r log r for r = 1 - p, the smaller of which is known best."""
    rest = 1.0 - p if rest is None else rest
    small, large = np.minimum(p, rest), np.maximum(p, rest)
    return np.asarray(xlogy(small, small) + large * np.log1p(-np.minimum(small, 0.5)))
