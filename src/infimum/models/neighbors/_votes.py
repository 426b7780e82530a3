"""Weights of neighbours in a vote or a mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.models.neighbors._nearby import Nearby
from infimum.typing import Indices, Matrix, Vector

__all__ = ["check_weights", "class_votes", "weigh", "weigh_all"]


def check_weights(owner: str, weights: Any) -> None:
    """Refuse what is neither the name of a weighting nor a function."""
    named = weights is None or weights in ("uniform", "distance")
    if not (callable(weights) or (isinstance(weights, str | None) and named)):
        raise InvalidParameterError(
            f"{owner}.weights must be 'uniform', 'distance' or a function of "
            f"distances, got {weights!r}."
        )


def weigh(weights: Any, distances: Matrix) -> Matrix:
    """Return the weight of each neighbour, from the distances of each query.

    By distance means 1/d; neighbours at distance 0 leave nothing to the others.
    """
    if callable(weights):
        return np.asarray(weights(distances), dtype=np.float64)
    if weights != "distance":
        return np.ones(distances.shape)
    touching = distances == 0.0
    with np.errstate(divide="ignore"):
        return np.where(
            touching.any(axis=-1, keepdims=True), touching, 1.0 / distances
        ).astype(np.float64)


def weigh_all(weights: Any, found: Nearby) -> Vector:
    """Return the weight of each neighbour of many queries, in one piece."""
    if weights in (None, "uniform"):
        return np.ones(len(found.names))
    if weights == "distance":
        touching = found.distances == 0.0
        crowned = np.bincount(found.queries[touching], minlength=len(found.counts)) > 0
        with np.errstate(divide="ignore"):
            shares = 1.0 / found.distances
        return np.where(crowned[found.queries], touching, shares)
    each = [weigh(weights, far) for far in found.lists(found.distances)]
    return np.concatenate(each)


def class_votes(owner: str, codes: Indices, weights: Matrix, classes: int) -> Matrix:
    """Return the share of each class in the votes of each query's neighbours."""
    rows = np.repeat(np.arange(len(codes)), codes.shape[1])
    places = rows * classes + codes.ravel()
    votes = np.bincount(places, weights.ravel(), len(codes) * classes)
    votes = votes.reshape(len(codes), classes)
    totals = votes.sum(axis=1, keepdims=True)
    if not (totals > 0).all():
        raise DataError(f"{owner}: all neighbours of a query have weight 0.")
    return np.asarray(votes / totals)
