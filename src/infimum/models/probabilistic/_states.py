"""Declared states of probabilistic classifiers: a law for each class."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]

#: No mean of numbers whose squares can be added up is larger.
_LARGEST_MEAN = 2e150
#: What rounding may leave of an eigenvalue that is zero.
_ROUNDING = 1e-6


def _check_categories(model: Any) -> None:
    known = model.n_categories_.tolist()
    tables = (model.category_count_, model.feature_log_prob_)
    if any([table.shape[1] for table in each] != known for each in tables):
        raise DataError("CategoricalNB.n_categories_ must count the categories.")


def _check_laws(model: Any) -> None:
    for laws in model.laws_:
        fits = isinstance(laws, list) and len(laws) == model.n_features_in_
        if not fits or not all(hasattr(type(law), "log_density") for law in laws):
            raise DataError("BayesDecisionClassifier needs a law for each feature.")


def _check_members(model: Any) -> None:
    count = len(model.classes_)
    if count < 2 or len(model.estimators_) != (count if count > 2 else 1):  # noqa: PLR2004
        raise DataError("PlugInClassifier needs a member for each class.")
    for member in model.estimators_:
        features = getattr(member, "n_features_in_", model.n_features_in_)
        if features != model.n_features_in_ or not hasattr(type(member), "predict"):
            raise DataError("PlugInClassifier: a member does not suit its samples.")


def _check_covariance(model: Any) -> None:
    if len(model.covariance_) != model.n_features_in_ + bool(model.fit_intercept):
        raise DataError(
            "BayesianLogisticRegression.covariance_ must have a row for each weight."
        )
    _check_definite(model, "covariance_")


def _check_precision(model: Any) -> None:
    _check_definite(model, "_precision")
    rate = getattr(model, "_rate", 1.0 if model._shape == np.inf else np.nan)
    if not (model._shape > 0 and rate > 0):
        raise DataError("BayesianLinearRegression needs a positive law of its noise.")


def _check_sums(model: Any) -> None:
    """Refuse sums to which no batch can be added."""
    means = np.abs([*model._x_mean, float(model._y_mean)])
    if not means.max() <= _LARGEST_MEAN:
        raise DataError(
            "BayesianLinearRegression._x_mean and _y_mean must be at most "
            f"{_LARGEST_MEAN:.0e}."
        )
    gram = model._gram
    least, largest = np.linalg.eigvalsh(gram)[[0, -1]]
    if not (np.allclose(gram, gram.T) and least >= -_ROUNDING * largest):
        raise DataError("BayesianLinearRegression._gram must be a sum of squares.")


def _check_definite(model: Any, name: str) -> None:
    matrix = getattr(model, name)
    try:
        np.linalg.cholesky(matrix)
        right = np.allclose(matrix, matrix.T)
    except np.linalg.LinAlgError:
        right = False
    if not right:
        raise DataError(f"{type(model).__name__}.{name} must be positive definite.")


def _check_order(model: Any) -> None:
    names = model.classes_.tolist()
    if sorted(names) != names:
        raise DataError(f"{type(model).__name__}.classes_ must be in order.")


def _check_scores(model: Any) -> None:
    count = len(model.classes_)
    wanted = 1 if count == 2 else count  # noqa: PLR2004
    if len(model.intercept_) != wanted:
        raise DataError(f"{type(model).__name__} needs a score for each class.")
    if model.solver != "lsqr" and not hasattr(model, "scalings_"):
        raise DataError(f"{type(model).__name__} of this solver needs scalings_.")
    if model.solver == "svd" and not hasattr(model, "xbar_"):
        raise DataError(f"{type(model).__name__} of solver 'svd' needs xbar_.")


def _check_scatters(model: Any) -> None:
    if hasattr(model, "_scatters") != hasattr(model, "_counts"):
        raise DataError(f"{type(model).__name__} needs counts and scatters, or none.")
    many = len(getattr(model, "_scatters", [[]]))
    if many not in {1, len(model.classes_)}:
        raise DataError(f"{type(model).__name__} needs one scatter, or one a class.")


_CLASSES = State({"n_features_in_": "size features", "classes_": "label[classes]"})
_COUNTS = State(
    {
        "class_count_": "float[classes]",
        "feature_count_": "float[classes, features]",
        "class_log_prior_": "float[classes]",
        "feature_log_prob_": "float[classes, features]",
    },
    base=_CLASSES,
    also=_check_order,
)

_MOMENTS = {
    "shrinkage": "none | 'auto' | number",
    "_counts?": "nonnegative[classes]",
    "_scatters?": "finite[*, features, features]",
    "means_": "finite[classes, features]",
    "priors_": "nonnegative[classes]",
}

STATES = {
    "BayesDecisionClassifier": State(
        {"priors_": "float[classes]", "laws_": "list[classes] of any"},
        base=_CLASSES,
        also=_check_laws,
    ),
    "BayesianLinearRegression": State(
        {
            "n_features_in_": "size features",
            "n_seen_": "positive",
            "_x_mean": "finite[features]",
            "_y_mean": "number",
            "_gram": "finite[features, features]",
            "_pull": "finite[features]",
            "_squares": "number",
            "_precision": "finite[features, features]",
            "coef_": "float[features]",
            "intercept_": "number",
            "noise_": "number",
            "_shape": "number",
            "_rate?": "number",
            "log_evidence_": "number",
            "covariance_": "float[features, features]",
        },
        also=(_check_precision, _check_sums),
    ),
    "BayesianLogisticRegression": State(
        {
            "classes_": "label[2]",
            "coef_": "finite[1, features]",
            "intercept_": "finite[1]",
            "certificate_": "Certificate",
            "n_iter_": "any",
            "covariance_": "finite[weights, weights]",
            "log_evidence_": "number",
            "log_evidence_bounds_": "tuple[2] of number",
        },
        base=State({"n_features_in_": "size features"}),
        also=(_check_order, _check_covariance),
    ),
    "BernoulliNB": State(
        {"_absent_log_prob": "float[classes, features]"}, base=_COUNTS
    ),
    "ComplementNB": State({"feature_all_": "float[features]"}, base=_COUNTS),
    "FisherDiscriminant": State(
        {
            "classes_": "label[2]",
            "coef_": "finite[1, features]",
            "intercept_": "finite[1]",
            "criterion_": "number",
        },
        base=_CLASSES,
        also=_check_order,
    ),
    "LinearDiscriminantAnalysis": State(
        {
            **_MOMENTS,
            "_centres?": "finite[classes, features]",
            "coef_": "finite[scores, features]",
            "intercept_": "float[scores]",
            "_max_components": "count",
            "xbar_?": "finite[features]",
            "scalings_?": "finite[features, *]",
            "explained_variance_ratio_?": "finite[*]",
            "covariance_?": "finite[features, features]",
        },
        base=_CLASSES,
        also=(_check_order, _check_scores, _check_scatters),
    ),
    "QuadraticDiscriminantAnalysis": State(
        {
            **_MOMENTS,
            "rotations_": "list[classes] of finite[features, features]",
            "scalings_": "list[classes] of nonnegative[features]",
            "covariance_?": "list[classes] of finite[features, features]",
        },
        base=_CLASSES,
        also=(_check_order, _check_scatters),
    ),
    "MultinomialNB": _COUNTS,
    "CategoricalNB": State(
        {
            "class_count_": "float[classes]",
            "feature_count_": "float[classes, *]",
            "category_count_": "list[features] of float[classes, *]",
            "class_log_prior_": "float[classes]",
            "n_categories_": "int[features]",
            "feature_log_prob_": "list[features] of float[classes, *]",
        },
        base=_CLASSES,
        also=(_check_order, _check_categories),
    ),
    "GaussianNB": State(
        {
            "class_count_": "float[classes]",
            "theta_": "float[classes, features]",
            "_squares": "float[classes, features]",
            "epsilon_": "number",
            "var_": "float[classes, features]",
            "class_prior_": "float[classes]",
        },
        base=_CLASSES,
        also=_check_order,
    ),
    "PlugInClassifier": State(
        {"estimators_": "list of estimator"}, base=_CLASSES, also=_check_members
    ),
}
