"""Windows without an end: every sample counts, far ones little."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from infimum.kernels.windows._window import Window
from infimum.parameters import positive

__all__ = ["Exponential", "Gaussian", "Laplace"]


@dataclass(frozen=True)
class Gaussian(Window):
    r"""The bell: :math:`h(u) = (2π)^{-1/2} e^{-u^2/2}`.

    In several dimensions its product and its radial form are the same.

    Examples
    --------
    >>> round(float(Gaussian()(0.0)), 4)
    0.3989
    """

    reach: ClassVar[float] = math.inf

    def profile(self, r: Any) -> Any:
        return np.exp(-0.5 * np.asarray(r) ** 2)

    def moment(self, power: float) -> float:
        return float(2.0 ** ((power - 1) / 2)) * math.gamma((power + 1) / 2)


@dataclass(frozen=True)
class Exponential(Window):
    r"""An exponential of the distance: profile :math:`e^{-r/\text{scale}}`.

    Examples
    --------
    >>> round(float(Exponential(2.0).profile(2.0)), 4)
    0.3679
    """

    scale: float = field(default=math.sqrt(2.0), metadata={"domain": positive})

    reach: ClassVar[float] = math.inf

    def profile(self, r: Any) -> Any:
        return np.exp(-np.asarray(r) / float(self.scale))

    def moment(self, power: float) -> float:
        return math.gamma(power + 1) * float(self.scale ** (power + 1))


@dataclass(frozen=True)
class Laplace(Exponential):
    r"""Two exponentials back to back: :math:`h(u) = \tfrac12 e^{-|u|}`.

    Examples
    --------
    >>> float(Laplace()(0.0))
    0.5
    """

    scale: float = field(default=1.0, metadata={"domain": positive})
