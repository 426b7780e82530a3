"""Declared states of fitted embeddings: axes, or samples with their places."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State
from infimum.kernels import Kernel
from infimum.parameters import check_domain, positive

__all__ = ["STATES"]


def _check_neighbors(model: Any) -> None:
    """Raise DataError unless the neighbours are those of the embedded samples."""
    inner = getattr(model, "nbrs_", None) or model.neighbors_
    count = len(model.embedding_)
    if getattr(inner, "n_samples_fit_", None) != count or (
        getattr(inner, "n_features_in_", None) != model.n_features_in_
    ):
        raise DataError(f"{type(model).__name__}: its neighbours are of other samples.")


def _check_landmarks(model: Any) -> None:
    rows = len(model._anchors)
    marks = model.landmarks_
    if rows != (len(model.embedding_) if marks is None else len(marks)):
        raise DataError("Isomap needs an anchor for each landmark.")


def _check_reg(model: Any) -> None:
    check_domain("LocallyLinearEmbedding.reg", model.reg, positive)


def _check_gram(model: Any) -> None:
    """Raise DataError unless there are samples, or as many columns of kernel values."""
    if model.kernel != "precomputed":
        right = model.X_fit_ is not None
    else:
        right = getattr(model, "n_features_in_", None) == len(model.eigenvectors_)
    if not right:
        raise DataError("KernelPCA needs its samples, or a kernel value for each.")


def _check_distances(model: Any) -> None:
    """Raise DataError unless only given distances come without samples."""
    metric = model._distance() if hasattr(model, "_distance") else model.metric
    given = isinstance(metric, str) and metric == "precomputed"
    if given != (model._known is None):
        raise DataError(
            f"{type(model).__name__}: only given distances need no samples."
        )


def check_affinity(model: Any) -> None:
    """Raise DataError unless new samples can be compared as the parameters say."""
    kind = model.affinity
    if not isinstance(kind, str) and not isinstance(kind, Kernel):
        raise DataError(f"{type(model).__name__}.affinity must be a name or a kernel.")
    given = isinstance(kind, str) and kind.startswith("precomputed")
    if given != (model._known is None):
        raise DataError(f"{type(model).__name__}: only given weights need no samples.")


_FEATURES = {"n_features_in_": "size features"}
_KNOWN = "none | number[samples, features] | sparse[samples, features]"
_AXES = {
    "components_": "finite[axes, features]",
    "singular_values_": "finite[axes]",
    "explained_variance_": "finite[axes]",
    "explained_variance_ratio_": "float[axes]",
    "_n_features_out": "size axes",
}
_PROJECTION = State(
    {
        **_FEATURES,
        "components_": "finite[axes, features]",
        "n_components_": "size axes",
        "_n_features_out": "size axes",
        "inverse_components_?": "float[features, axes]",
    }
)
_MAP = {"embedding_": "float[samples, axes]", "_n_features_out": "size axes"}
_NEIGHBOR_MAP = State(
    {
        **_FEATURES,
        **_MAP,
        "bandwidths_": "float[samples]",
        "learning_rate_": "number",
        "kl_divergence_": "number",
        "history_": "list of plain",
        "n_iter_": "count",
        "neighbors_": "NearestNeighbors",
    },
    also=_check_neighbors,
)

STATES = {
    "PCA": State(
        {
            **_FEATURES,
            **_AXES,
            "mean_": "finite[features]",
            "residuals_": "float[*]",
            "noise_variance_": "number",
            "n_components_": "size axes",
            "n_samples_": "count",
        }
    ),
    "IncrementalPCA": State(
        {
            **_FEATURES,
            **_AXES,
            "batch_size_?": "count",
            "mean_": "finite[features]",
            "var_": "finite[features]",
            "noise_variance_": "number",
            "n_components_": "size axes",
            "n_samples_seen_": "count",
            "n_samples_": "count",
        }
    ),
    "TruncatedSVD": State({**_FEATURES, **_AXES}),
    "GaussianRandomProjection": _PROJECTION,
    "SignRandomProjection": _PROJECTION,
    "SubspaceRandomProjection": _PROJECTION,
    "SparseRandomProjection": State(
        {
            "components_": "sparse[axes, features] | float[axes, features]",
            "density_": "number",
        },
        base=_PROJECTION,
    ),
    "NeighborhoodComponentsAnalysis": State(
        {
            **_FEATURES,
            "components_": "float[axes, features]",
            "expected_accuracy_": "number",
            "converged_": "flag",
            "n_iter_": "count",
        }
    ),
    "MDS": State(
        {
            **_FEATURES,
            **_MAP,
            "_known": _KNOWN,
            "history_": "list of number",
            "dissimilarity_matrix_": "float[samples, samples]",
            "n_iter_": "count",
            "stress_": "number",
        },
        also=_check_distances,
    ),
    "ClassicalMDS": State(
        {
            **_FEATURES,
            **_MAP,
            "_known": _KNOWN,
            "_offsets": "float[samples]",
            "dissimilarity_matrix_": "float[samples, samples]",
            "eigenvalues_": "float[axes]",
            "residuals_": "float[axes]",
        },
        also=_check_distances,
    ),
    "SNE": _NEIGHBOR_MAP,
    "TSNE": _NEIGHBOR_MAP,
    "Isomap": State(
        {
            **_FEATURES,
            **_MAP,
            "nbrs_": "NearestNeighbors",
            "n_connected_components_": "count",
            "landmarks_": "none | index[*] of samples",
            "dist_matrix_": "float[anchors, samples]",
            "eigenvalues_": "float[axes]",
            "residuals_": "float[axes]",
            "_anchors": "float[anchors, axes]",
            "_offsets": "float[anchors]",
        },
        also=(_check_neighbors, _check_landmarks),
    ),
    "LocallyLinearEmbedding": State(
        {
            **_FEATURES,
            **_MAP,
            "nbrs_": "NearestNeighbors",
            "eigenvalues_": "float[axes]",
            "reconstruction_error_": "number",
        },
        also=(_check_neighbors, _check_reg),
    ),
    "KernelPCA": State(
        {
            "X_fit_": "finite[samples, features] | sparse[samples, features] | "
            "list[samples] of any | none",
            "_gram_means": "float[samples]",
            "_gram_mean": "number",
            "eigenvalues_": "float[axes]",
            "eigenvectors_": "float[samples, axes]",
            "residuals_": "float[axes]",
            "_n_features_out": "size axes",
            "X_transformed_fit_?": "float[samples, axes]",
            "dual_coef_?": "float[samples, features]",
        },
        also=_check_gram,
    ),
    "SpectralEmbedding": State(
        {
            **_FEATURES,
            **_MAP,
            "n_neighbors_": "count | none",
            "affinity_matrix_": "float[samples, samples] | sparse[samples, samples]",
            "_known": _KNOWN,
            "_degrees": "float[samples]",
            "eigenvalues_": "float[axes]",
            "residuals_": "float[axes]",
        },
        also=check_affinity,
    ),
}
