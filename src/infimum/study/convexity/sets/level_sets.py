"""Sets that a convex function draws: its below-sets and its epigraph."""

from dataclasses import dataclass

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["BelowSet", "Epigraph"]


@dataclass(frozen=True, eq=False)
class BelowSet(ConvexSet):
    """The points where a function is at most `level`; convex when the function is.

    >>> import numpy as np
    >>> from infimum.study.convexity import SquaredNorm
    >>> BelowSet(SquaredNorm(), 0.5).contains(np.array([0.6, 0.8]))
    True
    """

    function: ConvexFunction
    level: float

    def violation(self, x: Vector) -> float:
        return self.function.value(x) - self.level


@dataclass(frozen=True, eq=False)
class Epigraph(ConvexSet):
    """The points (x, t) with f(x) ≤ t; convex exactly when f is."""

    function: ConvexFunction

    def violation(self, x: Vector) -> float:
        return self.function.value(x[:-1]) - float(x[-1])
