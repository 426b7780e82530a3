"""Declared states of linear models: coefficients that suit features and targets."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State
from infimum.models._kernel_door import is_precomputed
from infimum.parameters import Choice, check_domain, closed, positive

__all__ = ["FEATURES", "PROOF", "SLOPES", "STATES", "check_scores"]

FEATURES = {"n_features_in_": "size features"}
_METRICS = ("euclidean", "manhattan")
#: What a certified fit leaves beside its coefficients.
PROOF = {
    "certificate_": "Certificate",
    "certificates_?": "list[proofs] of Certificate",
    "history_?": "tuple of Record",
    "n_iter_": "count",
    "n_passes_?": "count",
}
#: What a proof made from scores can be computed again from.
SLOPES = {"dual_slopes_": "none | finite[*] | finite[*, *] | finite[*, *, *]"}
_NUMBER = {"coef_": "float[features]", "intercept_": "number"}
_NUMBERS = {
    "coef_": "float[features] | float[targets, features]",
    "intercept_": "number | float[targets]",
}
_SCORES = {"coef_": "float[scores, features]", "intercept_": "float[scores]"}
_CLASSES = {"classes_": "label[classes]"}


def check_scores(model: Any) -> None:
    """Raise DataError unless there is a score for each class, or one for two."""
    rows, classes = len(model.intercept_), len(model.classes_)
    each = classes > 2 or getattr(model, "multilabel_", False)  # noqa: PLR2004
    if rows != (classes if each else 1) or classes < 2:  # noqa: PLR2004
        owner = type(model).__name__
        raise DataError(f"{owner}: {classes} classes cannot have {rows} scores.")


def _check_thresholds(model: Any) -> None:
    if len(model.classes_) != len(model.thresholds_) + 1:
        raise DataError("OrdinalLogisticRegression needs a threshold between classes.")
    check_domain("OrdinalLogisticRegression.C", model.C, positive)
    check_domain("OrdinalLogisticRegression.tol", model.tol, closed(0.0, 1e100))
    check_domain("OrdinalLogisticRegression.C", model.C, closed(0.0, 1e100))


def _check_targets(model: Any) -> None:
    """Raise DataError unless intercepts are as many as rows of coefficients."""
    several = getattr(model.intercept_, "ndim", 0) == 1
    if (several and model.coef_.ndim == 1 and len(model.intercept_) != 1) or (
        model.coef_.ndim == 2 and not several and model.intercept_ != 0.0  # noqa: PLR2004
    ):
        raise DataError(f"{type(model).__name__} needs an intercept for each target.")


def _check_one_target(model: Any) -> None:
    one = model.coef_.ndim == 1
    if vars(model).get("_one_target", one) != one:
        raise DataError(f"{type(model).__name__}._one_target denies its coefficients.")
    if not one and not hasattr(model.intercept_, "shape"):
        raise DataError(f"{type(model).__name__} needs an intercept for each target.")


def _check_location(model: Any) -> None:
    if not abs(model.location_) < 1e150 or not 1e-150 < model.scale_ < 1e150:
        raise DataError("HeteroscedasticRegressor: its unit is out of range.")


def _check_centroids(model: Any) -> None:
    check_domain("NearestCentroid.metric", model.metric, Choice(_METRICS))
    if model.metric == "euclidean":
        if not hasattr(model, "coef_") or not hasattr(model, "intercept_"):
            raise DataError("NearestCentroid lacks its coef_.")
        check_scores(model)


def _check_inner(model: Any) -> None:
    inner = model.estimator_
    if not hasattr(type(inner), "predict") or (
        getattr(inner, "n_features_in_", model.n_features_in_) != model.n_features_in_
    ):
        raise DataError("RANSACRegressor.estimator_ does not suit its samples.")


def _check_kept(model: Any) -> None:
    if model._kept.sum() != len(model.sigma_):
        raise DataError("ARDRegression.sigma_ must be that of the kept features.")


def _check_risk(model: Any) -> None:
    """Raise DataError unless there are coefficients of features or of samples."""
    owner = type(model).__name__
    expanded = model.kernel is not None
    if hasattr(model, "coef_") == expanded or hasattr(model, "dual_coef_") != expanded:
        raise DataError(f"{owner} must have coef_ or, with a kernel, dual_coef_.")
    coef = model.coef_ if hasattr(model, "coef_") else model.dual_coef_
    if hasattr(model, "dual_coef_") and not hasattr(model, "X_fit_"):
        raise DataError(f"{owner} lacks its X_fit_.")
    rows = 1 if coef.ndim == 1 else len(coef)
    several = getattr(model.intercept_, "ndim", 0) == 1
    if several and len(model.intercept_) != rows:
        raise DataError(f"{owner} needs an intercept for each score.")
    if hasattr(model, "classes_") and rows not in (1, len(model.classes_)):
        raise DataError(f"{owner} needs a score for each class.")


def _check_expansion(model: Any) -> None:
    """Raise DataError unless a model has what its kernel and its loss ask for."""
    owner, expanded = type(model).__name__, model.kernel is not None
    coef = model.dual_coef_ if expanded else model.coef_
    if expanded and is_precomputed(model):
        if getattr(model, "n_features_in_", None) != coef.shape[-1]:
            raise DataError(f"{owner} needs a kernel value for each sample.")
    elif expanded and model.X_fit_ is None:
        raise DataError(f"{owner}.X_fit_ must be its samples.")
    if model._classifies() and not hasattr(model, "classes_"):
        raise DataError(f"{owner} lacks its classes_.")
    if model._part().target == "labels" and not hasattr(model, "threshold_"):
        raise DataError(f"{owner} lacks its threshold_.")


CERTIFIED = State({**FEATURES, **_NUMBER, **PROOF, **SLOPES})
_TARGETS = State({**FEATURES, **_NUMBERS, **PROOF, **SLOPES}, also=_check_targets)
_ONE = State(
    {"_one_target?": "flag", "certificates_": "list[proofs] of Certificate"},
    base=_TARGETS,
    also=_check_one_target,
)
_CHOSEN = {
    "path_gap_": "number",
    "alpha_": "number",
    "l1_ratio_": "number",
    "alpha_1se_": "number",
    "alphas_": "float[*] | float[*, *]",
    "mse_path_": "float[*, *] | float[*, *, *]",
}
_LABELS = State(
    {**FEATURES, **_CLASSES, **_SCORES, **PROOF, **SLOPES}, also=check_scores
)
_LABEL_SETS = State({"multilabel_?": "flag", "sparse_output_?": "flag"}, base=_LABELS)
_TASKS = State(
    {
        **FEATURES,
        "n_tasks_": "size tasks",
        "coef_": "float[tasks, features]",
        "intercept_": "float[tasks] | number",
        **PROOF,
        **SLOPES,
    }
)
_STEPS = {
    "n_iter_": "count | list[targets] of count",
    "selected_": "index[*] of features | list[targets] of index[*] of features",
    "gains_?": "float[*] | list[targets] of float[*]",
    "residual_squares_?": "float[*] | list[targets] of float[*]",
}
_WALK = {
    "active_?": "list of plain",
    "coef_path_?": "float[features, *] | list of float[features, *]",
    "alphas_": "float[*] | list of float[*]",
    "n_iter_": "count | list of count",
}
_MAYBE_PROVED = {
    "certificates_?": "list of Certificate",
    "certificate_?": "Certificate",
}
_BAYES = {
    **FEATURES,
    **_NUMBER,
    "n_iter_": "count",
    "alpha_": "number",
    "scores_": "list of number | float[*]",
    "certificate_": "Certificate",
    "X_offset_": "float[features]",
    "X_scale_": "float[features]",
}

STATES = {
    "ARDRegression": State(
        {
            **_BAYES,
            "sigma_": "float[kept, kept]",
            "lambda_": "float[features]",
            "_kept": "bool[features]",
        },
        also=_check_kept,
    ),
    "BayesianRidge": State(
        {**_BAYES, "lambda_": "number", "sigma_": "float[features, features]"}
    ),
    "BestSubsetRegressor": State(
        {
            **FEATURES,
            **_NUMBER,
            "subsets_": "tuple of index[*] of features",
            "risks_": "float[*]",
            "n_iter_": "count",
            "support_": "bool[features]",
        }
    ),
    "ElasticNet": _ONE,
    "Lasso": _ONE,
    "ElasticNetCV": State(_CHOSEN, base=_ONE),
    "LassoCV": State(_CHOSEN, base=_ONE),
    "GammaRegressor": CERTIFIED,
    "PoissonRegressor": CERTIFIED,
    "TweedieRegressor": CERTIFIED,
    "GroupLassoRegressor": CERTIFIED,
    "GroupLassoClassifier": _LABELS,
    "HeteroscedasticRegressor": State(
        {
            **FEATURES,
            "location_": "number",
            "scale_": "positive",
            "coef_": "float[2, features]",
            "intercept_": "float[2]",
            **PROOF,
            **SLOPES,
        },
        also=_check_location,
    ),
    "HuberRegressor": State(
        {"coef_": "finite[features]", "scale_": "number", "outliers_": "bool[*]"},
        base=CERTIFIED,
    ),
    "Lars": State({**FEATURES, **_NUMBERS, **_WALK}, also=_check_targets),
    "LarsCV": State(
        {
            **FEATURES,
            **_NUMBER,
            **_WALK,
            "cv_alphas_": "float[*]",
            "mse_path_": "float[*, *]",
            "alpha_": "number",
        }
    ),
    "LassoLars": State(
        {**FEATURES, **_NUMBERS, **_WALK, **_MAYBE_PROVED}, also=_check_targets
    ),
    "LassoLarsCV": State(
        {
            **FEATURES,
            **_NUMBER,
            **_WALK,
            **_MAYBE_PROVED,
            "cv_alphas_": "float[*]",
            "mse_path_": "float[*, *]",
            "alpha_": "number",
        }
    ),
    "LassoLarsIC": State(
        {
            **FEATURES,
            **_NUMBER,
            **_WALK,
            **_MAYBE_PROVED,
            "noise_variance_": "number",
            "criterion_": "float[*]",
            "alpha_": "number",
        }
    ),
    "LinearRegression": State({"rank_?": "count", "singular_?": "float[*]"}, base=_ONE),
    "LinearSVC": _LABELS,
    "LinearSVR": State(
        {"intercept_": "number | float[*]"}, base=CERTIFIED, also=_check_targets
    ),
    "LogisticRegression": State({"n_iter_": "count | int[*]"}, base=_LABELS),
    "LogisticRegressionCV": State(
        {
            "Cs_": "float[*]",
            "l1_ratios_": "float[*]",
            "path_gap_": "number",
            "_chosen": "tuple[2] of number",
            "_average": "none | float[*, *]",
            "C_": "number | float[*]",
            "l1_ratio_": "number | float[*]",
            "_iterations": "int[*, *, *] | int[*, *, *, *]",
            "scores_": "plain",
            "coefs_paths_": "plain",
            "n_iter_": "count | int[*, *, *] | int[*, *, *, *]",
        },
        base=_LABELS,
    ),
    "MatchingPursuit": State({**FEATURES, **_NUMBERS, **_STEPS}, also=_check_targets),
    "MultiTaskElasticNet": _TASKS,
    "MultiTaskElasticNetCV": State(_CHOSEN, base=_TASKS),
    "MultiTaskLasso": State({"l1_ratio": "number"}, base=_TASKS),
    "MultiTaskLassoCV": State(_CHOSEN, base=_TASKS),
    "NearestCentroid": State(
        {
            **FEATURES,
            **_CLASSES,
            "class_prior_": "float[classes]",
            "within_class_std_dev_": "float[features]",
            "deviations_": "float[classes, features]",
            "centroids_": "float[classes, features]",
            "coef_?": "float[scores, features]",
            "intercept_?": "float[scores]",
        },
        also=_check_centroids,
    ),
    "OrdinalLogisticRegression": State(
        {
            **FEATURES,
            **_CLASSES,
            "coef_": "float[features]",
            "thresholds_": "float[thresholds]",
            "intercept_": "float[thresholds]",
            **PROOF,
        },
        also=_check_thresholds,
    ),
    "OrthogonalMatchingPursuit": State(
        {**FEATURES, **_NUMBERS, **_STEPS, "n_nonzero_coefs_": "none | count"},
        also=_check_targets,
    ),
    "OrthogonalMatchingPursuitCV": State(
        {
            **FEATURES,
            **_NUMBER,
            **_STEPS,
            "mse_path_": "float[*, *]",
            "n_nonzero_coefs_": "count",
        }
    ),
    "ProbitRegression": _LABELS,
    "QuantileRegressor": CERTIFIED,
    "RANSACRegressor": State(
        {
            **FEATURES,
            "n_trials_": "count",
            "n_skips_no_inliers_": "count",
            "n_skips_invalid_data_": "count",
            "n_skips_invalid_model_": "count",
            "estimator_": "estimator",
            "inlier_mask_": "bool[*]",
        },
        also=_check_inner,
    ),
    "Ridge": _ONE,
    "RidgeCV": State(
        {
            "path_gap_": "number",
            "alpha_": "number | float[*]",
            "best_score_": "number | float[*]",
            "cv_results_?": "float[*, *] | float[*, *, *]",
        },
        base=_ONE,
    ),
    "RidgeClassifier": _LABEL_SETS,
    "RidgeClassifierCV": State(
        {
            "path_gap_": "number",
            "alpha_": "number",
            "best_score_": "number",
            "cv_results_?": "float[*, *] | float[*, *, *]",
        },
        base=_LABEL_SETS,
    ),
    "RiskMinimizer": State(
        {
            "classes_?": "label[classes]",
            "X_fit_?": "none | finite[samples, features] | sparse[samples, features] | "
            "list[samples] of any",
            "dual_coef_?": "float[samples] | float[scores, samples]",
            "coef_?": "float[features] | float[scores, features]",
            "intercept_": "number | float[*]",
            "threshold_?": "number | float[*]",
            **PROOF,
            **SLOPES,
        },
        also=(_check_risk, _check_expansion),
    ),
    "TheilSenRegressor": State(
        {
            **FEATURES,
            **_NUMBER,
            "n_subpopulation_": "count",
            "breakdown_": "number",
            "certificate_?": "Certificate",
            "n_iter_": "count",
        }
    ),
}
