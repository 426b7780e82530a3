"""Agglomerative clustering: a cut through the tree that linkage grows."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from infimum.data.doors import check_fitted, rows, samples
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.by_density._nearest_cluster import nearest_cluster
from infimum.models.clustering.hierarchy._connectivity import constrained_linkage
from infimum.models.clustering.hierarchy._merging import SQUARED
from infimum.models.clustering.hierarchy.dendrogram import Dendrogram
from infimum.models.clustering.hierarchy.linkage_tree import linkage
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Indices, Matrix

__all__ = ["AgglomerativeClustering"]

_LINKAGES = Choice(
    ("ward", "complete", "average", "single", "weighted", "centroid", "median")
)
_CONSTRAINED = Choice(("ward", "complete", "average", "single"))


class AgglomerativeClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters that grow by merging the two closest, until few enough are left.

    Single linkage finds elongated clusters and follows chains of outliers, complete
    linkage finds compact ones, average linkage stands between; Ward's keeps the squared
    distances to the means small. No merge is ever undone.

    Parameters
    ----------
    n_clusters : int or None, default=2
        How many clusters; None if `distance_threshold` decides.
    metric : str, Kernel or callable, default='euclidean'
        As in `NearestNeighbors`; 'precomputed' reads a square matrix of distances.
    memory : ignored
    connectivity : array-like, sparse matrix or callable, optional
        Which samples are neighbours, or a function of X that says so; only clusters
        that touch merge.
    compute_full_tree : ignored
        The tree is always full.
    linkage : str, default='ward'
        'ward', 'complete', 'average', 'single', 'weighted', 'centroid' or 'median'; the
        first four with a connectivity.
    distance_threshold : float, optional
        Clusters at this distance or above are not merged.
    compute_distances : ignored
        Heights are always kept.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters, numbered in the order of the samples.
    n_clusters_, n_leaves_, n_connected_components_ : int
    children_ : ndarray of shape (n_samples - 1, 2)
    distances_ : ndarray of shape (n_samples - 1,)
    dendrogram_ : Dendrogram
        The tree, to be cut otherwise and drawn.

    Examples
    --------
    >>> X = [[0.0], [0.3], [4.0], [4.5], [9.0]]
    >>> model = AgglomerativeClustering(3, linkage="average").fit(X)
    >>> model.labels_, model.predict([[4.2], [8.0]])
    (array([0, 0, 1, 1, 2]), array([1, 2]))
    """

    _domains: ClassVar[Domains] = {
        "n_clusters": or_none(whole(1)),
        "distance_threshold": or_none(nonnegative),
        "linkage": _LINKAGES,
    }

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: Any = "euclidean",
        memory: Any = None,
        connectivity: Any = None,
        compute_full_tree: Any = "auto",
        linkage: str = "ward",
        distance_threshold: float | None = None,
        compute_distances: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Grow the tree and cut it; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        self._check()
        X = rows(self, X, moderate=True, ensure_min_samples=2, accept_sparse=False).X
        if self.n_clusters is not None and self.n_clusters > len(X):
            raise DataError(
                f"AgglomerativeClustering needs as many samples as clusters, got "
                f"n_samples={len(X)} for {self.n_clusters} clusters."
            )
        tree = self._grow(np.asarray(X, dtype=np.float64))
        self._fit_X = X
        self._tree = tree
        self.children_ = tree[:, :2].astype(np.intp)
        self.distances_ = tree[:, 2].copy()
        self.n_leaves_ = len(X)
        self.labels_ = self._cut(Dendrogram(tree))
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    @property
    def dendrogram_(self) -> Dendrogram:
        """The tree, to be cut otherwise and drawn."""
        check_fitted(self)
        return Dendrogram(self._tree)

    def predict(self, X: Any) -> Indices:
        """Return the cluster that is closest to each sample, by the same linkage.

        The sample is a cluster of its own. Weighted linkage, whose distances depend on
        the order of merges, measures by averages here; median linkage by means.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            New samples; their distances to the old ones for ``metric='precomputed'``.
        """
        queries = samples(self, X, moderate=True, accept_sparse=False)
        known = np.asarray(self._fit_X, dtype=np.float64)
        return nearest_cluster(
            np.asarray(queries, dtype=np.float64), known, self.labels_,
            (self.linkage, self.metric),
        )  # fmt: skip

    def _check(self) -> None:
        owner = type(self).__name__
        check_parameters(self)
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise InvalidParameterError(
                f"Exactly one of {owner}.n_clusters and {owner}.distance_threshold "
                "must be given, and the other must be None."
            )
        if self.distance_threshold is not None and self.compute_full_tree is False:
            raise InvalidParameterError(
                f"{owner}.compute_full_tree must be True or 'auto' when "
                "distance_threshold is given, got False."
            )
        if self.linkage in SQUARED and self.metric not in ("euclidean", "l2"):
            raise IncompatibleError(
                f"{owner}: {self.linkage} linkage measures between means, which needs "
                f"Euclidean distances, got metric={self.metric!r}."
            )

    def _grow(self, X: Matrix) -> Matrix:
        if self.connectivity is None:
            self.n_connected_components_ = 1
            return linkage(X, self.linkage, self.metric)
        owner = "AgglomerativeClustering.linkage with a connectivity"
        check_domain(owner, self.linkage, _CONSTRAINED)
        graph = self.connectivity
        graph = graph(X) if callable(graph) else graph
        tree, parts = constrained_linkage(X, graph, self.linkage, self.metric)
        self.n_connected_components_ = parts
        return tree

    def _cut(self, tree: Dendrogram) -> Indices:
        if self.n_clusters is not None:
            return tree.cut(n_clusters=int(self.n_clusters))
        below = float(np.nextafter(float(self.distance_threshold or 0.0), -np.inf))
        return tree.cut(height=below)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        tags.input_tags.pairwise = given
        return tags
