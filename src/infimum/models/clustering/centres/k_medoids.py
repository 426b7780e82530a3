"""k-medoids: centres that are samples, for any distance whatever."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances

from infimum.data.doors import rows, samples
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KMedoids"]


class KMedoids(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Samples as centres, such that every sample is near one of them.

    .. math:: \min_{j_1, …, j_k} \sum_i w_i \min_c d(x_i, x_{j_c})

    Centres are always samples, so only distances are asked for, never coordinates (the
    texts also call this k-median). Begins greedily, then exchanges a centre for a
    sample as long as any such exchange lowers the objective (partitioning around
    medoids): no single exchange improves the result. All pairs of distances are kept:
    n² numbers.

    Parameters
    ----------
    n_clusters : int, default=8
    metric : str or callable, default="euclidean"
        Any of scikit-learn's pairwise distances, or "precomputed".
    max_iter : int, default=300
        Most exchanges.

    Attributes
    ----------
    medoid_indices_ : ndarray of shape (n_clusters,)
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The medoids; None for precomputed distances.
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
    n_iter_ : int
        Exchanges made.

    Examples
    --------
    >>> D = [[0.0, 1.0, 9.0], [1.0, 0.0, 8.0], [9.0, 8.0, 0.0]]
    >>> KMedoids(2, metric="precomputed").fit(D).medoid_indices_
    array([1, 2])
    """

    _domains: ClassVar[Domains] = {
        "n_clusters": whole(1),
        "max_iter": whole(0),
    }

    def __init__(
        self, n_clusters: int = 8, *, metric: Any = "euclidean", max_iter: int = 300
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the medoids; return self."""
        check_parameters(self)
        found = rows(self, X, sample_weight, moderate=True, accept_sparse=False)
        X, weigh = found.X, found.shares()
        if np.count_nonzero(weigh) < self.n_clusters:
            raise DataError(
                f"KMedoids needs as many samples as clusters, got n_samples="
                f"{np.count_nonzero(weigh)} for n_clusters={self.n_clusters}."
            )
        apart = self._distances(X)
        medoids = _build(apart, weigh, int(self.n_clusters))
        medoids, self.n_iter_ = _exchange(apart, weigh, medoids, int(self.max_iter))
        self.medoid_indices_ = medoids
        self.cluster_centers_ = None if self.metric == "precomputed" else X[medoids]
        far = apart[:, medoids]
        self.labels_ = np.asarray(far.argmin(axis=1), dtype=np.int32)
        self.inertia_ = float(weigh @ far.min(axis=1))
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the nearest medoid of each sample.

        For precomputed distances, X has those from new samples to all samples of the
        fit.
        """
        X = samples(self, X, moderate=True, accept_sparse=False)
        if self.metric == "precomputed":
            far = X[:, self.medoid_indices_]
        else:
            far = pairwise_distances(X, self.cluster_centers_, metric=self.metric)
        return np.asarray(far.argmin(axis=1), dtype=np.int32)

    def _distances(self, X: Matrix) -> Matrix:
        if self.metric != "precomputed":
            return np.asarray(pairwise_distances(X, metric=self.metric), np.float64)
        if X.shape[0] != X.shape[1]:
            raise DataError(
                f"KMedoids with precomputed distances needs a square matrix, got the "
                f"shape {X.shape}."
            )
        return np.asarray(X, dtype=np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


def _build(apart: Matrix, weights: Vector, k: int) -> Indices:
    """Add, k times, the sample that lowers the objective most."""
    chosen: list[int] = []
    near = np.full(len(apart), np.inf)
    for _ in range(k):
        left = weights @ np.minimum(apart, near[:, None])
        left[chosen] = np.inf
        left[weights <= 0.0] = np.inf  # a sample without weight is none
        chosen.append(int(np.argmin(left)))
        near = np.minimum(near, apart[:, chosen[-1]])
    return np.array(chosen)


def _exchange(
    apart: Matrix, weights: Vector, medoids: Indices, most: int
) -> tuple[Indices, int]:
    """Exchange a medoid for a sample while that lowers the objective."""
    medoids = medoids.copy()
    for step in range(most):
        change = _changes(apart, weights, medoids)
        who, new = np.unravel_index(int(np.argmin(change)), change.shape)
        cost = float(weights @ apart[:, medoids].min(axis=1))
        if not change[who, new] < -1e-12 * cost:
            return medoids, step
        medoids[who] = new
    return medoids, most


def _changes(apart: Matrix, weights: Vector, medoids: Indices) -> Matrix:
    """Return by how much each exchange (medoid × sample) would raise the objective.

    A sample that comes nearer gains whoever leaves; otherwise it only matters whether
    its own medoid leaves, and then it goes to the second or to the new one.
    """
    far = apart[:, medoids]
    k, here = len(medoids), np.arange(len(far))
    own = far.argmin(axis=1)
    near = far[here, own]
    far[here, own] = np.inf
    second = far.min(axis=1) if k > 1 else np.full(len(near), np.inf)
    gain = weights @ np.minimum(apart - near[:, None], 0.0)
    change = np.empty((k, len(apart)))
    for label in range(k):
        mine = own == label
        loss = np.minimum(apart[mine], second[mine, None]) - near[mine, None]
        moved = weights[mine] @ np.maximum(loss, 0.0)
        change[label] = gain + moved
    change[:, medoids] = np.inf
    change[:, weights <= 0.0] = np.inf
    return change
