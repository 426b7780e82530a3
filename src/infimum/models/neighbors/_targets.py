"""Targets of neighbours: labels or numbers, one or several for each sample."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from infimum.data.validation import check_labels, moderate_targets
from infimum.errors import DataError
from infimum.typing import Indices, Matrix

__all__ = ["encode_labels", "measured"]

MANY = 2


def encode_labels(model: Any, y: Any) -> Indices:
    """Return the labels as positions in ``classes_``, which is recorded; in columns."""
    labels = np.asarray(y)
    model.outputs_2d_ = labels.ndim == MANY and labels.shape[1] > 1
    if labels.ndim == MANY and not model.outputs_2d_:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change "
            "the shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=3,
        )
    check_labels(labels)
    columns = labels.reshape(len(labels), -1).T
    found = [np.unique(column, return_inverse=True) for column in columns]
    classes = [names for names, _ in found]
    model.classes_ = classes if model.outputs_2d_ else classes[0]
    return np.column_stack([codes for _, codes in found])


def measured(model: Any, y: Any) -> Matrix:
    """Return real targets in float64."""
    targets = moderate_targets(model, y)
    if not np.isfinite(targets).all():
        raise DataError(f"{type(model).__name__}: y contains NaN or infinity.")
    return targets
