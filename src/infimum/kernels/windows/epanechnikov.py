"""The Epanechnikov window and its powers: parabolas of finite reach."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.kernels.windows._window import Window

__all__ = ["Epanechnikov", "Quartic", "Triweight"]


@dataclass(frozen=True)
class Epanechnikov(Window):
    r"""A parabola: :math:`h(u) = \tfrac34 \max(0, 1 - u^2)`.

    Of all windows it needs the fewest samples for one mean squared error. Samples
    further than one width away need not be looked at.

    Examples
    --------
    >>> round(float(Epanechnikov()(0.0)), 4)
    0.75
    """

    power: ClassVar[int] = 1

    def profile(self, r: Any) -> Any:
        return np.maximum(1.0 - np.asarray(r) ** 2, 0.0) ** self.power

    def moment(self, power: float) -> float:
        half = (power + 1) / 2
        beta = math.gamma(half) * math.gamma(self.power + 1)
        return 0.5 * beta / math.gamma(half + self.power + 1)


@dataclass(frozen=True)
class Quartic(Epanechnikov):
    r"""A parabola squared, or biweight: :math:`\tfrac{15}{16} \max(0, 1 - u^2)^2`.

    Examples
    --------
    >>> round(float(Quartic()(0.0)), 4)
    0.9375
    """

    power: ClassVar[int] = 2


@dataclass(frozen=True)
class Triweight(Epanechnikov):
    r"""A parabola cubed: :math:`\tfrac{35}{32} \max(0, 1 - u^2)^3`.

    Examples
    --------
    >>> round(float(Triweight()(0.0)), 3)
    1.094
    """

    power: ClassVar[int] = 3
