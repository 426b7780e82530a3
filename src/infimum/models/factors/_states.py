"""What fitted factors must be: directions, loadings, scales."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]

_FEATURES = {"n_features_in_": "size features"}
_SCALES = {
    "_x_mean": "finite[features]",
    "_y_mean": "finite[targets]",
    "_x_std": "finite[features]",
    "_y_std": "finite[targets]",
    "_n_features_out": "size parts",
}
_TWO_TABLES = State(
    {
        **_FEATURES,
        **_SCALES,
        "x_weights_": "float[features, parts]",
        "y_weights_": "float[targets, parts]",
        "x_loadings_": "float[features, parts]",
        "y_loadings_": "float[targets, parts]",
        "x_rotations_": "float[features, parts]",
        "y_rotations_": "float[targets, parts]",
        "_x_scores": "float[samples, parts]",
        "_y_scores": "float[samples, parts]",
        "coef_": "float[targets, features]",
        "intercept_": "float[targets]",
        "n_iter_": "list of count",
        "_flat": "flag",
    }
)


def _check_means(model: Any) -> None:
    if len(model.mean_) != (model.n_features_in_ if model.whiten else 0):
        raise DataError("FastICA: its means are of another table.")


def _check_law(model: Any) -> None:
    noise, loadings = model.noise_variance_, model.components_
    with np.errstate(all="ignore"):
        sums = loadings / noise @ loadings.T + np.sum(loadings**2)
    if not np.isfinite(sums).all():
        raise DataError("FactorAnalysis: its loadings are too large beside the noise.")


def _check_axes(model: Any) -> None:
    with np.errstate(all="ignore"):
        products = model.components_ @ model.components_.T
    if not np.isfinite(products).all():
        raise DataError(f"{type(model).__name__}: its axes are too long.")


STATES = {
    "NMF": State(
        {
            **_FEATURES,
            "components_": "nonnegative[parts, features]",
            "n_components_": "size parts",
            "reconstruction_err_": "number",
            "n_iter_": "count",
        }
    ),
    "MiniBatchNMF": State(
        {
            **_FEATURES,
            "components_": "nonnegative[parts, features]",
            "_above": "nonnegative[parts, features]",
            "_below": "nonnegative[parts, features]",
            "n_components_": "size parts",
            "reconstruction_err_?": "number",
            "n_iter_?": "count",
            "n_steps_": "count",
        }
    ),
    "DictionaryLearning": State(
        {
            **_FEATURES,
            "components_": "float[parts, features]",
            "error_": "list of number",
            "code_gap_": "number",
            "n_iter_": "count",
        }
    ),
    "SparseCoder": State({**_FEATURES, "n_components_": "size parts"}),
    "SparsePCA": State(
        {
            **_FEATURES,
            "components_": "float[parts, features]",
            "mean_": "finite[features]",
            "n_components_": "size parts",
            "error_": "list of number",
            "code_gap_": "number",
            "n_iter_": "count",
        },
        also=_check_axes,
    ),
    "FastICA": State(
        {
            **_FEATURES,
            "components_": "float[parts, features]",
            "mixing_": "float[features, parts]",
            "whitening_": "float[parts, features]",
            "_unmixing": "float[parts, parts]",
            "mean_": "finite[*]",
            "n_iter_": "count",
        },
        also=_check_means,
    ),
    "FactorAnalysis": State(
        {
            **_FEATURES,
            "components_": "float[parts, features]",
            "noise_variance_": "nonnegative[features]",
            "mean_": "finite[features]",
            "loglike_": "list of number",
            "n_iter_": "count",
        },
        also=_check_law,
    ),
    "PLSRegression": _TWO_TABLES,
    "PLSCanonical": _TWO_TABLES,
    "CCA": _TWO_TABLES,
    "PLSSVD": State(
        {
            **_FEATURES,
            **_SCALES,
            "x_weights_": "float[features, parts]",
            "y_weights_": "float[targets, parts]",
        }
    ),
}
