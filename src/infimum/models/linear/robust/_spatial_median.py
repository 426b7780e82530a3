"""The spatial median: the point with the least mean distance to others, with proof."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import linalg

from infimum.certificates import Certificate, gamma
from infimum.typing import Matrix, Vector

__all__ = ["Median", "spatial_median"]

#: Points nearer than this, as a share of the mean distance, are where the median is.
SAME = 1e-12
MOST_HALVINGS = 30
#: Values this close, relative to their size, differ by rounding.
BLUR = 1e-14


class Median(NamedTuple):
    """Where the median is, how near it provably is, and after how many steps."""

    point: Vector
    certificate: Certificate
    iterations: int


def spatial_median(points: Matrix, tolerance: float, most: int) -> Median:
    r"""Minimise the mean distance to the rows of `points`.

    .. math:: \min_m \tfrac1n \sum_i \|m - x_i\|
              = \max_{\|u_i\| \le 1,\ \sum u_i = 0} -\tfrac1n \sum_i ⟨u_i, x_i⟩

    Newton steps where they descend, Weiszfeld's (a mean weighted by inverse distances)
    elsewhere; the unit vectors towards a point, balanced, are the dual bound.
    """
    point = np.median(points, axis=0)
    scale = _mean_distance(points, points.mean(axis=0))
    tolerance, dual, reason = max(tolerance, 1e-14), -np.inf, "iteration limit"
    count = 0
    while count < most:
        count += 1
        here = _Around(points, point)
        dual = max(dual, here.bound())
        following = None
        if here.value - dual <= tolerance * scale:
            reason = "gap closed"
        elif (following := here.next()) is None:
            reason = "no further progress in floating point"
        if following is None:
            break
        point = following
    value = _mean_distance(points, point)
    # Sums of distances, and of unit vectors times vectors no longer than two of them.
    slack = 4.0 * gamma(sum(points.shape) + 16.0) * max(value, abs(dual))
    proof = Certificate(value, dual - slack, scale or 1.0, tolerance, reason, slack)
    return Median(point, proof, count)


class _Around:
    """What is seen from a point: distances and directions to all others."""

    def __init__(self, points: Matrix, point: Vector) -> None:
        self.points, self.point = points, point
        apart = point - points
        self.distances = np.sqrt(np.einsum("ij,ij->i", apart, apart))
        self.value = float(self.distances.mean())
        self.away = self.distances > SAME * self.value
        self.inverse = 1.0 / self.distances[self.away]
        self.units = apart[self.away] * self.inverse[:, None]

    def bound(self) -> float:
        """Return a number below every mean distance."""
        n, total = len(self.points), self.units.sum(axis=0)
        near = n - len(self.units)
        # Those at the point itself may pull in any direction, with length 1 at most.
        pull = -total / max(near, 1)
        pull = pull / max(1.0, float(linalg.norm(pull)))
        rest = (total + near * pull) / n
        units, pull = self.units - rest, pull - rest
        longest = float(np.sqrt(np.einsum("ij,ij->i", units, units).max(initial=0.0)))
        longest = max(1.0, longest, float(linalg.norm(pull)) if near else 0.0)
        apart = self.point - self.points
        along = float(np.sum(units * apart[self.away]))
        return (along + float((apart[~self.away] @ pull).sum())) / (n * longest)

    def next(self) -> Vector | None:
        """Return a point of less distance; None where rounding finds none."""
        gradient = self.units.sum(axis=0)
        weights = float(self.inverse.sum())
        bend = weights * np.eye(len(gradient))
        bend -= (self.units * self.inverse[:, None]).T @ self.units
        newton = -linalg.lstsq(bend, gradient, cond=1e-12)[0]
        weiszfeld = -gradient / max(weights, 1e-300)
        halves = 0.5 ** np.arange(MOST_HALVINGS)
        tries = [share * step for step in (newton, weiszfeld) for share in halves]
        for step in tries:
            if _mean_distance(self.points, self.point + step) < self.value:
                return np.asarray(self.point + step)
        # Rounding hides the last descents of the value, but not those of its gradient.
        there = _Around(self.points, self.point + newton)
        calmer = linalg.norm(there.units.sum(axis=0)) < 0.5 * linalg.norm(gradient)
        level = there.value <= self.value * (1.0 + BLUR)
        return there.point if calmer and level else None


def _mean_distance(points: Matrix, point: Vector) -> float:
    apart = points - point
    return float(np.sqrt(np.einsum("ij,ij->i", apart, apart)).mean())
