"""Declared states of the study's feature maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

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

STATES = {
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
    "PolynomialBasis": _FEATURES,
    "QuadraticMonomials": _FEATURES,
    "SineBasis": _FEATURES,
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
