"""Exponential loss: exp(-yf), the loss of AdaBoost."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import logit, xlogy

from infimum.losses._loss import SURE, Loss
from infimum.typing import Formula, Vector

__all__ = ["Exponential"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y times the loss; beyond margins of -700 it stays the same number."""
    return -y * np.exp(np.minimum(-y * f, 700.0))


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return the loss, which is its own second derivative."""
    return np.exp(np.minimum(-y * f, 700.0))


@dataclass(frozen=True)
class Exponential(Loss):
    r"""Exponential loss for labels in {-1, +1}: the loss of AdaBoost.

    .. math:: \ell(y, f) = e^{-y f}

    Its target function is half the log-odds of the positive class. A single mislabelled
    point can dominate it; the logistic loss has the same target up to a factor and
    grows linearly instead.

    Examples
    --------
    >>> import numpy as np
    >>> Exponential().value(np.array([1.0, -1.0]), np.array([0.0, 1.0])).round(3)
    array([1.   , 2.718])

    References
    ----------
    Freund & Schapire (1997), J. Computer and System Sciences 55.
    """

    target: ClassVar[str] = "sign"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.exp(np.minimum(-y * f, 700.0))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        pull = -y * s  # ℓ*(y, s) = pull·log(pull) - pull for pull = -y·s ≥ 0
        safe = np.maximum(pull, 0.0)
        return np.where(pull >= 0.0, xlogy(safe, safe) - safe, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.where(y > 0, -np.inf, 0.0), np.where(y > 0, 0.0, np.inf)

    def bayes_target(self, chance: Vector) -> Vector:
        """Return half the log-odds of the label +1."""
        return np.asarray(0.5 * logit(chance))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        positive = float(np.average(y > 0, weights=weights))
        if positive in {0.0, 1.0}:
            return float(np.copysign(SURE, positive - 0.5))
        return 0.5 * float(np.log(positive / (1.0 - positive)))
