"""Declared states of neighbour models: samples, and what is known of each."""

from __future__ import annotations

from typing import Any

from infimum.errors import DataError
from infimum.fitted import State
from infimum.kernels._kernel import size_of

__all__ = ["STATES"]


def _check_samples(model: Any) -> None:
    """Raise DataError unless the samples can be searched as the parameters say."""
    model._check_search()
    owner = type(model).__name__
    if size_of(model._fit_X) != model.n_samples_fit_ or not model.n_samples_fit_:
        raise DataError(f"{owner}.n_samples_fit_ must count the samples.")
    named = isinstance(model.metric, str) and model.metric != "edit_distance"
    if named and isinstance(model._fit_X, list):
        raise DataError(f"{owner}: the {model.metric:.40} distance needs a table.")
    model._search()


def _check_labels(model: Any) -> None:
    many = isinstance(model.classes_, list)
    names = model.classes_ if many else [model.classes_]
    codes = model._y
    if many != model.outputs_2d_ or codes.shape[1] != len(names):
        raise DataError(
            f"{type(model).__name__}._y must have a column for each output."
        )
    for column, known in zip(codes.T, names, strict=True):
        if column.min() < 0 or column.max() >= len(known):
            raise DataError(
                f"{type(model).__name__}._y holds a class that is not there."
            )


def _check_outliers(model: Any) -> None:
    labels = model.outlier_label_
    if labels is not None and len(labels) != model._y.shape[1]:
        raise DataError("RadiusNeighborsClassifier needs a label for each output.")


_SAMPLES = State(
    {
        "weights?": "none | 'uniform' | 'distance'",
        "effective_metric_": "text",
        "effective_metric_params_": "dict of plain",
        "_fit_X": "float[samples, features] | number[samples, features] | "
        "sparse[samples, features] | list[samples] of any",
        "n_samples_fit_": "size samples",
    },
    also=_check_samples,
)
_LABELS = State(
    {
        "outputs_2d_": "flag",
        "classes_": "label[*] | list of label[*]",
        "_y": "int[samples, *]",
    },
    base=_SAMPLES,
    also=_check_labels,
)
_NUMBERS = State({"_y": "number[samples] | number[samples, *]"}, base=_SAMPLES)
_WINDOWS = State(
    {
        "X_fit_": "finite[samples, features] | sparse[samples, features]",
        "widths_": "nonnegative[samples]",
    }
)

STATES = {
    "NearestNeighbors": _SAMPLES,
    "ApproximateNeighbors": State(
        {"_seed": "count", "recall_": "number"}, base=_SAMPLES
    ),
    "KNeighborsTransformer": State({"_n_features_out": "size samples"}, base=_SAMPLES),
    "RadiusNeighborsTransformer": State(
        {"_n_features_out": "size samples"}, base=_SAMPLES
    ),
    "KNeighborsClassifier": _LABELS,
    "RadiusNeighborsClassifier": State(
        {"outlier_label_": "none | list of plain"},
        base=_LABELS,
        also=_check_outliers,
    ),
    "KNeighborsRegressor": _NUMBERS,
    "RadiusNeighborsRegressor": _NUMBERS,
    "LocalOutlierFactor": State(
        {
            "n_neighbors_": "count",
            "_reaches": "float[samples]",
            "_densities": "float[samples]",
            "negative_outlier_factor_": "float[samples]",
            "offset_": "number",
        },
        base=_SAMPLES,
    ),
    "ParzenWindowClassifier": State(
        {
            "classes_": "label[classes]",
            **_WINDOWS.lines,
            "_codes": "index[samples] of classes",
        }
    ),
    "ParzenWindowRegressor": State({**_WINDOWS.lines, "_y": "float[samples]"}),
}
