"""Closed intervals of numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.theory.classes._hypothesis_class import HypothesisClass, Minimum
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Intervals"]


@dataclass(frozen=True)
class Intervals(HypothesisClass):
    """Functions that are positive on an interval [a, b] and negative elsewhere.

    The VC dimension is 2: of three points the middle one cannot be negative alone.
    There are n (n + 1) / 2 + 1 labellings of n points.

    Examples
    --------
    >>> from infimum.theory import Intervals
    >>> [Intervals().growth(n) for n in range(1, 6)]
    [2, 4, 7, 11, 16]
    >>> Intervals().realize([1, 2, 3], [1, -1, 1]) is None
    True
    """

    dimension = 1
    vc_dimension = 2.0

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        if not positive.any():
            return (np.inf, -np.inf)
        inside = points[positive, 0]
        ends = (float(inside.min()), float(inside.max()))
        return None if self._predict(ends, points[~positive]).any() else ends

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        low, high = parameters
        return np.asarray((points[:, 0] >= low) & (points[:, 0] <= high))

    def _patterns(self, points: Matrix) -> Mask:
        values, place = np.unique(points[:, 0], return_inverse=True)
        m = len(values)
        self._affordable(range(m * (m + 1) // 2 + 1))
        first, last = np.triu_indices(m)
        places = np.arange(m)
        runs = (places >= first[:, None]) & (places <= last[:, None])
        return np.asarray(np.vstack([np.zeros((1, m), bool), runs])[:, place])

    def _minimize(self, points: Matrix, labels: Vector, weights: Vector) -> Minimum:
        values, place = np.unique(points[:, 0], return_inverse=True)
        total = np.append(
            0.0, np.cumsum(np.bincount(place, weights * labels, minlength=len(values)))
        )
        # The best run that ends here begins where the sum so far was least.
        begins = np.minimum.accumulate(total[:-1])
        end = int(np.argmax(total[1:] - begins))
        start = int(np.argmin(total[: end + 1]))
        worth = total[end + 1] - total[start] > 0
        ends = (
            (float(values[start]), float(values[end])) if worth else (np.inf, -np.inf)
        )
        wrong = self._predict(ends, points) != (labels > 0)
        return Minimum(ends, float(weights @ wrong))
