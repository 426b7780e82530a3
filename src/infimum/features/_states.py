"""Declared states of fitted feature maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.features._column_states import check_columns
from infimum.fitted import State
from infimum.parameters import check_domain, nonnegative, positive

__all__ = ["STATES"]


def _check_steps(model: Any) -> None:
    """Raise DataError for more functions of a column than a table can have."""
    if model.sample_steps > MOST_STEPS:
        owner = type(model).__name__
        raise DataError(f"{owner}.sample_steps must be at most {MOST_STEPS}.")


def _check_buckets(model: Any) -> None:
    """Raise DataError unless every entry has a bucket, and a sign."""
    more = model.coef0 != 0
    if model.indexHash_.shape[1] != model.n_features_in_ + more:
        raise DataError("PolynomialCountSketch needs a bucket for each feature.")
    if not (np.abs(model.bitHash_) == 1).all():
        raise DataError("PolynomialCountSketch.bitHash_ must be signs.")
    check_domain("PolynomialCountSketch.gamma", model.gamma, positive)
    check_domain("PolynomialCountSketch.coef0", model.coef0, nonnegative)


def _check_landmarks(model: Any) -> None:
    """Raise DataError unless given kernel values have the columns that are read."""
    given = isinstance(model.kernel, str) and model.kernel == "precomputed"
    places, columns = model.component_indices_, getattr(model, "n_features_in_", 0)
    if given and (
        places is None or places.min(initial=0) < 0 or places.max(initial=-1) >= columns
    ):
        raise DataError("Nystroem.component_indices_ names a sample that is not there.")


#: Functions of one column.
MOST_STEPS = 2**10
_WAVES = {
    "n_features_in_": "size features",
    "random_weights_": "float[features, columns]",
    "random_offset_": "float[columns]",
    "_n_features_out": "size columns",
}

STATES = {
    "AdditiveChi2Sampler": State(
        {"n_features_in_?": "size features"}, also=_check_steps
    ),
    "Nystroem": State(
        {
            "n_features_in_?": "size features",
            "component_indices_": "none | int[samples]",
            "components_": "finite[samples, features] | sparse[samples, features] | "
            "list[samples] of any",
            "normalization_": "float[samples, samples]",
            "_n_features_out": "size samples",
        },
        also=_check_landmarks,
    ),
    "PolynomialCountSketch": State(
        {
            "n_features_in_": "size features",
            "_n_features_out": "size columns",
            "n_components": "size columns",
            "indexHash_": "index[degrees, entries] of columns",
            "bitHash_": "int[degrees, entries]",
        },
        also=_check_buckets,
    ),
    "RBFSampler": State(
        {**_WAVES, "_gamma": "positive", "n_components": "size columns"}
    ),
    "SkewedChi2Sampler": State({**_WAVES, "n_components": "size columns"}),
    "TableEncoder": State(
        {
            "feature_names_in_": "text[features]",
            "n_features_in_": "size features",
            "dropped_": "dict of text",
            "columns_": "list[features] of plain",
            "categorical_features_": "list of count",
            "sparse_": "flag",
        },
        also=check_columns,
    ),
}
