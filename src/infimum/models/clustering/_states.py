"""Declared states of fitted clusterings: centres, labels, and trees without a loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State
from infimum.models.clustering.hierarchy._feature_tree import check_tree
from infimum.models.embedding._states import check_affinity

__all__ = ["STATES"]


def _check_merges(model: Any) -> None:
    """Raise DataError unless each merge joins two earlier groups, each of them once."""
    owner, tree = type(model).__name__, model._tree
    children = tree[:, :2]
    joined = np.arange(len(tree)) + len(tree) + 1
    earlier = (children >= 0) & (children < joined[:, None])
    once = np.unique(children).size == children.size
    if not earlier.all() or not once or (children % 1 != 0).any():
        raise DataError(f"{owner}: a merge must join two earlier groups.")
    sizes = np.concatenate([np.ones(len(tree) + 1), tree[:, 3]])
    if (sizes[children.astype(np.intp)].sum(axis=1) != tree[:, 3]).any():
        raise DataError(f"{owner}: the size of a merge must be that of its parts.")


def _check_branches(model: Any) -> None:
    """Raise DataError unless samples leave known branches, and parents come first."""
    home, leaving, parent, birth, names, bar = model._chosen
    n, count = len(model._radii), len(np.atleast_1d(parent))
    shapes = [(home, "i", n), (leaving, "f", n), (parent, "i", count)]
    shapes += [(birth, "f", count), (names, "i", count)]
    for array, kind, size in shapes:
        fits = type(array) is np.ndarray and array.shape == (size,)
        if not fits or array.dtype.kind != kind or not array.dtype.isnative:
            raise DataError("HDBSCAN._chosen must be the branches of its samples.")
    within = home.min() >= 0 and home.max() < count
    if not within or not ((parent >= -1) & (parent < np.arange(count))).all():
        raise DataError("HDBSCAN: a branch must come after the one it parted from.")
    if not isinstance(bar, float) or np.count_nonzero(model._marks == 0) != n:
        raise DataError("HDBSCAN._marks must count its samples.")


def _check_reach(model: Any) -> None:
    enough, alpha = model._enough_alpha
    metric, parameters = model._measured
    right = type(enough) is int and 1 <= enough <= len(model._radii)
    if not right or not isinstance(alpha, float) or not 0 < alpha < np.inf:
        raise DataError(
            "HDBSCAN._enough_alpha must be a number of samples and a scale."
        )
    if not isinstance(metric, str) or not isinstance(parameters, dict | None):
        raise DataError("HDBSCAN._measured must name a distance.")
    if metric != "precomputed":
        model._metric(model._fit_X)


def _check_bisections(model: Any) -> None:
    """Raise DataError unless a tree of centres has its children behind their parent."""
    children = model.tree_children_
    inner = children[:, 0] >= 0
    places = np.flatnonzero(inner)[:, None]
    below = (children[inner] > places) & (children[inner] < len(children))
    if not below.all() or np.count_nonzero(~inner) != len(model.cluster_centers_):
        raise DataError("BisectingKMeans: children must come after their parent.")


def _check_medoids(model: Any) -> None:
    given = isinstance(model.metric, str) and model.metric == "precomputed"
    if given != (model.cluster_centers_ is None):
        raise DataError("KMedoids has no centres of given distances only.")
    if given and model.n_features_in_ != len(model.labels_):
        raise DataError("KMedoids needs a distance to each sample.")


def _check_linked(model: Any) -> None:
    given = isinstance(model.metric, str) and model.metric == "precomputed"
    if given and model.n_features_in_ != model.n_leaves_:
        raise DataError("AgglomerativeClustering needs a distance to each sample.")


def _check_exemplars(model: Any) -> None:
    if model.affinity != "precomputed" and not hasattr(model, "cluster_centers_"):
        raise DataError("AffinityPropagation lacks its cluster_centers_.")


def _check_feature_tree(model: Any) -> None:
    check_tree(model._tree, model.n_features_in_)


def _check_order(model: Any) -> None:
    if not np.array_equal(np.sort(model.ordering_), np.arange(len(model.ordering_))):
        raise DataError("OPTICS.ordering_ must be an order of the samples.")


def _check_level(model: Any) -> None:
    if getattr(model.density_, "n_features_in_", None) != model.n_features_in_:
        raise DataError("LevelSetClustering.density_ has other features.")
    if len(model.density_.X_fit_) != len(model.labels_):
        raise DataError("LevelSetClustering.density_ has other samples.")


def _check_shapes(model: Any) -> None:
    """Raise DataError unless weights are shares, and covariances of their type."""
    if abs(model.weights_.sum() - 1.0) > 1e-6:
        raise DataError(f"{type(model).__name__}.weights_ must sum to 1.")
    k, d = model.means_.shape
    shapes = {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}
    kind = model.covariance_type
    shape = shapes.get(kind) if isinstance(kind, str) else None
    for name in ("covariances_", "precisions_cholesky_", "precisions_"):
        if getattr(model, name).shape != shape:
            raise DataError(
                f"{type(model).__name__}.{name} must have the shape {shape}."
            )


_FEATURES = {"n_features_in_": "size features"}
_CENTRES = State(
    {
        **_FEATURES,
        "cluster_centers_": "finite[clusters, features]",
        "labels_?": "index[*] of clusters",
    }
)
_ROUNDS = {"history_": "list of number", "n_iter_": "count"}
_MERGES = {
    "_tree": "finite[merges, 4]",
    "children_": "int[merges, 2]",
    "distances_": "float[merges]",
    "n_leaves_": "size leaves",
    "n_clusters_": "count",
    "n_connected_components_": "count",
}
_SHAPE = "finite[*] | finite[*, *] | finite[*, *, *]"
_MIXTURE = State(
    {
        **_FEATURES,
        "weights_": "nonnegative[parts]",
        "means_": "finite[parts, features]",
        "covariances_": _SHAPE,
        "precisions_cholesky_": _SHAPE,
        "precisions_": _SHAPE,
        "converged_": "flag",
        "n_iter_": "count",
        "lower_bounds_": "float[*]",
        "lower_bound_": "number",
    },
    also=_check_shapes,
)
_WAYS = {
    **_FEATURES,
    "_ways": "finite[features, ways]",
    "row_labels_": "int[rows]",
    "column_labels_": "int[features]",
    "rows_": "bool[blocks, rows]",
    "columns_": "bool[blocks, features]",
    "_centres": "finite[centres, ways]",
}

STATES = {
    "KMeans": State(
        {**_ROUNDS, "inertia_": "number", "lower_bound_": "number"}, base=_CENTRES
    ),
    "KMedians": State({**_ROUNDS, "inertia_": "number"}, base=_CENTRES),
    "SphericalKMeans": State({**_ROUNDS, "inertia_": "number"}, base=_CENTRES),
    "SoftKMeans": State({**_ROUNDS, "free_energy_": "number"}, base=_CENTRES),
    "MeanShift": State(
        {
            "bandwidth_": "number",
            "n_iter_": "count",
            "labels_?": "index[*] of clusters or -1",
        },
        base=_CENTRES,
    ),
    "MiniBatchKMeans": State(
        {
            "counts_": "nonnegative[clusters]",
            "n_steps_": "count",
            "n_iter_": "count",
            "inertia_?": "number",
        },
        base=_CENTRES,
    ),
    "BisectingKMeans": State(
        {
            "tree_centers_": "finite[nodes, features]",
            "tree_children_": "int[nodes, 2]",
            "inertia_": "number",
        },
        base=_CENTRES,
        also=_check_bisections,
    ),
    "KMedoids": State(
        {
            **_FEATURES,
            "n_iter_": "count",
            "labels_": "int[samples]",
            "medoid_indices_": "index[clusters] of samples",
            "cluster_centers_": "none | finite[clusters, features]",
            "inertia_": "number",
        },
        also=_check_medoids,
    ),
    "AffinityPropagation": State(
        {
            **_FEATURES,
            "affinity_matrix_": "float[samples, samples]",
            "cluster_centers_indices_": "index[clusters] of samples",
            "labels_": "index[samples] of clusters or -1",
            "n_iter_": "count",
            "cluster_centers_?": "finite[clusters, features] | "
            "sparse[clusters, features]",
        },
        also=_check_exemplars,
    ),
    "AgglomerativeClustering": State(
        {
            **_FEATURES,
            **_MERGES,
            "_fit_X": "number[leaves, features]",
            "labels_": "index[leaves] of leaves",
        },
        also=(_check_merges, _check_linked),
    ),
    "FeatureAgglomeration": State(
        {
            **_FEATURES,
            **_MERGES,
            "n_clusters_": "size clusters",
            "labels_": "index[features] of clusters",
        },
        also=_check_merges,
    ),
    "Birch": State(
        {
            **_FEATURES,
            "_tree": "dict[8] of finite[*] / finite[*, *] / int[*] / int[*, *]",
            "subcluster_counts_": "float[subclusters]",
            "subcluster_centers_": "finite[subclusters, features]",
            "subcluster_labels_": "int[subclusters]",
            "labels_?": "int[*]",
        },
        also=_check_feature_tree,
    ),
    "DBSCAN": State(
        {
            **_FEATURES,
            "labels_": "int[samples]",
            "core_sample_indices_": "index[cores] of samples",
            "components_": "number[cores, *] | sparse[cores, *]",
        }
    ),
    "HDBSCAN": State(
        {
            **_FEATURES,
            "_measured": "tuple[2] of any",
            "_fit_X": "number[samples, features] | sparse[samples, features]",
            "_tree": "number[*, 4]",
            "_radii": "float[samples]",
            "_marks": "int[rows]",
            "_enough_alpha": "tuple[2] of number",
            "_chosen": "tuple[6] of any",
            "labels_": "int[rows]",
            "probabilities_": "float[rows]",
            "centroids_?": "float[*, features]",
            "medoids_?": "float[*, features]",
        },
        also=(_check_merges, _check_branches, _check_reach),
    ),
    "OPTICS": State(
        {
            **_FEATURES,
            "ordering_": "int[samples]",
            "core_distances_": "float[samples]",
            "predecessor_": "index[samples] of samples or -1",
            "reachability_": "float[samples]",
            "_fit_X": "number[samples, features] | sparse[samples, features]",
            "labels_": "int[samples]",
            "cluster_hierarchy_?": "index[*, 2] of samples",
        },
        also=_check_order,
    ),
    "GaussianMixture": _MIXTURE,
    "BayesianGaussianMixture": State(
        {
            "weight_concentration_prior_": "number",
            "mean_precision_prior_": "number",
            "mean_prior_": "float[features]",
            "degrees_of_freedom_prior_": "number",
            "covariance_prior_": "number | float[features] | float[features, features]",
            "weight_concentration_": "float[parts] | tuple[2] of float[parts]",
            "mean_precision_": "float[parts]",
            "degrees_of_freedom_": "number | float[parts]",
        },
        base=_MIXTURE,
    ),
    "LevelSetClustering": State(
        {
            **_FEATURES,
            "density_": "KernelDensity",
            "kernel": "text | Window",
            "level_": "number",
            "eps_": "number",
            "labels_": "int[samples]",
            "core_sample_indices_": "index[*] of samples",
        },
        also=_check_level,
    ),
    "SpectralBiclustering": State(_WAYS),
    "SpectralCoclustering": State({**_WAYS, "_added": "number"}),
    "SpectralClustering": State(
        {
            **_FEATURES,
            "affinity_matrix_": "float[samples, samples] | sparse[samples, samples]",
            "_known": "none | number[samples, features] | sparse[samples, features]",
            "_coordinates": "float[samples, axes]",
            "eigenvalues_": "float[axes]",
            "residuals_": "float[axes]",
            "n_connected_components_": "count",
            "embedding_": "float[samples, axes]",
            "labels_": "int[samples]",
            "cluster_centers_": "finite[centres, axes]",
        },
        also=check_affinity,
    ),
}
