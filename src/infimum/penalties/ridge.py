"""Ridge: half the squared length, which keeps coefficients small."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from infimum.parameters import positive
from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Vector

__all__ = ["Ridge"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Scale z down."""
    return z / (1.0 + step * parameters[0])


@dataclass(frozen=True)
class Ridge(SeparablePenalty):
    r"""Ridge (Tikhonov, weight decay) penalty.

    .. math:: \Omega(w) = \tfrac12\,\text{strength}\,\|w\|_2^2

    Makes the risk strongly convex: one minimiser, and it moves little when the data
    move little.

    Examples
    --------
    >>> import numpy as np
    >>> Ridge(0.1).value(np.array([1.0, -2.0]))
    0.25
    >>> Ridge(0.1).prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([ 0.952, -1.905])
    """

    strength: float = field(default=1.0, metadata={"domain": positive})

    shrink: ClassVar[Formula] = staticmethod(shrink)

    @property
    def quadratic(self) -> float | None:
        return self.strength

    @property
    def elastic(self) -> tuple[float, float] | None:
        return 0.0, self.strength

    def value(self, w: Vector) -> float:
        return 0.5 * self.strength * float((w * w).sum())

    def conjugate(self, v: Vector) -> float:
        return float((v * v).sum()) / (2.0 * self.strength)

    def dual_scale(self, v: Vector) -> float:
        return 1.0
