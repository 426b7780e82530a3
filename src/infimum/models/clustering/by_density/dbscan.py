"""DBSCAN: clusters are what dense samples connect."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from infimum.data.doors import check_fitted, weighed
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.by_density._distance_door import admit_samples, are_given
from infimum.models.clustering.by_density._near_components import choose_neighborhood
from infimum.models.neighbors._metric import Metric, choose_metric
from infimum.parameters import (
    Choice,
    Domains,
    check_parameters,
    nonnegative,
    or_none,
    positive,
    whole,
)
from infimum.typing import Indices, Vector

__all__ = ["DBSCAN"]

_ALGORITHMS = Choice(("auto", "ball_tree", "kd_tree", "brute"))


class DBSCAN(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters of any shape: dense samples, and whatever is near to one of them.

    A sample is a core sample if enough samples lie within `eps` of it. Core samples
    within `eps` of each other belong together; other samples join a cluster within
    `eps`, or are noise. Labels are those of scikit-learn. Neighbours are counted and
    joined in a k-d tree, or by tiles of products if there are many features, and never
    listed: memory stays proportional to the data.

    Parameters
    ----------
    eps : float, default=0.5
    min_samples : int, default=5
        How many samples (or what weight), itself included, make a core sample.
    metric : str, Kernel or callable, default='euclidean'
        As in `NearestNeighbors`. Other than Euclidean distances are computed block by
        block, in O(n²) time and bounded memory.
    metric_params : dict, optional
    algorithm : {'auto', 'ball_tree', 'kd_tree', 'brute'}, default='auto'
        Does not change the answer; both trees are the k-d tree.
    leaf_size : ignored
    p : float, optional
        Power of the Minkowski distance.
    n_jobs : ignored
        All cores are used; the answer is the same.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters in the order of their first core sample; -1 is noise.
    core_sample_indices_ : ndarray
    components_ : ndarray or sparse matrix
        The core samples.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0]]
    >>> model = DBSCAN(eps=0.3, min_samples=3).fit(X)
    >>> model.labels_, model.predict([[5.4], [7.0]])
    (array([ 0,  0,  0,  1,  1,  1, -1]), array([ 1, -1]))
    """

    _domains: ClassVar[Domains] = {
        "p": or_none(nonnegative),
        "eps": positive,
        "min_samples": whole(1),
        "algorithm": _ALGORITHMS,
    }

    def __init__(
        self,
        eps: float = 0.5,
        *,
        min_samples: int = 5,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample: one of weight 0 is
            no core sample, whatever is near (in scikit-learn it may be).
        """
        check_parameters(self)
        X = self._admit(X, reset=True)
        weights = _weights(sample_weight, X)
        near = choose_neighborhood(self._metric(X), X, float(self.eps), self.algorithm)
        core = near.dense(weights, float(self.min_samples)) & (weights > 0)
        labels = near.components(core)
        rest = np.flatnonzero(~core)
        if len(rest) < len(labels):
            labels[rest] = near.settle_rest(labels, rest)
        self.labels_ = labels
        self.core_sample_indices_ = np.flatnonzero(core)
        self.components_ = X[self.core_sample_indices_]
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Indices:
        """Fit and return the clusters of the same samples."""
        return np.asarray(self.fit(X, sample_weight=sample_weight).labels_)

    def predict(self, X: Any) -> Indices:
        """Return the first cluster with a core sample within `eps`, or -1 for noise.

        On the samples of the fit these are their labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_queries, n_features)
            New samples; their distances to the old ones for ``metric='precomputed'``.
        """
        check_fitted(self)
        queries = self._admit(X, reset=False)
        if not len(self.core_sample_indices_):
            return np.full(queries.shape[0], -1)
        known, labels = self.components_, self.labels_[self.core_sample_indices_]
        if are_given(self.metric):
            queries = queries[:, self.core_sample_indices_]
        near = choose_neighborhood(
            self._metric(known), known, float(self.eps), self.algorithm
        )
        return near.least_label(labels, queries)

    def _admit(self, X: Any, *, reset: bool) -> Any:
        kinds = [np.float64, np.float32]
        return admit_samples(self, X, self.metric, reset=reset, dtype=kinds)

    def _metric(self, X: Any) -> Metric:
        metric, power = self.metric, 2.0 if self.p is None else self.p
        if self.p is not None and "p" in (self.metric_params or {}):
            warnings.warn(
                f"DBSCAN.p={self.p!r} is not used: metric_params says what p is.",
                SyntaxWarning,
                stacklevel=4,
            )
        return choose_metric("DBSCAN", metric, power, self.metric_params, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = are_given(self.metric)
        tags.input_tags.sparse = not given
        tags.input_tags.pairwise = given
        return tags


def _weights(sample_weight: Any, X: Any) -> Vector:
    weights = weighed(sample_weight, X)
    return np.ones(X.shape[0]) if weights is None else weights
