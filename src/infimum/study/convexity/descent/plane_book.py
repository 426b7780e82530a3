"""The tangent planes a method has met: a model from below, and its trace."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from infimum.study.convexity.algebra.maximum import Maximum
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.functions.affine import Affine
from infimum.typing import Matrix, Vector

__all__ = ["CuttingPlaneTrace", "PlaneBook"]


@dataclass(frozen=True, eq=False)
class CuttingPlaneTrace(Trace):
    """A trace with the slope at each point and the lower bound proved after it.

    `reason` is ``"gap"`` or ``"budget"``.
    """

    slopes: Matrix = field(default_factory=lambda: np.empty((0, 0)))
    lower_bounds: Vector = field(default_factory=lambda: np.empty(0))

    @property
    def planes(self) -> Maximum:
        """The maximum of the tangent planes met, which lies below the function."""
        offsets = self.values - np.sum(self.slopes * self.points, axis=1)
        pairs = zip(self.slopes, offsets, strict=True)
        return Maximum(tuple(Affine(slope, float(at_0)) for slope, at_0 in pairs))

    @property
    def point(self) -> Vector:
        """The best point."""
        return self.best_point


@dataclass
class PlaneBook:
    """A cutting plane trace in the making."""

    function: ConvexFunction
    points: list[Vector] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    slopes: list[Vector] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    _seconds: list[float] = field(default_factory=list)
    _began: float = field(default_factory=perf_counter)

    def visit(self, point: Vector) -> float:
        """Take the plane at a point; return the value there."""
        self.points.append(np.array(point, dtype=float))
        self.values.append(self.function.value(point))
        self.slopes.append(self.function.gradient(point))
        self.lower.append(self.lower[-1] if self.lower else -np.inf)
        self._seconds.append(perf_counter() - self._began)
        return self.values[-1]

    def prove(self, lower: float) -> None:
        """Note a number that no value lies below."""
        self.lower[-1] = max(self.lower[-1], lower)

    @property
    def planes(self) -> tuple[Matrix, Vector]:
        """The slopes (rows) and the heights at 0 of the planes met so far."""
        slopes = np.array(self.slopes)
        return slopes, np.array(self.values) - np.sum(slopes * self.points, axis=1)

    @property
    def gap(self) -> float:
        """The least value minus the largest lower bound so far."""
        return min(self.values) - self.lower[-1]

    def close(self, reason: str) -> CuttingPlaneTrace:
        """Return the finished trace."""
        values, lower = np.array(self.values), np.array(self.lower)
        return CuttingPlaneTrace(
            np.array(self.points),
            values,
            np.minimum.accumulate(values) - lower,
            np.array(self._seconds),
            reason,
            np.array(self.slopes),
            lower,
        )
