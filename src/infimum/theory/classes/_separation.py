"""Separating two sets of points by a hyperplane, any one or the widest."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog, nnls

from infimum.typing import Mask, Matrix, Vector

__all__ = ["Separator", "separate", "widest"]

_STIFF = 1e5


class Separator(NamedTuple):
    """A point x is positive if weights · (x - origin) / scale + offset >= 0."""

    weights: Vector
    offset: float
    origin: Vector
    scale: float

    def scores(self, points: Matrix) -> Vector:
        """Return the signed values whose sign is the label."""
        return (points - self.origin) / self.scale @ self.weights + self.offset


def separate(
    points: Matrix, positive: Mask, limits: list[tuple[float | None, float | None]]
) -> Separator | None:
    """Return a hyperplane with all positives strictly on one side, None without one.

    A linear programme asks for signed values of at least 1; `limits` bounds the
    weights.
    """
    origin = points.mean(axis=0)
    scale = float(np.abs(points - origin).max(initial=0.0)) or 1.0
    signs = np.where(positive, 1.0, -1.0)
    table = np.column_stack([(points - origin) / scale, np.ones(len(points))])
    found = linprog(
        np.zeros(table.shape[1]),
        A_ub=-signs[:, None] * table,
        b_ub=-np.ones(len(points)),
        bounds=[*limits, (None, None)],
    )
    if found.status != 0 or found.x is None:
        return None
    made = Separator(found.x[:-1], float(found.x[-1]), origin, scale)
    return made if np.all(signs * made.scores(points) > 0) else None


def widest(points: Matrix, positive: Mask) -> Separator | None:
    """Return the unit hyperplane in the middle of the widest gap, None without one.

    The nearest points of the two convex hulls are combinations with non-negative
    weights that sum to 1 on each side; the sums are asked for as stiff equations.
    """
    origin, dimension = points.mean(axis=0), points.shape[1]
    scale = float(np.abs(points - origin).max(initial=0.0)) or 1.0
    moved, signs = (points - origin) / scale, np.where(positive, 1.0, -1.0)
    sums = _STIFF * np.vstack([positive, ~positive])
    table = np.vstack([signs * moved.T, sums])
    target = np.append(np.zeros(dimension), [_STIFF, _STIFF])
    weights, _ = nnls(table, target, maxiter=100 * len(points) + 1000)
    across = (signs * weights) @ moved
    length = float(np.linalg.norm(across))
    if length == 0.0:
        return None
    along = moved @ (across / length)
    least, most = along[positive].min(), along[~positive].max()
    if least <= most:
        return None
    return Separator(across / length, -0.5 * float(least + most), origin, scale)
