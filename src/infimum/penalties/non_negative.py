"""Non-negative: coefficients below zero are forbidden, others cost nothing."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.penalties._penalty import SeparablePenalty
from infimum.typing import Formula, Vector

__all__ = ["NonNegative"]


def shrink(z: Any, step: Any, parameters: Any) -> Any:
    """Cut z at 0."""
    return np.maximum(z, 0.0)


@dataclass(frozen=True)
class NonNegative(SeparablePenalty):
    r"""Indicator of the non-negative orthant: 0 inside, infinite outside.

    .. math:: \Omega(w) = 0 \text{ if } w_j \ge 0 \text{ for all } j,
              \text{ else } \infty

    For quantities that cannot be negative: concentrations, prices, counts. It often
    makes solutions sparse without any strength to choose.

    Examples
    --------
    >>> import numpy as np
    >>> NonNegative().value(np.array([1.0, -2.0]))
    inf
    >>> NonNegative().prox(np.array([1.0, -2.0]), 0.5).round(3)
    array([1., 0.])
    """

    shrink: ClassVar[Formula] = staticmethod(shrink)

    def value(self, w: Vector) -> float:
        return 0.0 if np.all(w >= 0.0) else np.inf

    def conjugate(self, v: Vector) -> float:
        return 0.0 if np.all(v <= 0.0) else np.inf

    def support(self, sizes: Vector, level: float) -> float:
        return 0.0  # where the wall holds, its price is 0 however hard it is pressed

    def dual_scale(self, v: Vector) -> float:
        return 1.0 if np.all(v <= 0.0) else 0.0

    def admit(self, v: Vector) -> Vector:
        return np.minimum(v, 0.0)
