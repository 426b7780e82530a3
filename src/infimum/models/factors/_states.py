"""What fitted factors must be: directions, loadings, scales."""

from __future__ import annotations

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
    "FastICA": State(
        {
            **_FEATURES,
            "components_": "float[parts, features]",
            "mixing_": "float[features, parts]",
            "whitening_": "float[parts, features]",
            "_unmixing": "float[parts, parts]",
            "mean_": "float[*]",
            "n_iter_": "count",
        }
    ),
    "FactorAnalysis": State(
        {
            **_FEATURES,
            "components_": "float[parts, features]",
            "noise_variance_": "nonnegative[features]",
            "mean_": "finite[features]",
            "loglike_": "list of number",
            "n_iter_": "count",
        }
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
