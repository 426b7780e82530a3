"""Logistic loss: the negative log-likelihood of a coin whose log-odds are f."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import logit, xlog1py, xlogy

from infimum.losses._loss import SURE, Loss
from infimum.typing import Formula, Vector

__all__ = ["Logistic"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y·σ(-y·f); tanh instead of exp, so that no score can overflow."""
    return -0.5 * y * (1.0 - np.tanh(0.5 * y * f))


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return σ(f)·σ(-f), the variance of the coin."""
    half = np.tanh(0.5 * f)
    return 0.25 * (1.0 - half * half)


@dataclass(frozen=True)
class Logistic(Loss):
    r"""Logistic loss for labels in {-1, +1}.

    .. math:: \ell(y, f) = \log\bigl(1 + e^{-y f}\bigr)

    Smooth, never zero, linear in the far tail: the classifier keeps caring about
    points it already gets right, but only a little about points it gets very wrong.
    Its target function is the log-odds of the positive class.

    Examples
    --------
    >>> import numpy as np
    >>> Logistic().value(np.array([1.0, 1.0]), np.array([0.0, 4.0])).round(3)
    array([0.693, 0.018])
    """

    target: ClassVar[str] = "sign"
    curvature: ClassVar[float] = 0.25
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)
    fused: ClassVar[tuple[str, float] | None] = ("logistic", 0.0)

    def value(self, y: Vector, f: Vector) -> Vector:
        # log(1 + e^m) = max(m, 0) + log1p(e^-|m|): exact, and vectorised where
        # np.logaddexp is not.
        margin = -y * f
        return np.maximum(margin, 0.0) + np.log1p(np.exp(-np.abs(margin)))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        # Write s = -y·p with p the probability of an error: ℓ* is minus its entropy.
        # A small p is not lost beside 1.
        p = -y * s
        inside = (p >= 0.0) & (p <= 1.0)
        p = np.clip(p, 0.0, 1.0)
        return np.where(inside, xlogy(p, p) + xlog1py(1.0 - p, -p), np.inf)

    def least(self, y: Vector) -> Vector:
        return np.zeros(len(y))

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.minimum(-y, 0.0), np.maximum(-y, 0.0)

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the log-odds of the label +1."""
        return np.asarray(logit(chance))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        positive = float(np.average(y > 0, weights=weights))
        if positive in {0.0, 1.0}:
            return float(np.copysign(SURE, positive - 0.5))
        return float(np.log(positive / (1.0 - positive)))
