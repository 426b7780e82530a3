"""Tweedie loss: amounts that are often exactly 0, with a log-mean of f."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import SURE, Loss
from infimum.parameters import opened
from infimum.typing import Formula, Vector

__all__ = ["Tweedie"]

NEWTON_STEPS = 60


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return mean^(2-p) - y·mean^(1-p)."""
    power = parameters[0]
    falling = np.exp(np.minimum((1.0 - power) * f, 700.0))
    return np.exp((2.0 - power) * f) - y * falling


def hessian(y: Any, f: Any, parameters: Any) -> Any:
    """Return (2-p)·mean^(2-p) + (p-1)·y·mean^(1-p)."""
    power = parameters[0]
    falling = np.exp(np.minimum((1.0 - power) * f, 700.0))
    return (2.0 - power) * np.exp((2.0 - power) * f) + (power - 1.0) * y * falling


@dataclass(frozen=True)
class Tweedie(Loss):
    r"""Half the Tweedie deviance under a log link, for y ≥ 0, up to a constant in y.

    .. math:: \ell(y, f) = \frac{e^{(2-p) f}}{2 - p} + \frac{y\, e^{(1-p) f}}{p - 1},
              \qquad 1 < p < 2

    A Poisson number of claims of Gamma size has such a distribution: a lump at 0 and
    a density above it, with a variance proportional to the mean to the power p. The
    limits are `Poisson` (p = 1) and `Gamma` (p = 2). Its target function is the
    logarithm of the conditional mean.

    Examples
    --------
    >>> import numpy as np
    >>> Tweedie(1.5).value(np.array([0.0, 4.0]), np.array([0.0, 0.0]))
    array([ 2., 10.])

    References
    ----------
    Jørgensen (1987), Journal of the Royal Statistical Society B 49.
    """

    power: float = field(default=1.5, metadata={"domain": opened(1, 2)})

    target: ClassVar[str] = "count"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    hessian_formula: ClassVar[Formula | None] = staticmethod(hessian)

    def value(self, y: Vector, f: Vector) -> Vector:
        rising, falling = 2.0 - self.power, self.power - 1.0
        tail = np.exp(np.minimum(-falling * f, 700.0))
        return np.asarray(np.exp(rising * f) / rising + y * tail / falling)

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        y, s = np.broadcast_arrays(y, np.asarray(s, dtype=np.float64))
        # Where y = 0 the loss only rises: no slope below 0, and 0 at minus infinity.
        flat = (y == 0.0) & (s <= 0.0)
        f = _score_of(np.where(flat, 1.0, y), np.where(flat, 0.0, s), self.power)
        found = s * f - self.value(y, f)
        return np.where(flat, np.where(s < 0.0, np.inf, 0.0), found)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.where(y > 0.0, -np.inf, 0.0), np.full(len(y), np.inf)

    def best_constant(self, y: Vector, weights: Vector | None = None) -> float:
        mean = float(np.average(y, weights=weights))
        return float(np.log(mean)) if mean > 0 else -SURE / (2.0 - self.power)


def _score_of(y: Vector, s: Vector, power: float) -> Vector:
    """Return the score at which the loss has slope `s`.

    The mean μ solves μ = s·μ^(p-1) + y. Divided so that both sides are positive, the
    equation says that a sum of two exponentials in log μ is 1. Its logarithm is convex
    with slopes between two bounds, so Newton's method, started where the larger of the
    two alone is 1, comes from one side and ends in a few steps.
    """
    rising, falling, up = 2.0 - power, power - 1.0, s > 0.0
    with np.errstate(divide="ignore"):
        log_y, log_s = np.log(y), np.log(np.abs(s))
    starts = np.where(up, log_s, -log_y), np.where(up, log_y, log_s - log_y)
    tilts = np.where(up, -rising, 1.0), np.where(up, -1.0, falling)
    alone = -starts[0] / tilts[0], -starts[1] / tilts[1]
    f = np.where(up, np.maximum(*alone), np.minimum(*alone))
    for _ in range(NEWTON_STEPS):
        first = starts[0] + tilts[0] * f
        total = np.logaddexp(first, starts[1] + tilts[1] * f)
        share = np.exp(first - total)
        step = total / (share * tilts[0] + (1.0 - share) * tilts[1])
        f = f - step
        if np.all(np.abs(step) <= 1e-15 * (1.0 + np.abs(f))):
            break
    return np.asarray(f)
