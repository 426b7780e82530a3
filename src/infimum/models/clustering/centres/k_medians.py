"""k-medians: centres of medians, for sums of absolute deviations."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from infimum.data.doors import rows, weighed
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import CentreModel
from infimum.models.clustering.centres._lloyd import rows_of
from infimum.models.clustering.centres._start import n_starts, start_centres
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KMedians"]

#: Distances held at a time: 32 MiB.
HELD = 2**22


class KMedians(CentreModel):
    r"""Centres such that the absolute deviations from the nearest sum to little.

    .. math:: \min_{m_1, …, m_k} \sum_i w_i \min_j \| x_i - m_j \|_1

    Like k-means with the median of each feature in place of the mean: a few far samples
    do not pull a centre away.

    Parameters
    ----------
    n_clusters : int, default=8
    init, n_init, max_iter, random_state
        As in `KMeans`.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
        The objective.
    history_ : list of float
        The objective after each iteration; it never rises.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [99.0], [50.0], [51.0], [52.0]])
    >>> start = np.array([[0.0], [60.0]])
    >>> KMedians(2, init=start).fit(X).cluster_centers_.ravel()
    array([ 1. , 51.5])
    """

    _domains: ClassVar[Domains] = {
        "n_clusters": whole(1),
        "max_iter": whole(1),
    }

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres; return self."""
        check_parameters(self)
        found = rows(self, X, sample_weight, moderate=True, accept_sparse=False)
        X, weights = found.X, found.weights
        kept = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
        if len(kept) < self.n_clusters:
            raise DataError(
                f"KMedians needs as many samples as clusters, got n_samples="
                f"{len(kept)} for n_clusters={self.n_clusters}."
            )
        weigh = np.ones(len(kept)) if weights is None else weights[kept]
        draw = check_random_state(self.random_state)
        count = n_starts("KMedians", self.init, self.n_init)
        runs = (self._run(X[kept], weigh, draw) for _ in range(count))
        centres, history = min(runs, key=lambda run: run[1][-1])
        self.cluster_centers_ = centres.astype(X.dtype)
        self.labels_ = np.asarray(_nearest(X, centres)[0], dtype=np.int32)
        self.history_, self.inertia_ = history, history[-1]
        self.n_iter_ = len(history)
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose centre is nearest in absolute deviation."""
        X = self._admit_again(X)
        return np.asarray(_nearest(X, self.cluster_centers_)[0], dtype=np.int32)

    def transform(self, X: Any) -> Matrix:
        """Return the summed absolute deviations of samples from all centres."""
        X = self._admit_again(X)
        apart = cdist(X, self.cluster_centers_, "cityblock")
        return np.asarray(apart, dtype=X.dtype)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return minus the summed absolute deviations from the nearest centres."""
        X = self._admit_again(X)
        weights = weighed(sample_weight, X)
        apart = _nearest(X, self.cluster_centers_)[1]
        return -float(apart.sum() if weights is None else apart @ weights)

    def _run(
        self, X: Matrix, weights: Vector, draw: RandomState
    ) -> tuple[Matrix, list[float]]:
        k, history = int(self.n_clusters), list[float]()
        rows = rows_of(X, weights)
        centres = start_centres("KMedians", self.init, k, rows, draw)
        before: Indices = np.full(len(X), -1)
        for _ in range(int(self.max_iter)):
            labels, apart = _nearest(X, centres)
            history.append(float(weights @ apart))
            if np.array_equal(labels, before):
                break
            before = labels
            centres = _medians(X, weights, labels, apart, centres)
        else:
            history.append(float(weights @ _nearest(X, centres)[1]))
        return centres, history

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def _nearest(X: Matrix, centres: Matrix) -> tuple[Indices, Vector]:
    labels, apart = np.empty(len(X), dtype=np.intp), np.empty(len(X))
    size = max(1, HELD // len(centres))
    for start in range(0, len(X), size):
        some = slice(start, start + size)
        far = cdist(X[some], centres, "cityblock")
        labels[some], apart[some] = far.argmin(axis=1), far.min(axis=1)
    return labels, apart


def _medians(
    X: Matrix, weights: Vector, labels: Indices, apart: Vector, centres: Matrix
) -> Matrix:
    """Return the median of each cluster; an empty one gets the farthest row."""
    moved = np.array(centres, dtype=np.float64)
    farthest = list(np.argsort(-apart, kind="stable"))
    for label in range(len(centres)):
        mine = labels == label
        if mine.any():
            moved[label] = _weighted_median(X[mine], weights[mine])
        elif apart[farthest[0]] > 0.0:
            moved[label] = X[farthest.pop(0)]
    return moved


def _weighted_median(X: Matrix, weights: Vector) -> Vector:
    """Return, for each column, the middle of all points that halve the weight."""
    order = np.argsort(X, axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    summed = np.cumsum(weights[order], axis=0)
    half = 0.5 * summed[-1] * (1.0 - 1e-12)
    first = np.argmax(summed >= half, axis=0)
    over = np.argmax(summed > 0.5 * summed[-1] * (1.0 + 1e-12), axis=0)
    columns = np.arange(X.shape[1])
    return np.asarray((values[first, columns] + values[over, columns]) / 2.0)
