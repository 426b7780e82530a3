"""Boxes: an interval for each coordinate."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["Box"]


@dataclass(frozen=True, eq=False)
class Box(ConvexSet):
    """A box {x : low ≤ x ≤ high}; a bound may be infinite.

    >>> import numpy as np
    >>> box = Box(np.zeros(2), np.array([1.0, np.inf]))
    >>> box.project(np.array([2.0, -1.0])).tolist(), box.support(np.array([3.0, -1.0]))
    ([1.0, 0.0], 3.0)
    """

    low: Vector
    high: Vector

    def violation(self, x: Vector) -> float:
        return float(np.max(np.maximum(self.low - x, x - self.high)))

    def support_point(self, direction: Vector) -> Vector:
        still = np.clip(0.0, self.low, self.high)
        pushed = np.where(direction > 0.0, self.high, self.low)
        return np.asarray(np.where(direction == 0.0, still, pushed))

    def support(self, direction: Vector) -> float:
        moving = direction != 0.0  # a zero entry never meets an infinite bound
        return float(self.support_point(direction)[moving] @ direction[moving])

    def project(self, x: Vector) -> Vector:
        return np.asarray(np.clip(x, self.low, self.high))
