"""How much a map stretches or shrinks the distances between points."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = ["Distortion", "measure_distortion"]

#: Squared distances held at a time.
BLOCK = 2**21


@dataclass(frozen=True)
class Distortion:
    """Squared distances after a map, divided by those before, over all pairs.

    Pairs of equal points have no ratio and are left out; `pairs` counts the others.
    """

    least: float
    largest: float
    mean: float
    pairs: int

    @property
    def eps(self) -> float:
        """The smallest ε for which all ratios lie in [1 - ε, 1 + ε]."""
        return max(1.0 - self.least, self.largest - 1.0)

    def within(self, eps: float) -> bool:
        """Tell whether no squared distance changed by more than a factor 1 ± eps."""
        return self.eps <= eps


def measure_distortion(X: Any, Z: Any) -> Distortion:
    """Compare the distances of all pairs of points before and after a map.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    Z : array-like of shape (n_samples, n_components)
        Where the map put them.

    Examples
    --------
    >>> report = measure_distortion([[0.0], [1.0], [3.0]], [[0.0], [1.1], [3.0]])
    >>> round(report.largest, 2), round(report.eps, 2), report.within(0.1)
    (1.21, 0.21, False)
    """
    before, after = _dense(X), _dense(Z)
    if len(before) != len(after):
        raise DataError(
            "measure_distortion needs the same points before and after, got "
            f"{len(before)} and {len(after)}."
        )
    least, largest, total, pairs = np.inf, -np.inf, 0.0, 0
    step = max(1, BLOCK // max(1, len(before)))
    for start in range(0, len(before), step):
        rows = slice(start, start + step)
        old = cdist(before[rows], before[start:], "sqeuclidean")
        new = cdist(after[rows], after[start:], "sqeuclidean")
        # Only pairs above the diagonal: each once, and none with itself.
        apart = np.triu(old, 1) > 0.0
        ratios = new[apart] / old[apart]
        least = min(least, float(ratios.min(initial=np.inf)))
        largest = max(largest, float(ratios.max(initial=-np.inf)))
        total, pairs = total + float(ratios.sum()), pairs + ratios.size
    if not pairs:
        raise DataError("measure_distortion needs two points that differ.")
    return Distortion(least, largest, total / pairs, pairs)


def _dense(X: Any) -> Matrix:
    X = array(X, accept_sparse="csr")
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X)
