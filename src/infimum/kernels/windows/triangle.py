"""Triangular windows: a straight line down."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels.windows._window import Window
from infimum.parameters import positive

__all__ = ["Triangle", "TruncatedLinear"]


@dataclass(frozen=True)
class TruncatedLinear(Window):
    r"""A line down to 0 at distance 1, cut off at `radius`.

    .. math:: \text{profile}(r) = \max(0, 1 - r)\; 1[r ≤ \text{radius}]

    A radius below 1 leaves a jump there; beyond 1 it cuts off nothing. The slope does
    not depend on the radius.

    Examples
    --------
    >>> TruncatedLinear(0.5).profile([0.25, 0.5, 0.75])
    array([0.75, 0.5 , 0.  ])
    """

    radius: float = field(default=1.0, metadata={"domain": positive})

    def profile(self, r: Any) -> Any:
        r = np.asarray(r)
        return np.where(r <= self.radius, np.maximum(1.0 - r, 0.0), 0.0)

    def moment(self, power: float) -> float:
        end = min(1.0, float(self.radius))
        rise, fall = power + 1, power + 2
        return float(end**rise / rise - end**fall / fall)


@dataclass(frozen=True)
class Triangle(Window):
    r"""A tent over the centre: :math:`h(u) = \max(0, 1 - |u|)`.

    Examples
    --------
    >>> float(Triangle()(0.25))
    0.75
    """

    def profile(self, r: Any) -> Any:
        return np.maximum(1.0 - np.asarray(r), 0.0)

    def moment(self, power: float) -> float:
        return 1.0 / ((power + 1) * (power + 2))
