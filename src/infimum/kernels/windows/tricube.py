"""Tricube window: flat in the middle, smooth at the end."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels.windows._window import Window

__all__ = ["Tricube"]


@dataclass(frozen=True)
class Tricube(Window):
    r"""The window of local regression: :math:`\tfrac{70}{81} \max(0, 1 - |u|^3)^3`.

    Examples
    --------
    >>> round(float(Tricube()(0.0)), 4)
    0.8642
    """

    def profile(self, r: Any) -> Any:
        return np.maximum(1.0 - np.asarray(r) ** 3, 0.0) ** 3

    def moment(self, power: float) -> float:
        terms = zip((1.0, -3.0, 3.0, -1.0), (0, 3, 6, 9), strict=True)
        return sum(c / (power + k + 1) for c, k in terms)
