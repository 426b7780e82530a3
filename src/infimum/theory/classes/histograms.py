"""Histogram rules: one label for each of k equal cells of [0, 1]."""

from dataclasses import dataclass, field
from math import lgamma, log
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import whole
from infimum.theory.classes._hypothesis_class import (
    MOST_PATTERNS,
    HypothesisClass,
    Minimum,
)
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["Histograms"]


@dataclass(frozen=True)
class Histograms(HypothesisClass):
    """Functions that are constant on each of k equal cells of [0, 1].

    There are 2ᵏ of them; the best one takes the majority vote in each cell. With fixed
    k what varies inside a cell is never learned; k may grow with n as long as k/n
    vanishes.

    Examples
    --------
    >>> from infimum.theory import Histograms
    >>> best = Histograms(2).minimize([0.1, 0.2, 0.3, 0.9], [1, 1, -1, -1])
    >>> best.parameters.tolist(), best.risk
    ([True, False], 0.25)
    """

    cells: int = field(default=10, metadata={"domain": whole(1)})
    dimension = 1

    @property
    def vc_dimension(self) -> float:
        """The number of cells."""
        return float(self.cells)

    @property
    def log_size(self) -> float:
        """The logarithm of the number of functions."""
        return self.cells * log(2.0)

    def rademacher(self, X: Any) -> float:
        """Return the Rademacher complexity on these points: a closed formula.

        In a cell of m points the best label earns |σ₁ + … + σₘ|, a simple random walk.
        """
        places = self._places(self._points(X))
        counts = np.bincount(places, minlength=self.cells)
        return float(sum(_mean_size(int(m)) for m in counts) / max(1, len(places)))

    def _growth(self, n: int) -> int:
        return int(2 ** min(n, self.cells))

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        places = self._places(points)
        made = np.zeros(self.cells, dtype=bool)
        made[places[positive]] = True
        return None if made[places[~positive]].any() else made

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        return np.asarray(parameters[self._places(points)])

    def _patterns(self, points: Matrix) -> Mask:
        cells, place = np.unique(self._places(points), return_inverse=True)
        if 2.0 ** len(cells) > MOST_PATTERNS:
            self._affordable(range(MOST_PATTERNS + 1))
        codes = np.arange(2 ** len(cells))[:, None] >> np.arange(len(cells))
        return np.asarray((codes & 1).astype(bool)[:, place])

    def _minimize(self, points: Matrix, labels: Vector, weights: Vector) -> Minimum:
        places = self._places(points)
        votes = np.bincount(places, weights * labels, minlength=self.cells)
        made = votes > 0
        return Minimum(made, float(weights @ (made[places] != (labels > 0))))

    def _places(self, points: Matrix) -> Indices:
        values = points[:, 0]
        if np.any((values < 0) | (values > 1)):
            raise DataError("Histograms labels numbers in [0, 1]; one lies outside.")
        return np.minimum((values * self.cells).astype(np.intp), self.cells - 1)


def _mean_size(m: int) -> float:
    """Return E|σ₁ + … + σₘ| = m C(m-1, ⌊(m-1)/2⌋) / 2^(m-1)."""
    if m == 0:
        return 0.0
    half = (m - 1) // 2
    ways = lgamma(m) - lgamma(half + 1) - lgamma(m - half)
    return float(np.exp(log(m) + ways - (m - 1) * log(2.0)))
