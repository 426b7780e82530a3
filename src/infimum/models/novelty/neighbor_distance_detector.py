"""Neighbour distance detector: anomalies have their neighbours far away."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from infimum.models.neighbors import NearestNeighbors
from infimum.models.novelty._level_detector import LevelDetector
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["NeighborDistanceDetector"]


class NeighborDistanceDetector(LevelDetector):
    r"""Anomalies are samples whose k-th neighbour is far away.

    .. math:: s(x) = -\|x - x_{(k)}\|

    where :math:`x_{(k)}` is the k-th nearest training sample; a training sample is the
    first neighbour of its own. The score is a monotone function of the estimate of the
    density by k neighbours, and knows no shape of clouds.

    Parameters
    ----------
    n_neighbors : int, default=5
        The number k; at most all training samples are asked.
    contamination : float, default=0.1
        Share of the training samples outside, in [0, 0.5].

    Attributes
    ----------
    neighbors_ : NearestNeighbors
        The training samples, in an order that is quick to search.
    offset_ : float
        The level of the scores.
    n_features_in_ : int

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.4]]
    >>> detector = NeighborDistanceDetector(n_neighbors=2, contamination=0.0).fit(X)
    >>> detector.predict([[0.25], [3.0]])
    array([ 1, -1])
    """

    def __init__(self, *, n_neighbors: int = 5, contamination: float = 0.1) -> None:
        self.n_neighbors = n_neighbors
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what is familiar, and the level; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        return self._fit(X)

    def _learn(self, X: Matrix, weights: Vector) -> Vector:
        name = "NeighborDistanceDetector.n_neighbors"
        check_domain(name, self.n_neighbors, whole(1))
        self._count = min(int(self.n_neighbors), len(X))
        self.neighbors_ = NearestNeighbors(n_neighbors=self._count).fit(X)
        return self._scores(X)

    def _scores(self, X: Matrix) -> Vector:
        distances, _ = self.neighbors_.kneighbors(X, self._count)
        return np.asarray(-distances[:, -1], dtype=np.float64)
