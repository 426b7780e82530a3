"""Probit loss: the negative log-likelihood of a coin whose normal quantile is f."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import erfcx, log_ndtr, ndtri

from infimum.losses._loss import Loss
from infimum.typing import Formula, Vector

__all__ = ["Probit"]

#: log(erfcx(x)/t) with t = 2/(2 + x), as a series in 2t - 1: formulas may only use
#: what NumPy and machine code have in common, and neither has the error function.
_NODES = chebyshev.chebpts1(37)
_SERIES = chebyshev.chebfit(
    _NODES, np.log(erfcx(4.0 / (1.0 + _NODES) - 2.0) * 2.0 / (1.0 + _NODES)), 36
)
_TERMS = len(_SERIES)
NEWTON_STEPS = 60


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return -y·φ(m)/Φ(m) at the margin m = y·f."""
    margin = y * f
    x = np.abs(margin) * 0.7071067811865476
    t = 2.0 / (2.0 + x)
    u = 2.0 * t - 1.0
    last, before = 0.0 * u, 0.0 * u
    for k in range(_TERMS - 1, 0, -1):
        last, before = 2.0 * u * last - before + _SERIES[k], last
    scaled = t * np.exp(u * last - before + _SERIES[0])  # e^(x²)·erfc(x)
    # Below 0 the ratio is √(2/π)/scaled; above, the tail is taken from 1.
    bell = np.exp(-np.minimum(x * x, 700.0))
    below = 0.7978845608028654 / scaled
    above = 0.3989422804014327 * bell / (1.0 - 0.5 * scaled * bell)
    return -y * ((margin < 0.0) * below + (margin >= 0.0) * above)


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return λ·(λ + m) for the ratio λ = φ(m)/Φ(m), between 0 and 1."""
    margin = y * f
    x = np.abs(margin) * 0.7071067811865476
    t = 2.0 / (2.0 + x)
    u = 2.0 * t - 1.0
    last, before = 0.0 * u, 0.0 * u
    for k in range(_TERMS - 1, 0, -1):
        last, before = 2.0 * u * last - before + _SERIES[k], last
    scaled = t * np.exp(u * last - before + _SERIES[0])
    bell = np.exp(-np.minimum(x * x, 700.0))
    below = 0.7978845608028654 / scaled
    above = 0.3989422804014327 * bell / (1.0 - 0.5 * scaled * bell)
    ratio = (margin < 0.0) * below + (margin >= 0.0) * above
    return np.minimum(np.maximum(ratio * (ratio + margin), 0.0), 1.0)


@dataclass(frozen=True)
class Probit(Loss):
    r"""Probit loss for labels in {-1, +1}.

    .. math:: \ell(y, f) = -\log \Phi(y f)

    The coin falls on +1 when f plus standard normal noise is positive. Its target
    function is the normal quantile of the probability of the positive class; it grows
    like a square for points on the wrong side, where the logistic loss grows linearly.

    Examples
    --------
    >>> import numpy as np
    >>> Probit().value(np.array([1.0, 1.0]), np.array([0.0, 2.0])).round(3)
    array([0.693, 0.023])
    """

    target: ClassVar[str] = "sign"
    curvature: ClassVar[float] = 1.0
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.asarray(-log_ndtr(y * f))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        pull = np.asarray(-y * s, dtype=np.float64)
        safe = np.maximum(pull, 1e-300)
        margin = _margin_of(safe)
        value = np.asarray(log_ndtr(margin)) - safe * margin
        value = np.where(pull > 0.0, value, 0.0)
        return np.where(pull >= 0.0, value, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.where(y > 0, -np.inf, 0.0), np.where(y > 0, 0.0, np.inf)

    def bayes_target(self, chance: Vector) -> Vector:
        """Return the normal quantile of the chance of the label +1."""
        return np.asarray(ndtri(chance))

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        positive = float(np.average(y > 0, weights=weights))
        return float(ndtri(np.clip(positive, 1e-15, 1.0 - 1e-15)))


def _margin_of(pull: Vector) -> Vector:
    """Return the margin at which φ/Φ equals the given pull.

    The logarithm of φ/Φ falls, concavely: Newton's method comes from the right and
    never overshoots.
    """
    goal = np.log(pull)
    margin = np.where(pull > 1.0, -pull, np.sqrt(np.maximum(-2.0 * goal, 0.0)))
    for _ in range(NEWTON_STEPS):
        log_bell = -0.5 * margin**2 - 0.9189385332046727
        log_ratio = log_bell - np.asarray(log_ndtr(margin))
        step = (log_ratio - goal) / np.maximum(np.exp(log_ratio) + margin, 1e-300)
        margin = margin + step
        if np.all(np.abs(step) <= 1e-15 * (1.0 + np.abs(margin))):
            break
    return np.asarray(margin)
