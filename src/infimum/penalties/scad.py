"""Smoothly clipped absolute deviation: the lasso near 0, nothing far from it."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.parameters import Interval
from infimum.penalties._concave import Concave
from infimum.typing import Formula, Vector

__all__ = ["SCAD"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Take the best of the best points of the three zones."""
    strength, a = parameters[0], parameters[1]
    size, far, half = np.abs(z), a * strength, 0.5 / (step + 1e-200)
    slack = a - 1.0 - step
    first = np.minimum(np.maximum(size - step * strength, 0.0), strength)
    bowl = ((a - 1.0) * size - step * far) / np.maximum(slack, 1e-200)
    second = np.minimum(np.maximum(bowl, strength), far) * (slack > 0.0)
    second = second + strength * (slack <= 0.0)
    third = np.maximum(size, far)
    above = second - strength
    costs_first = half * (first - size) ** 2 + strength * first
    costs_second = half * (second - size) ** 2 + strength * second
    costs_second = costs_second - above**2 / (2.0 * (a - 1.0))
    costs_third = half * (third - size) ** 2 + 0.5 * (a + 1.0) * strength**2
    nearer = costs_first <= costs_second
    inner = nearer * first + (1.0 - nearer) * second
    costs_inner = np.minimum(costs_first, costs_second)
    nearer = costs_inner <= costs_third
    best = nearer * inner + (1.0 - nearer) * third
    return np.sign(z) * best


@dataclass(frozen=True)
class SCAD(Concave):
    r"""Smoothly clipped absolute deviation (SCAD); not convex.

    .. math:: \omega'(t) = \lambda \text{ for } t \le \lambda, \qquad
              \frac{(a \lambda - t)_+}{a - 1} \text{ beyond}

    λ is `strength` and a is `concavity`. Like MCP it leaves large coefficients alone,
    but it fades only beyond λ.

    Examples
    --------
    >>> import numpy as np
    >>> round(SCAD(1.0, 3.7).value(np.array([1.0, -2.0])), 3)
    2.815
    >>> SCAD(1.0, 3.7).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 0.5  , -1.614])

    References
    ----------
    Fan & Li (2001), J. American Statistical Association 96.
    """

    concavity: float = field(
        default=3.7, metadata={"domain": Interval(2.0, np.inf, open_low=True)}
    )

    shrink: ClassVar[Formula] = staticmethod(shrink)

    def value(self, w: Vector) -> float:
        a, size = self.concavity, np.abs(w)
        linear = np.minimum(size, self.strength)
        above = np.clip(size - self.strength, 0.0, (a - 1.0) * self.strength)
        prices = self.strength * (linear + above) - above**2 / (2.0 * (a - 1.0))
        return float(prices.sum())

    def steepness(self, w: Vector) -> Vector:
        beyond = self.concavity * self.strength - np.abs(w)
        fading = np.maximum(beyond, 0.0) / (self.concavity - 1.0)
        return np.minimum(fading, self.strength)
