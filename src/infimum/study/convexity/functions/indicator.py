"""A convex set as a function: 0 inside, +inf outside; and its conjugate."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["Indicator", "SupportFunction"]


@dataclass(frozen=True, eq=False)
class Indicator(ConvexFunction):
    """A wall: 0 on the set, +inf off it. Its conjugate is the support function.

    >>> import numpy as np
    >>> from infimum.study.convexity import Box
    >>> wall = Indicator(Box(np.zeros(2), np.ones(2)))
    >>> wall.value(np.array([0.5, 2.0])), wall.conjugate().value(np.array([3.0, -1.0]))
    (inf, 3.0)
    """

    region: ConvexSet

    def value(self, x: Vector) -> float:
        return 0.0 if self.region.contains(x) else np.inf

    def gradient(self, x: Vector) -> Vector:
        return np.zeros(np.shape(x))  # zero lies in every normal cone

    def conjugate(self) -> ConvexFunction:
        return SupportFunction(self.region)


@dataclass(frozen=True, eq=False)
class SupportFunction(ConvexFunction):
    """How far a set reaches in a direction: sup over the set of ⟨x, s⟩.

    Its subgradient is a point of the set that reaches farthest.
    """

    region: ConvexSet

    def value(self, x: Vector) -> float:
        return self.region.support(x)

    def gradient(self, x: Vector) -> Vector:
        return self.region.support_point(x)

    def conjugate(self) -> ConvexFunction:
        return Indicator(self.region)
