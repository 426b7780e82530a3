"""Declared states of fitted detectors: a description of the usual, and a level."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State
from infimum.models.kernel._states import MACHINE
from infimum.models.trees._states import check_trees

__all__ = ["STATES"]


def _check_forest(model: Any) -> None:
    check_trees("IsolationForest", model.trees_, model.n_features_in_, 1)
    if not 1 <= model.max_samples_ <= np.count_nonzero(model._weight):
        raise DataError("IsolationForest.max_samples_ must be a number of its rows.")
    if not 0 < model._weight.sum() < 2**62:
        raise DataError("IsolationForest._weight must be weights of rows.")
    if not 1 <= model._columns <= model.n_features_in_:
        raise DataError("IsolationForest._columns must be a number of its columns.")


def _check_covariance(model: Any) -> None:
    try:
        np.linalg.cholesky(model.covariance_)
        right = np.allclose(model.covariance_, model.covariance_.T)
    except np.linalg.LinAlgError:
        right = False
    if not right:
        raise DataError("GaussianDetector.covariance_ must be positive definite.")


def _check_neighbors(model: Any) -> None:
    inner = model.neighbors_
    if getattr(inner, "n_features_in_", None) != model.n_features_in_ or not (
        1 <= model._count <= inner.n_samples_fit_
    ):
        raise DataError("NeighborDistanceDetector: its neighbours do not suit it.")


def _check_inner(model: Any) -> None:
    inner = model.detector_
    features = getattr(inner, "n_features_in_", model.n_features_in_)
    if features != model.n_features_in_ or not hasattr(type(inner), "score_samples"):
        raise DataError("ConformalDetector.detector_ does not suit its samples.")


def _check_radius(model: Any) -> None:
    if not 0.0 <= model.radius_ < 1e150 or not abs(model.center_norm_) < 1e150:
        raise DataError("SupportVectorDataDescription.radius_ must be a length.")


_FEATURES = {"n_features_in_": "size features"}
_MACHINE = State(
    {
        "nu_property_": "NuProperty",
        "offset_": "float[1]",
        "intercept_": "float[1]",
        "n_support_": "int[1]",
        "n_iter_": "count",
        "dual_coef_": "float[1, supports] | sparse[1, supports]",
        "certificate_": "Certificate",
        "certificates_": "list of Certificate",
        "history_": "tuple of Record",
    },
    base=MACHINE,
)

STATES = {
    "ConformalDetector": State(
        {
            **_FEATURES,
            "detector_": "estimator",
            "calibration_scores_": "float[*]",
            "offset_": "number",
        },
        also=_check_inner,
    ),
    "GaussianDetector": State(
        {
            **_FEATURES,
            "location_": "finite[features]",
            "covariance_": "finite[features, features]",
            "offset_": "number",
        },
        also=_check_covariance,
    ),
    "IsolationForest": State(
        {
            **_FEATURES,
            "_weight": "nonnegative[*]",
            "max_samples_": "count",
            "_columns": "count",
            "_seeds": "index[trees] of 2147483648",
            "trees_": "list[trees] of Tree",
            "offset_": "number",
        },
        also=_check_forest,
    ),
    "NeighborDistanceDetector": State(
        {
            **_FEATURES,
            "_count": "count",
            "neighbors_": "NearestNeighbors",
            "offset_": "number",
        },
        also=_check_neighbors,
    ),
    "OneClassSVM": _MACHINE,
    "SupportVectorDataDescription": State(
        {"center_norm_": "number", "radius_": "number"},
        base=_MACHINE,
        also=_check_radius,
    ),
}
