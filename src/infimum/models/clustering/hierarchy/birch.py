"""Birch: clusters from one pass over the data, kept in a tree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
    clone,
)
from sklearn.exceptions import ConvergenceWarning

from infimum.data.doors import check_fitted, rows
from infimum.errors import InvalidParameterError
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.clustering.centres._centre_model import distances_to, nearest_labels
from infimum.models.clustering.hierarchy._feature_tree import (
    begin_tree,
    grow_tree,
    leaf_means,
)
from infimum.models.clustering.hierarchy.agglomerative_clustering import (
    AgglomerativeClustering,
)
from infimum.parameters import Domains, check_domain, check_parameters, positive, whole
from infimum.typing import Indices, Matrix

__all__ = ["Birch"]

#: Sparse rows that are written out at a time.
BLOCK = 1024


class Birch(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Many small clusters from one pass over the data, and large ones made of them.

    A sample joins the nearest small cluster if its radius

    .. math:: \sqrt{\tfrac{1}{n} \sum_i \|x_i - m\|^2}

    does not exceed `threshold`, and is one of its own otherwise. The small clusters are
    leaves of a tree, which tells the nearest in few steps; nothing else is kept of the
    data. In the end they are clustered like samples. Radii are kept as sums of squared
    distances to means, so that data far from the origin lose nothing.

    Parameters
    ----------
    threshold : float, default=0.5
    branching_factor : int, default=50
        How many clusters a node of the tree holds, before it is split in two; what is
        set after `fit` waits for the next one.
    n_clusters : int, clusterer or None, default=3
        How many clusters to make of the small ones, by Ward's linkage; a clusterer that
        makes them; or None, to take the small ones as they are.
    compute_labels : bool, default=True

    Attributes
    ----------
    subcluster_centers_ : ndarray of shape (n_subclusters, n_features)
        Means of the small clusters.
    subcluster_counts_ : ndarray of shape (n_subclusters,)
        How many samples each holds.
    subcluster_labels_ : ndarray of shape (n_subclusters,)
        The cluster each belongs to.
    labels_ : ndarray of shape (n_samples,)
        For the samples of `fit`, or of the last batch.

    Examples
    --------
    >>> X = [[0.0], [0.3], [0.1], [5.0], [5.2], [9.0]]
    >>> model = Birch(n_clusters=2).fit(X)
    >>> model.subcluster_centers_.ravel().round(3), model.subcluster_labels_
    (array([0.133, 5.1  , 9.   ]), array([0, 1, 1]))
    >>> model.partial_fit([[0.2]]).predict([[8.0], [1.0]])
    array([1, 0])
    """

    _domains: ClassVar[Domains] = {
        "threshold": positive,
        "branching_factor": whole(2),
    }

    def __init__(
        self,
        *,
        threshold: float = 0.5,
        branching_factor: int = 50,
        n_clusters: Any = 3,
        compute_labels: bool = True,
    ) -> None:
        self.threshold = threshold
        self.branching_factor = branching_factor
        self.n_clusters = n_clusters
        self.compute_labels = compute_labels

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Put all samples into a new tree and cluster its leaves; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : ignored
        """
        X = self._admit(X, reset=True)
        self._check()
        self._tree = begin_tree(X.shape[1], int(self.branching_factor))
        return self._take(X)

    @whole_or_not_at_all
    def partial_fit(self, X: Any = None, y: Any = None) -> Self:
        """Put more samples into the tree and cluster its leaves; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), optional
            Without any, the leaves are clustered again, by parameters set since.
        y : ignored
        """
        if not hasattr(self, "_tree"):
            if X is None:
                check_fitted(self)
            return self.fit(X)
        self._check()
        if X is None:
            self._join()
            return self
        return self._take(self._admit(X, reset=False))

    def predict(self, X: Any) -> Indices:
        """Return the cluster to which the nearest small cluster of a sample belongs."""
        check_fitted(self)
        return self._labels(self._admit(X, reset=False))

    def transform(self, X: Any) -> Matrix:
        """Return the distances of samples to the means of all small clusters."""
        check_fitted(self)
        return distances_to(self._admit(X, reset=False), self.subcluster_centers_)

    def _admit(self, X: Any, *, reset: bool) -> Any:
        return rows(
            self, X, moderate=True, reset=reset, accept_sparse="csr", order="C"
        ).X

    def _check(self) -> None:
        check_parameters(self)
        wanted = self.n_clusters
        if isinstance(wanted, Integral):
            check_domain("Birch.n_clusters", wanted, whole(1))
        elif wanted is not None and not hasattr(wanted, "fit_predict"):
            raise InvalidParameterError(
                "Birch.n_clusters must be a whole number, a clusterer or None, got "
                f"{wanted!r}."
            )

    def _take(self, X: Any) -> Self:
        self._tree = grow_tree(self._tree, _blocks(X), float(self.threshold))
        means, self.subcluster_counts_ = leaf_means(self._tree)
        self.subcluster_centers_ = means.astype(X.dtype)
        self._join()
        forget(self, "labels_")
        if self.compute_labels:
            self.labels_ = self._labels(X)
        return self

    def _join(self) -> None:
        """Cluster the small clusters."""
        centres, rule = self.subcluster_centers_, self.n_clusters
        found = len(centres)
        if isinstance(rule, Integral):
            wanted = int(rule)
            if found < wanted:
                warnings.warn(
                    f"Birch found {found} small clusters, fewer than n_clusters="
                    f"{wanted}: lower the threshold.",
                    ConvergenceWarning,
                    stacklevel=5,
                )
            rule = AgglomerativeClustering(wanted) if found > wanted else None
        if rule is None:
            self.subcluster_labels_ = np.arange(found)
        else:
            labels = clone(rule).fit_predict(centres)
            self.subcluster_labels_ = np.asarray(labels, dtype=np.intp)

    def _labels(self, X: Any) -> Indices:
        nearest = nearest_labels(X, self.subcluster_centers_)[1]
        return np.asarray(self.subcluster_labels_[nearest])

    @property
    def _n_features_out(self) -> int:
        return len(self.subcluster_centers_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _blocks(X: Any) -> Iterator[Matrix]:
    """Yield the rows of a table, dense and in double precision."""
    if not is_sparse(X):
        yield np.ascontiguousarray(X, dtype=np.float64)
        return
    for start in range(0, X.shape[0], BLOCK):
        yield X[start : start + BLOCK].toarray().astype(np.float64)
