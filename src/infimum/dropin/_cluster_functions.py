"""The functions of ``sklearn.cluster`` that fit a clusterer and return its parts."""

from __future__ import annotations

from typing import Any

from infimum.models.clustering import (
    DBSCAN,
    OPTICS,
    AffinityPropagation,
    KMeans,
    MeanShift,
    SpectralClustering,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "affinity_propagation",
    "compute_optics_graph",
    "dbscan",
    "k_means",
    "mean_shift",
    "spectral_clustering",
]


def k_means(
    X: Any,
    n_clusters: int,
    *,
    sample_weight: Any = None,
    init: Any = "k-means++",
    n_init: Any = "auto",
    max_iter: int = 300,
    verbose: bool = False,
    tol: float = 1e-4,
    random_state: Any = None,
    copy_x: bool = True,
    algorithm: str = "lloyd",
    return_n_iter: bool = False,
) -> tuple[Any, ...]:
    """Return centres, labels and objective of `KMeans`, and iterations if asked for.

    Examples
    --------
    >>> centres, labels, inertia = k_means([[0.0], [1.0], [9.0]], 2, random_state=0)
    >>> inertia
    0.5
    """
    model = KMeans(
        n_clusters, init=init, n_init=n_init, max_iter=max_iter, verbose=verbose,
        tol=tol, random_state=random_state, copy_x=copy_x, algorithm=algorithm,
    ).fit(X, sample_weight=sample_weight)  # fmt: skip
    found = model.cluster_centers_, model.labels_, model.inertia_
    return (*found, model.n_iter_) if return_n_iter else found


def dbscan(
    X: Any,
    eps: float = 0.5,
    *,
    min_samples: int = 5,
    metric: Any = "minkowski",
    metric_params: dict[str, Any] | None = None,
    algorithm: str = "auto",
    leaf_size: int = 30,
    p: float | None = 2,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> tuple[Indices, Indices]:
    """Return the core samples and the labels of `DBSCAN`.

    Examples
    --------
    >>> dbscan([[0.0], [0.1], [0.2], [9.0]], 0.3, min_samples=2)
    (array([0, 1, 2]), array([ 0,  0,  0, -1]))
    """
    model = DBSCAN(
        eps, min_samples=min_samples, metric=metric, metric_params=metric_params,
        algorithm=algorithm, leaf_size=leaf_size, p=p, n_jobs=n_jobs,
    ).fit(X, sample_weight=sample_weight)  # fmt: skip
    return model.core_sample_indices_, model.labels_


def spectral_clustering(
    affinity: Any,
    *,
    n_clusters: int = 8,
    n_components: int | None = None,
    eigen_solver: str | None = None,
    random_state: Any = None,
    n_init: int = 10,
    eigen_tol: Any = "auto",
    assign_labels: str = "kmeans",
    verbose: bool = False,
) -> Indices:
    """Return the labels of `SpectralClustering` for a matrix of weights.

    Examples
    --------
    >>> W = [[0, 9, 0, 0], [9, 0, 1, 0], [0, 1, 0, 9], [0, 0, 9, 0]]
    >>> labels = spectral_clustering(W, n_clusters=2, random_state=0)
    >>> bool(labels[0] == labels[1]), bool(labels[1] == labels[2])
    (True, False)
    """
    return SpectralClustering(
        n_clusters, n_components=n_components, eigen_solver=eigen_solver,
        random_state=random_state, n_init=n_init, affinity="precomputed",
        eigen_tol=eigen_tol, assign_labels=assign_labels, verbose=verbose,
    ).fit(affinity).labels_  # fmt: skip


def mean_shift(
    X: Any,
    *,
    bandwidth: float | None = None,
    seeds: Any = None,
    bin_seeding: bool = False,
    min_bin_freq: int = 1,
    cluster_all: bool = True,
    max_iter: int = 300,
    n_jobs: int | None = None,
) -> tuple[Matrix, Indices]:
    """Return the centres and labels of `MeanShift`.

    Examples
    --------
    >>> mean_shift([[0.0], [1.0], [9.0]], bandwidth=2.0)
    (array([[0.5],
           [9. ]]), array([0, 0, 1]))
    """
    model = MeanShift(
        bandwidth=bandwidth, seeds=seeds, bin_seeding=bin_seeding,
        min_bin_freq=min_bin_freq, cluster_all=cluster_all, n_jobs=n_jobs,
        max_iter=max_iter,
    ).fit(X)  # fmt: skip
    return model.cluster_centers_, model.labels_


def affinity_propagation(
    S: Any,
    *,
    preference: Any = None,
    convergence_iter: int = 15,
    max_iter: int = 200,
    damping: float = 0.5,
    copy: bool = True,
    verbose: bool = False,
    return_n_iter: bool = False,
    random_state: Any = None,
) -> tuple[Any, ...]:
    """Return exemplars and labels of `AffinityPropagation` for given similarities.

    Examples
    --------
    >>> S = [[0, -1, -4, -99], [-1, 0, -1, -90], [-4, -1, 0, -80], [-99, -90, -80, 0]]
    >>> affinity_propagation(S, preference=-3, random_state=0)
    (array([1, 3]), array([0, 0, 0, 1]))
    """
    model = AffinityPropagation(
        damping=damping, max_iter=max_iter, convergence_iter=convergence_iter,
        copy=copy, preference=preference, affinity="precomputed", verbose=verbose,
        random_state=random_state,
    ).fit(S)  # fmt: skip
    found = model.cluster_centers_indices_, model.labels_
    return (*found, model.n_iter_) if return_n_iter else found


def compute_optics_graph(
    X: Any,
    *,
    min_samples: float,
    max_eps: float,
    metric: Any,
    p: float,
    metric_params: dict[str, Any] | None,
    algorithm: str,
    leaf_size: int,
    n_jobs: int | None,
) -> tuple[Indices, Vector, Vector, Indices]:
    """Return the order of `OPTICS`, core distances, reachability and predecessors.

    Examples
    --------
    >>> order, core, reach, before = compute_optics_graph(
    ...     [[0.0], [5.0], [1.0]], min_samples=2, max_eps=9.0, metric="minkowski", p=2,
    ...     metric_params=None, algorithm="auto", leaf_size=30, n_jobs=None)
    >>> order, core, reach, before
    (array([0, 2, 1]), array([1., 4., 1.]), array([inf,  4.,  1.]), array([-1,  2,  0]))
    """
    model = OPTICS(
        min_samples=min_samples, max_eps=max_eps, metric=metric, p=p,
        metric_params=metric_params, algorithm=algorithm, leaf_size=leaf_size,
        n_jobs=n_jobs, cluster_method="dbscan",
    ).fit(X)  # fmt: skip
    return (
        model.ordering_,
        model.core_distances_,
        model.reachability_,
        model.predecessor_,
    )
