"""Uniform windows on a ball and on a cube."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from infimum.kernels.windows._window import Window

__all__ = ["Box", "Uniform"]


@dataclass(frozen=True)
class Uniform(Window):
    r"""Everything within distance 1, alike: :math:`h(u) = \tfrac12\,1[|u| ≤ 1]`.

    Examples
    --------
    >>> float(Uniform()(0.3))
    0.5
    """

    def profile(self, r: Any) -> Any:
        return np.where(np.asarray(r) <= self.reach, 1.0, 0.0)

    def moment(self, power: float) -> float:
        return float(self.reach ** (power + 1)) / (power + 1)


@dataclass(frozen=True)
class Box(Uniform):
    r"""A cube of side 1 around the centre: :math:`h(u) = 1[|u_j| ≤ \tfrac12 ∀ j]`.

    Averaged over samples it counts how many fall into the cube around a point.

    Examples
    --------
    >>> float(Box()(0.3)), float(Box()(0.6))
    (1.0, 0.0)
    """

    reach: ClassVar[float] = 0.5
