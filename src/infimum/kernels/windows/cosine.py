"""Cosine window: half a wave over the centre."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import quad

from infimum.kernels.windows._window import Window

__all__ = ["Cosine"]


@dataclass(frozen=True)
class Cosine(Window):
    r"""Half a wave: :math:`h(u) = \tfrac{π}{4} \cos(\tfrac{π}{2} u)` for |u| ≤ 1.

    Examples
    --------
    >>> round(float(Cosine()(0.0)), 4)
    0.7854
    """

    def profile(self, r: Any) -> Any:
        r = np.asarray(r)
        return np.where(r < self.reach, np.cos(0.5 * np.pi * r), 0.0)

    def moment(self, power: float) -> float:
        return float(quad(lambda r: math.cos(0.5 * math.pi * r) * r**power, 0, 1)[0])
