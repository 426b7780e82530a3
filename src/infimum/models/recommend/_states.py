"""What a fitted recommender or completed matrix must be."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["STATES"]


def _check_ratings(ratings: Any) -> None:
    shape = (len(ratings.users), len(ratings.items))
    X = ratings.matrix
    if tuple(X.shape) != shape or X.format != "csr":
        raise DataError("Ratings: names and matrix do not belong together.")
    if X.nnz != len(ratings.weights) or not np.isfinite(X.data).all():
        raise DataError("Ratings: each needs a finite value and a weight.")
    for names in (ratings.users, ratings.items):
        try:
            once = len(set(names)) == len(names)
        except TypeError:
            once = False
        if not once:
            raise DataError("Ratings: each user and each item has one name.")


def _sizes(model: Any) -> tuple[int, int]:
    return len(model.ratings_.users), len(model.ratings_.items)


#: Products of larger factors are no numbers.
LARGEST_FACTOR = 1e100


def _check_factors(model: Any) -> None:
    n, m = _sizes(model)
    rank = model.n_factors or model.user_factors_.shape[1]
    width = model._columns.shape[1]
    for side, size, lifted in ((0, n, model._rows), (1, m, model._columns)):
        features = model._features[side]
        more = 0
        if features is not None:
            if features.format != "csr" or features.shape[0] != size:
                raise DataError("FactorRecommender needs features of each name.")
            more = features.shape[1]
        if lifted.shape != (size + more, width):
            raise DataError("FactorRecommender: its factors fit other ratings.")
        if np.abs(lifted).max(initial=0.0) > LARGEST_FACTOR:
            raise DataError("FactorRecommender: its factors are too large.")
    shapes = model.user_factors_.shape, model.item_factors_.shape
    if shapes != ((n, rank), (m, rank)) or width < rank + 1 - bool(model.implicit):
        raise DataError("FactorRecommender: its factors fit other ratings.")
    if len(model.user_biases_) != n or len(model.item_biases_) != m:
        raise DataError("FactorRecommender needs a bias for each name.")


def _check_neighbors(model: Any) -> None:
    n, m = _sizes(model)
    own, known = model._own, model._known
    if own.dtype.kind != "f":
        raise DataError("NeighborRecommender: its deviations are real numbers.")
    if own.format != "csr" or known.format != "csr" or own.shape != (n, m):
        raise DataError("NeighborRecommender: its deviations are of other ratings.")
    if known.shape[1] != m or len(model.user_offsets_) != n:
        raise DataError("NeighborRecommender: its offsets are of other ratings.")
    if len(model.item_offsets_) != m:
        raise DataError("NeighborRecommender: its offsets are of other ratings.")


def _check_content(model: Any) -> None:
    n, m = _sizes(model)
    if model._own.format != "csr" or model._units.format != "csr":
        raise DataError("ContentRecommender: its matrices are kept by rows.")
    if model._own.dtype.kind != "f" or model._units.dtype.kind != "f":
        raise DataError("ContentRecommender: its matrices hold real numbers.")
    fitting = model._own.shape == (n, m) and model._units.shape[0] == m
    if not fitting or len(model.user_offsets_) != n:
        raise DataError("ContentRecommender: its matrices are of other ratings.")


_COMPLETED = State(
    {
        "row_factors_": "finite[rows, rank]",
        "column_factors_": "finite[features, rank]",
        "column_means_": "finite[features]",
        "singular_values_": "nonnegative[rank]",
        "n_iter_": "count",
    }
)

STATES = {
    "Ratings": State(
        {
            "users": "list of plain",
            "items": "list of plain",
            "matrix": "sparse[*, *]",
            "weights": "nonnegative[entries]",
        },
        also=_check_ratings,
    ),
    "FactorRecommender": State(
        {
            "ratings_": "Ratings",
            "user_factors_": "finite[users, factors]",
            "item_factors_": "finite[items, factors]",
            "user_biases_": "finite[users]",
            "item_biases_": "finite[items]",
            "mean_": "number",
            "strength_": "positive",
            "history_": "list of number",
            "n_iter_": "count",
            "_rows": "finite[*, width]",
            "_columns": "finite[*, width]",
            "_features": "tuple[2] of none / sparse[*, *]",
            "_total": "positive",
            "_share": "positive",
            "_certificate": "none | Certificate",
        },
        also=_check_factors,
    ),
    "NeighborRecommender": State(
        {
            "ratings_": "Ratings",
            "mean_": "number",
            "user_offsets_": "finite[users]",
            "item_offsets_": "finite[items]",
            "_own": "sparse[*, *]",
            "_known": "sparse[*, *]",
        },
        also=_check_neighbors,
    ),
    "ContentRecommender": State(
        {
            "ratings_": "Ratings",
            "mean_": "number",
            "user_offsets_": "finite[users]",
            "_own": "sparse[*, *]",
            "_units": "sparse[*, *]",
        },
        also=_check_content,
    ),
    "SoftImpute": State(
        {"strength_": "positive", "certificate_": "Certificate", "_total": "positive"},
        base=_COMPLETED,
    ),
    "HardImpute": State({"history_": "list of number"}, base=_COMPLETED),
}
