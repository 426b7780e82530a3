"""The convex hull of finitely many points."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Matrix, Vector

__all__ = ["ConvexHull", "convex_combination"]


def convex_combination(points: Matrix, weights: Vector) -> Vector:
    """Return Σ weightsᵢ pointsᵢ, a point of the hull when the weights are convex."""
    return np.asarray(weights @ points)


@dataclass(frozen=True, eq=False)
class ConvexHull(ConvexSet):
    """All convex combinations of the rows of `points`.

    A linear program finds the combination nearest to a given point in the maximum
    norm; its weights are the proof of membership.

    >>> import numpy as np
    >>> triangle = ConvexHull(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> triangle.contains(np.array([0.2, 0.2])), triangle.contains(np.array([0.6, 0.6]))
    (True, False)
    """

    points: Matrix

    def weights(self, x: Vector) -> Vector:
        """Return convex weights whose combination of the points is nearest to x."""
        count, dimension = self.points.shape
        if count == 1:
            return np.ones(1)
        slack = np.ones((dimension, 1))
        program = linprog(
            c=np.append(np.zeros(count), 1.0),
            A_ub=np.block([[self.points.T, -slack], [-self.points.T, -slack]]),
            b_ub=np.concatenate([x, -np.asarray(x)]),
            A_eq=np.append(np.ones(count), 0.0)[None, :],
            b_eq=[1.0],
            method="highs",
        )
        # The solver keeps its constraints to 1e-7 only: restore them to rounding.
        shares = np.maximum(np.asarray(program.x)[:count], 0.0)
        return np.asarray(shares / np.sum(shares))

    def violation(self, x: Vector) -> float:
        nearest = convex_combination(self.points, self.weights(x))
        return float(np.max(np.abs(nearest - x)))

    def support_point(self, direction: Vector) -> Vector:
        farthest = int(np.argmax(self.points @ direction))
        return np.array(self.points[farthest], dtype=float)

    def _rounding(self, x: Vector) -> float:
        if len(self.points) == 1:
            return super()._rounding(x)
        # Above rounding: the linear program's own feasibility tolerance, scaled.
        return 1e-7 * (1.0 + float(np.max(np.abs(self.points))))
