"""Base of the concave penalties, which are bounded or flat far from 0."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from infimum.parameters import positive
from infimum.penalties._penalty import Penalty, SeparablePenalty
from infimum.penalties.weighted_lasso import WeightedLasso
from infimum.typing import Vector

__all__ = ["Concave"]


@dataclass(frozen=True)
class Concave(SeparablePenalty):
    """Ω(w) = Σⱼ ω(|wⱼ|) with ω concave, of slope `strength` at 0 and 0 far out.

    Not convex: a bounded function has no tangent plane below it but the flat one, so
    the conjugate is finite at 0 alone and the best provable bound is that of the
    unpenalised problem.
    """

    strength: float = field(default=1.0, metadata={"domain": positive})

    convex: ClassVar[bool] = False

    @property
    def corner(self) -> float | Vector:
        return self.strength

    @abstractmethod
    def steepness(self, w: Vector) -> Vector:
        """Return the slope of ω at each |wⱼ|."""

    def conjugate(self, v: Vector) -> float:
        return 0.0 if not np.any(v) else np.inf

    def dual_scale(self, v: Vector) -> float:
        return 0.0 if np.any(v) else 1.0

    def majorant(self, w: Vector) -> Penalty:
        """Return the weighted lasso whose prices are the slopes at w.

        A concave function of the size lies below its tangents.
        """
        shares = self.steepness(w) / self.strength
        return WeightedLasso(self.strength, tuple(shares.tolist()))
