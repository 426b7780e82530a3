"""Base of clusterers with centres: predict, transform and score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)

from infimum.data.doors import rows, samples, weighed
from infimum.errors import DataError
from infimum.features.columns import is_sparse
from infimum.models.clustering.centres._dense_assignment import Assignment
from infimum.models.clustering.centres._lloyd import rows_of, weigh
from infimum.models.clustering.centres._sparse_distances import squared_distances
from infimum.typing import Indices, Matrix

__all__ = ["CentreModel", "admit_rows", "distances_to", "nearest_labels"]


def admit_rows(model: Any, X: Any, sample_weight: Any = None) -> tuple[Any, Any]:
    """Admit a table with at least as many rows as the model has clusters."""
    rule: Any = {"accept_sparse": "csr", "order": "C", "accept_large_sparse": False}
    found = rows(model, X, sample_weight, **rule)
    count = found.X.shape[0]
    if count < model.n_clusters:
        raise DataError(
            f"{type(model).__name__} needs as many samples as clusters, got n_samples="
            f"{count} for n_clusters={model.n_clusters}."
        )
    return found.X, found.weights


def nearest_labels(X: Any, centres: Matrix) -> tuple[Any, Indices]:
    """Return the rows of a table and the nearest of the centres for each."""
    rows = rows_of(X)
    found = Assignment.blank(rows.n)
    rows.assign(found, rows.inward(centres))
    return rows, found.labels


def distances_to(X: Any, centres: Matrix) -> Matrix:
    """Return the distances of samples to all centres."""
    if not is_sparse(X):
        return np.asarray(cdist(X, centres), dtype=X.dtype)
    return np.asarray(np.sqrt(squared_distances(X, centres)), dtype=X.dtype)


class CentreModel(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """A clusterer that gives each sample to the nearest of its `cluster_centers_`."""

    cluster_centers_: Matrix
    labels_: NDArray[np.int32]

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def predict(self, X: Any) -> NDArray[np.int32]:
        """Return the cluster whose centre is nearest to each sample."""
        X = self._admit_again(X)
        labels = nearest_labels(X, self.cluster_centers_)[1]
        return np.asarray(labels, dtype=np.int32)

    def transform(self, X: Any) -> Matrix:
        """Return the distances of samples to all centres."""
        return distances_to(self._admit_again(X), self.cluster_centers_)

    def fit_predict(
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> NDArray[np.int32]:
        """Fit and return the clusters of the same samples."""
        return np.asarray(self.fit(X, sample_weight=sample_weight).labels_)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Matrix:
        """Fit and return the distances of the same samples to all centres."""
        return np.asarray(self.fit(X, sample_weight=sample_weight).transform(X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return minus the sum of squared distances to the nearest centres."""
        X = self._admit_again(X)
        weights = weighed(sample_weight, X)
        rows, labels = nearest_labels(X, self.cluster_centers_)
        apart = rows.distances(labels, rows.inward(self.cluster_centers_))
        if weights is not None:
            rows.weights = weights
        return -float(weigh(rows, apart) * rows.unit**2)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _admit_again(self, X: Any) -> Any:
        X = samples(self, X)
        return sparse.csr_array(X) if is_sparse(X) else X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
