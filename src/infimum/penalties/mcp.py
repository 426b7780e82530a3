"""Minimax concave penalty: the lasso, fading until large coefficients are free."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.parameters import Interval
from infimum.penalties._concave import Concave
from infimum.typing import Formula, Vector

__all__ = ["MCP"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Compare the best point of the fading zone with that of the flat zone.

    The fading zone [0, γλ] is convex when γ > step, concave otherwise; then its best
    point is an end.
    """
    strength, far = parameters[0], parameters[0] * parameters[1]
    size, gain = np.abs(z), 1.0 - step / parameters[1]
    bowl = np.maximum(size - step * strength, 0.0) / np.maximum(gain, 1e-200)
    fading = np.minimum(bowl, far) * (gain > 0.0)
    flat = np.maximum(size, far)
    near = (fading - size) ** 2 / (2.0 * step + 1e-200)
    near = near + strength * fading - fading**2 / (2.0 * parameters[1])
    away = (flat - size) ** 2 / (2.0 * step + 1e-200) + 0.5 * strength * far
    best = (near < away) * fading + (near >= away) * flat
    return np.sign(z) * best


@dataclass(frozen=True)
class MCP(Concave):
    r"""Minimax concave penalty (MCP); not convex.

    .. math:: \omega(t) = \lambda t - \frac{t^2}{2 \gamma} \text{ for } t \le
              \gamma \lambda, \qquad \tfrac12 \gamma \lambda^2 \text{ beyond}

    λ is `strength` and γ is `concavity`. Sparse like the lasso, but large coefficients
    are not shrunk; the price is that a solver finds stationary points and cannot prove
    that one of them is best.

    Examples
    --------
    >>> import numpy as np
    >>> round(MCP(1.0, 3.0).value(np.array([1.0, -2.0])), 3)
    2.167
    >>> MCP(1.0, 3.0).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 0.6, -1.8])

    References
    ----------
    Zhang (2010), Annals of Statistics 38.
    """

    concavity: float = field(
        default=3.0, metadata={"domain": Interval(1.0, np.inf, open_low=True)}
    )

    shrink: ClassVar[Formula] = staticmethod(shrink)

    def value(self, w: Vector) -> float:
        size = np.minimum(np.abs(w), self.concavity * self.strength)
        return float((self.strength * size - size**2 / (2.0 * self.concavity)).sum())

    def steepness(self, w: Vector) -> Vector:
        return np.maximum(self.strength - np.abs(w) / self.concavity, 0.0)
