"""SMACOF: stress brought down by minimising what lies above it and touches it."""

from dataclasses import dataclass

import numpy as np

from infimum.compiled.descent.pooled_violators import pool_violators
from infimum.compiled.maps.stress_steps import pull_points
from infimum.compiled.threads import in_parts
from infimum.limits import in_time
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Disparities", "Scaled", "majorize", "majorize_each"]

#: Rows that a part takes from the beginning and from the end, where pairs are fewer.
PARTS = 16


@dataclass(frozen=True)
class Scaled:
    """Points, their raw stress, the sum of their squared distances, and the steps."""

    points: Matrix
    stress: float
    squares: float
    history: list[float]

    @property
    def normalized(self) -> float:
        """Kruskal's stress-1."""
        share = self.stress / self.squares if self.squares > 0 else 0.0
        return float(np.sqrt(share))


class Disparities:
    """Distances as they may be: any that are in the order of the dissimilarities.

    Equal dissimilarities stay equal. Sizes carry no meaning, so they are scaled to a
    mean square of 1.
    """

    def __init__(self, wanted: Matrix) -> None:
        n = len(wanted)
        self._pairs = np.triu_indices(n, 1)
        _, self._group = np.unique(wanted[self._pairs], return_inverse=True)
        self._sizes = np.bincount(self._group).astype(np.float64)
        self._count = n

    def fit(self, points: Matrix) -> Matrix:
        """Return the disparities nearest to the distances of points (as columns)."""
        one, other = self._pairs
        far = np.sqrt(np.sum((points[:, one] - points[:, other]) ** 2, axis=0))
        return self._spread(np.bincount(self._group, far) / self._sizes)

    def start(self, wanted: Matrix) -> Matrix:
        """Return the dissimilarities themselves, scaled."""
        return self._spread(np.bincount(self._group, wanted[self._pairs]) / self._sizes)

    def _spread(self, values: Vector) -> Matrix:
        pool_violators(values, self._sizes)
        total = float(self._sizes @ values**2)
        if total > 0:
            values = values * np.sqrt(self._sizes.sum() / total)
        out = np.zeros((self._count, self._count))
        out[self._pairs] = values[self._group]
        return np.asarray(out + out.T)


def majorize(
    wanted: Matrix,
    start: Matrix,
    *,
    max_iter: int = 300,
    eps: float = 1e-6,
    disparities: Disparities | None = None,
) -> Scaled:
    """Take steps until stress, relative to the squared distances, gains less than eps.

    Each step is the Guttman transform: the minimum of a quadratic function that lies
    above the stress and touches it at the points one has; stress never rises.
    """
    points: Matrix = np.ascontiguousarray(start.T, dtype=np.float64)
    target = wanted if disparities is None else disparities.start(wanted)
    history: list[float] = []
    moved, squares, stress = _pull(points, target)
    for step in in_time(range(max_iter)):
        points = moved
        moved, squares, stress = _pull(points, target)
        gain = history[-1] - stress if history else np.inf
        history.append(stress)
        if gain < eps * squares:
            break
        if disparities is not None and step + 1 < max_iter:
            target = disparities.fit(points)
            moved, _, _ = _pull(points, target)
    return Scaled(np.ascontiguousarray(points.T), stress, squares, history)


def _pull(points: Matrix, target: Matrix) -> tuple[Matrix, float, float]:
    """Return the Guttman transform, Σ‖xᵢ - xⱼ‖² and the raw stress, over pairs."""
    n = points.shape[1]
    half = (n + 1) // 2

    def work(some: slice) -> tuple[Matrix, Vector]:
        moved, sums = np.zeros_like(points), np.zeros(2)
        pull_points(points, target, some.start, some.stop, moved, sums)
        # Rows from the end have few pairs where those from the beginning have many.
        last = max(n - some.stop, half)
        pull_points(points, target, last, n - some.start, moved, sums)
        return moved, sums

    parts = in_parts(half, work, max(1, min(PARTS, half)))
    moved = np.sum([part for part, _ in parts], axis=0) / n
    squares, stress = np.sum([sums for _, sums in parts], axis=0)
    return moved, float(squares), float(stress)


def majorize_each(
    far: Matrix, points: Matrix, nearest: Indices, *, max_iter: int = 300
) -> Matrix:
    """Place new points one by one among fixed ones, each from its nearest one.

    The same majorisation for a single point: the mean of the fixed ones, each moved to
    where its distance would be right.
    """
    placed = points[nearest].copy()
    mean = points.mean(axis=0)
    for _ in in_time(range(max_iter)):
        apart = np.sqrt(
            np.maximum(
                np.sum(placed**2, axis=1)[:, None]
                - 2.0 * placed @ points.T
                + np.sum(points**2, axis=1),
                0.0,
            )
        )
        ratio = np.divide(far, apart, out=np.zeros_like(far), where=apart > 0)
        pull = ratio.sum(axis=1)[:, None] * placed - ratio @ points
        step = mean + pull / len(points)
        moved = float(np.abs(step - placed).max(initial=0.0))
        placed = step
        if moved <= 1e-9 * (1.0 + float(np.abs(points).max(initial=0.0))):
            break
    return placed
