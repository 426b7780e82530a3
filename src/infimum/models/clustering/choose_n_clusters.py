"""How many clusters: several criteria, one table."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.models.clustering.centres.k_means import KMeans
from infimum.models.clustering.clustering_stability import clustering_stability
from infimum.models.clustering.gap_statistic import gap_statistic
from infimum.models.clustering.mixtures.gaussian_mixture import GaussianMixture
from infimum.models.clustering.silhouette import silhouette_score
from infimum.models.graph import laplacian_spectrum, nearest_neighbor_graph
from infimum.parameters import Choice, check_domain, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ClusterCount", "choose_n_clusters", "elbow"]

_CRITERIA = Choice(("silhouette", "gap", "stability", "bic", "elbow", "eigengap"))
#: Neighbours of each sample in the graph whose spectrum is read.
NEIGHBORS = 10
#: Samples below which a graph has nothing to tell.
MANY = 3


@dataclass(frozen=True)
class ClusterCount:
    """The number chosen, and each candidate's score: the larger the better."""

    n_clusters: int
    criterion: str
    candidates: Indices
    scores: Vector


def choose_n_clusters(
    X: Any,
    max_clusters: int = 10,
    *,
    criterion: str = "silhouette",
    random_state: Any = 0,
) -> ClusterCount:
    """Return the number of clusters by one of six criteria.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    max_clusters : int, default=10
    criterion : str, default="silhouette"
        "silhouette" (clusters far apart), "gap" (better than uniform data; may choose
        1), "stability" (the same on both halves), "bic" (likelihood of a Gaussian
        mixture less its price; may choose 1), "elbow" (the sharpest bend of the k-means
        objective) or "eigengap" (the largest gap in the spectrum of the graph of
        nearest neighbours; may choose 1, and clusters may have any shape, though long
        and thin ones have small eigenvalues of their own).
    random_state : int, RandomState or None, default=0

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    >>> choose_n_clusters(X, 6).n_clusters
    3
    """
    check_domain("choose_n_clusters max_clusters", max_clusters, whole(1))
    check_domain("choose_n_clusters criterion", criterion, _CRITERIA)
    X = array(X)
    if criterion == "gap":
        found = gap_statistic(X, max_clusters, random_state=random_state)
        tried = np.arange(1, len(found.gaps) + 1)
        return ClusterCount(found.n_clusters, criterion, tried, found.gaps)
    if criterion == "eigengap":
        return _by_gap(X, int(max_clusters))
    candidates = _candidates(X, max_clusters, criterion)
    if criterion == "elbow":
        costs = [_fit(X, int(k), random_state).inertia_ for k in candidates]
        return ClusterCount(elbow(costs), criterion, candidates, -np.array(costs))
    scores = np.array([_score(X, int(k), criterion, random_state) for k in candidates])
    chosen = int(candidates[int(np.argmax(scores))])
    return ClusterCount(chosen, criterion, candidates, scores)


def elbow(costs: Any) -> int:
    """Return the k at which the objectives of k = 1, 2, … bend most sharply.

    The bend is the distance below the straight line from the first to the last value.

    Examples
    --------
    >>> elbow([100.0, 60.0, 10.0, 8.0, 7.0])
    3
    """
    heights = np.asarray(costs, dtype=np.float64)
    line = np.linspace(heights[0], heights[-1], len(heights))
    return int(np.argmax(line - heights)) + 1


def _by_gap(X: Matrix, most: int) -> ClusterCount:
    """Choose by the gaps between eigenvalues of the normalised Laplacian."""
    if len(X) < MANY:
        return ClusterCount(1, "eigengap", np.array([1]), np.zeros(1))
    near = min(NEIGHBORS, len(X) - 1)
    graph = nearest_neighbor_graph(X, near, weights="connectivity")
    values = laplacian_spectrum(graph, min(most + 1, len(X))).values
    gaps = np.diff(values)
    # Where there are more components than candidates, all gaps are 0.
    chosen = len(gaps) - int(np.argmax(gaps[::-1]))
    return ClusterCount(chosen, "eigengap", np.arange(1, len(gaps) + 1), gaps)


def _candidates(X: Matrix, most: int, criterion: str) -> Indices:
    first = 2 if criterion in {"silhouette", "stability"} else 1
    last = len(X) // 2 if criterion == "stability" else len(X) - 1
    candidates = np.arange(first, min(most, last) + 1)
    if not len(candidates):
        raise DataError(
            f"choose_n_clusters by {criterion} needs more samples or clusters, got "
            f"{len(X)} samples and max_clusters={most}."
        )
    return candidates


def _score(X: Matrix, k: int, criterion: str, seed: Any) -> float:
    if criterion == "silhouette":
        labels = _fit(X, k, seed).labels_
        # Copies may leave fewer clusters than asked for, perhaps only one.
        return silhouette_score(X, labels) if len(set(labels.tolist())) > 1 else -1.0
    if criterion == "stability":
        return clustering_stability(X, k, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return -GaussianMixture(k, n_init=2, random_state=seed).fit(X).bic(X)


def _fit(X: Matrix, k: int, seed: Any) -> KMeans:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return KMeans(int(k), n_init=5, random_state=seed).fit(X)
