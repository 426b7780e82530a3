"""Quantile loss: a tilted absolute value, minimised by a quantile."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.losses._loss import ROUNDING, Loss
from infimum.parameters import opened
from infimum.typing import Formula, Vector

__all__ = ["Quantile"]


def derivative(y: Any, f: Any, parameters: Any) -> Any:
    """Return 1 - level above the truth, -level below, the midpoint at the kink."""
    return 0.5 - parameters[0] + 0.5 * np.sign(f - y)


def prox(y: Any, f: Any, step: Any, parameters: Any) -> Any:
    """Move f towards y by at most step·(1 - level) down, step·level up."""
    up, down = step * parameters[0], step * (1.0 - parameters[0])
    return f - np.minimum(np.maximum(f - y, -up), down)


@dataclass(frozen=True)
class Quantile(Loss):
    r"""Quantile (pinball) loss.

    .. math:: \ell(y, f) = \max\bigl(\tau (y - f),\; (1 - \tau)(f - y)\bigr)

    Its target function is the conditional `level`-quantile: a fraction `level` of the
    targets lies below the fit. Some texts tilt the other way; theirs at τ is ours at
    1 - τ.

    Examples
    --------
    >>> import numpy as np
    >>> Quantile(0.75).value(np.array([1.0, 1.0]), np.array([0.0, 2.0])).round(3)
    array([0.75, 0.25])
    """

    level: float = field(default=0.5, metadata={"domain": opened(0, 1)})

    target: ClassVar[str] = "real"
    curvature: ClassVar[float] = np.inf
    derivative_formula: ClassVar[Formula] = staticmethod(derivative)
    prox_formula: ClassVar[Formula | None] = staticmethod(prox)

    def value(self, y: Vector, f: Vector) -> Vector:
        return np.maximum(self.level * (y - f), (1.0 - self.level) * (f - y))

    def conjugate(self, y: Vector, s: Vector) -> Vector:
        inside = (s >= -self.level - ROUNDING) & (s <= 1.0 - self.level + ROUNDING)
        return np.where(inside, y * s, np.inf)

    def slopes(self, y: Vector) -> tuple[Vector, Vector]:
        return np.full(len(y), -self.level), np.full(len(y), 1.0 - self.level)

    def pieces(self, y: Vector) -> list[tuple[Vector, Vector, Vector]] | None:
        return [(y, *self.slopes(y))]
