"""What a fitted feature map must be."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.features._column_states import check_columns
from infimum.fitted import State
from infimum.parameters import check_domain, nonnegative, positive

__all__ = ["STATES"]


def _check_vocabulary(model: Any) -> None:
    """Raise DataError unless words have the numbers of their columns."""
    try:
        right = np.dtype(getattr(model, "dtype", None)).kind in "biuf"
    except TypeError:
        right = False
    if not right:
        raise DataError(f"{type(model).__name__}.dtype must be a type of numbers.")
    places = model.vocabulary_.values()
    if sorted(places) != list(range(len(model.vocabulary_))):
        raise DataError(f"{type(model).__name__}.vocabulary_ must number its columns.")


def _check_order(model: Any) -> None:
    """Raise DataError for more functions of a column than a table can have."""
    for name, most in MOST.items():
        if getattr(model, name, 0) > most:
            raise DataError(f"{type(model).__name__}.{name} must be at most {most}.")


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


def _check_image(model: Any) -> None:
    if max(model.image_shape_) > 2**12:
        raise DataError("ImageVectors.image_shape_ must be at most 4096 × 4096.")


#: Functions of one column, and columns of hashed text.
MOST = {
    "degree": 2**10,
    "n_functions": 2**10,
    "length": 2**10,
    "gaps": 2**10,
    "sample_steps": 2**10,
    "n_features": 2**24,
}
_FEATURES = State({"n_features_in_?": "size features"}, also=_check_order)
_WORDS = State({"vocabulary_": "dict of count"}, also=_check_vocabulary)
_NOTHING = State({}, also=_check_order)
_WAVES = {
    "n_features_in_": "size features",
    "random_weights_": "float[features, columns]",
    "random_offset_": "float[columns]",
    "_n_features_out": "size columns",
}

STATES = {
    "AdditiveChi2Sampler": _FEATURES,
    "BagOfWords": _WORDS,
    "BasketCounts": _WORDS,
    "FeatureMap": State({"n_features_out_": "count"}),
    "HashedText": _NOTHING,
    "ImageVectors": State(
        {
            "mode": "'grey' | 'rgb' | 'cmyk'",
            "image_shape_": "tuple[2] of count",
        },
        also=_check_image,
    ),
    "InterceptColumn": _FEATURES,
    "MotifCounts": _NOTHING,
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
    "PolynomialBasis": _FEATURES,
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
    "QuadraticMonomials": _FEATURES,
    "RBFSampler": State(
        {**_WAVES, "_gamma": "positive", "n_components": "size columns"}
    ),
    "SineBasis": _FEATURES,
    "SkewedChi2Sampler": State({**_WAVES, "n_components": "size columns"}),
    "Standardizer": State(
        {
            "n_features_in_": "size features",
            "mean_": "none | float[features]",
            "scale_": "float[features]",
        }
    ),
    "SubstringCounts": State(
        {"length": "count", "gaps": "count"}, base=_WORDS, also=_check_order
    ),
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
    "WebPageFeatures": _NOTHING,
    "Whitener": State(
        {
            "n_features_in_": "size features",
            "mean_": "float[features]",
            "axes_": "float[axes, features]",
            "variances_": "float[axes]",
        },
        base=_FEATURES,
    ),
}
