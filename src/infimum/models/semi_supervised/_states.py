"""Declared states of semi-supervised models: samples, a graph, shares of classes."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State
from infimum.kernels import Kernel
from infimum.models.embedding._states import check_affinity
from infimum.models.semi_supervised._edges import KERNELS

__all__ = ["STATES"]


def _check_kernel(model: Any) -> None:
    named = isinstance(model.kernel, str) and model.kernel in KERNELS
    if not named and not isinstance(model.kernel, Kernel):
        raise DataError(f"{type(model).__name__}.kernel must be a name or a kernel.")
    given = isinstance(model.kernel, str) and model.kernel == "precomputed"
    if given and model.n_features_in_ != len(model.reached_):
        raise DataError(f"{type(model).__name__} needs a weight to each sample.")


def _check_estimator(model: Any) -> None:
    features = getattr(model.estimator_, "n_features_in_", model.n_features_in_)
    if features != model.n_features_in_:
        raise DataError("SelfTrainingClassifier.estimator_ takes other columns.")
    if not hasattr(type(model.estimator_), "predict"):
        raise DataError("SelfTrainingClassifier.estimator_ does not predict.")


_SPREAD = State(
    {
        "n_features_in_": "size features",
        "classes_": "label[classes]",
        "X_": "number[samples, features] | sparse[samples, features]",
        "_copies": "nonnegative[samples]",
        "label_distributions_": "nonnegative[samples, classes]",
        "transduction_": "label[samples]",
        "reached_": "bool[samples]",
        "n_iter_": "count",
        "max_iter": "count",
    },
    also=_check_kernel,
)
_GRAPH = State(
    {
        "n_features_in_": "size features",
        "affinity_matrix_": "float[samples, samples] | sparse[samples, samples]",
        "_known": "none | number[samples, features] | sparse[samples, features]",
        "error_": "float[samples]",
        "reached_": "bool[samples]",
        "strength_": "number",
        "n_iter_": "count",
        "max_iter": "count",
    },
    also=check_affinity,
)

STATES = {
    "LabelPropagation": _SPREAD,
    "LabelSpreading": _SPREAD,
    "SelfTrainingClassifier": State(
        {
            "n_features_in_": "size features",
            "estimator_": "estimator",
            "classes_": "label[classes]",
            "transduction_": "label[samples] | any",
            "labeled_iter_": "int[samples]",
            "n_iter_": "count",
            "termination_condition_": "text",
        },
        also=_check_estimator,
    ),
    "GraphLabelClassifier": State(
        {
            "classes_": "label[classes]",
            "label_distributions_": "float[samples, classes]",
            "proved_": "bool[samples]",
            "transduction_": "label[samples]",
            "_codes": "index[samples] of classes or -1",
        },
        base=_GRAPH,
    ),
    "GraphLabelRegressor": State(
        {"values_": "float[samples]", "_labels": "float[samples]"}, base=_GRAPH
    ),
}
