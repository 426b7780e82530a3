"""Intersections of convex sets, which are convex."""

from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["Intersection"]


@dataclass(frozen=True, eq=False)
class Intersection(ConvexSet):
    """The points that lie in every one of several sets.

    The projection is computed by Dykstra's algorithm, to `tolerance`.

    >>> import numpy as np
    >>> from infimum.study.convexity import Ball, HalfSpace
    >>> cap = Intersection((Ball(), HalfSpace(np.array([0.0, 1.0]))))
    >>> cap.project(np.array([0.0, 3.0])).round(6).tolist()
    [0.0, 0.0]

    References
    ----------
    Boyle & Dykstra (1986), Lecture Notes in Statistics 37.
    """

    sets: tuple[ConvexSet, ...]
    tolerance: float = 1e-10
    max_rounds: int = 10_000

    def violation(self, x: Vector) -> float:
        return max(member.violation(x) for member in self.sets)

    def project(self, x: Vector) -> Vector:
        point = np.array(x, dtype=float)
        corrections = [np.zeros_like(point) for _ in self.sets]
        for _ in range(self.max_rounds):
            moved = 0.0
            for index, member in enumerate(self.sets):
                target = point + corrections[index]
                point = member.project(target)
                moved += float(np.sum((target - point - corrections[index]) ** 2))
                corrections[index] = target - point
            # Dykstra's own measure: it vanishes only when the corrections settle.
            if moved <= self.tolerance**2:
                return point
        raise DataError(
            f"Intersection.project did not settle in {self.max_rounds} rounds; "
            "the sets may have no point in common."
        )
