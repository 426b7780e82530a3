"""Feature agglomeration: clusters of columns, each replaced by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from infimum.data.doors import check_fitted, rows, samples
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.hierarchy.agglomerative_clustering import (
    AgglomerativeClustering,
)
from infimum.models.clustering.hierarchy.dendrogram import Dendrogram
from infimum.parameters import Domains, check_domain, check_parameters, function, whole
from infimum.typing import Matrix

__all__ = ["FeatureAgglomeration"]


class FeatureAgglomeration(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Fewer features: clusters of similar columns, each replaced by its mean.

    Columns are clustered like samples, by `AgglomerativeClustering`. `transform` pools
    the columns of each cluster, `inverse_transform` gives each column what its cluster
    has.

    Parameters
    ----------
    n_clusters : int or None, default=2
    metric, memory, connectivity, compute_full_tree, linkage
        As in `AgglomerativeClustering`, between columns. With "precomputed" distances
        X is a square matrix of them.
    pooling_func : callable, default=numpy.mean
        Of some columns and ``axis=1``.
    distance_threshold, compute_distances
        As in `AgglomerativeClustering`.

    Attributes
    ----------
    labels_ : ndarray of shape (n_features,)
        Clusters, numbered in the order of the columns.
    n_clusters_, n_leaves_, n_connected_components_ : int
    children_ : ndarray of shape (n_features - 1, 2)
    distances_ : ndarray of shape (n_features - 1,)
    dendrogram_ : Dendrogram

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0, 9.0], [4.0, 3.0, 9.5], [8.0, 9.0, 9.0]])
    >>> model = FeatureAgglomeration(2).fit(X)
    >>> model.labels_
    array([0, 0, 1])
    >>> model.transform(X)
    array([[0.5, 9. ],
           [3.5, 9.5],
           [8.5, 9. ]])
    """

    _domains: ClassVar[Domains] = {"pooling_func": function}

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: Any = "euclidean",
        memory: Any = None,
        connectivity: Any = None,
        compute_full_tree: Any = "auto",
        linkage: str = "ward",
        pooling_func: Callable[..., Any] = np.mean,
        distance_threshold: float | None = None,
        compute_distances: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.pooling_func = pooling_func
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the columns; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_parameters(self)
        rule: Any = {"accept_sparse": False, "ensure_min_features": 2}
        X = rows(self, X, moderate=True, **rule).X
        if self.n_clusters is not None:
            owner = "FeatureAgglomeration.n_clusters"
            check_domain(owner, self.n_clusters, whole(1))
            if self.n_clusters > X.shape[1]:
                raise DataError(
                    "FeatureAgglomeration needs as many features as clusters, got "
                    f"n_features={X.shape[1]} for n_clusters={self.n_clusters}."
                )
        columns = AgglomerativeClustering(
            self.n_clusters,
            metric=self.metric,
            connectivity=self.connectivity,
            linkage=self.linkage,
            distance_threshold=self.distance_threshold,
        ).fit(X.T)
        self._tree = columns.dendrogram_.tree
        self.labels_, self.n_clusters_ = columns.labels_, columns.n_clusters_
        self.children_, self.distances_ = columns.children_, columns.distances_
        self.n_leaves_ = columns.n_leaves_
        self.n_connected_components_ = columns.n_connected_components_
        return self

    def transform(self, X: Any) -> Matrix:
        """Return what the columns of each cluster are pooled to.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        """
        X = samples(self, X, moderate=True, accept_sparse=False)
        groups = [self.labels_ == label for label in range(self.n_clusters_)]
        pooled = [self.pooling_func(X[:, group], axis=1) for group in groups]
        return np.asarray(np.array(pooled).T, dtype=X.dtype, order="C")

    def inverse_transform(self, X: Any) -> Matrix:
        """Return a table in which each column has what its cluster has.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_clusters) or (n_clusters,)
        """
        check_fitted(self)
        pooled = np.asarray(X)
        if pooled.ndim == 0 or pooled.shape[-1] != self.n_clusters_:
            raise DataError(
                f"FeatureAgglomeration has {self.n_clusters_} clusters of features, "
                f"got X of shape {pooled.shape}."
            )
        return np.asarray(pooled[..., self.labels_])

    @property
    def dendrogram_(self) -> Dendrogram:
        """The tree of features, to be cut otherwise and drawn."""
        check_fitted(self)
        return Dendrogram(self._tree)

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
