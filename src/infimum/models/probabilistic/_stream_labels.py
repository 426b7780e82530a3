"""Batches of labelled rows, one after the other, for the same classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.validation import accept_table, accept_weights, check_labels
from infimum.errors import DataError
from infimum.typing import Indices, Vector

__all__ = ["stream_codes"]


def stream_codes(
    model: Any, X: Any, y: Any, classes: Any, sample_weight: Any
) -> tuple[Any, Indices, Vector]:
    """Admit a batch; return its rows, the positions of its labels, and weights."""
    owner, first = type(model).__name__, not hasattr(model, "classes_")
    X, y = accept_table(
        model,
        X,
        y,
        reset=first,
        dtype=[np.float64, np.float32],
        accept_sparse=["csr", "csc"],
    )
    weights = accept_weights(sample_weight, X)
    if first:
        if classes is None:
            raise DataError(
                f"{owner}.partial_fit: classes must be passed on the first call to "
                "partial_fit."
            )
        model.classes_ = np.unique(classes)
    elif classes is not None and not np.array_equal(np.unique(classes), model.classes_):
        raise DataError(
            f"{owner}.partial_fit: classes={classes!r} is not the same as on the last "
            f"call, when it was {model.classes_!r}."
        )
    check_labels(y)
    unknown = np.setdiff1d(y, model.classes_)
    if len(unknown):
        raise DataError(
            f"{owner}.partial_fit: y has labels that are not in classes: "
            f"{unknown.tolist()[:5]}."
        )
    found = np.ones(X.shape[0]) if weights is None else weights
    return X, np.searchsorted(model.classes_, y), found
