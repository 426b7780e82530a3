"""Axes that a search for a linear map of labelled samples may begin at."""

import numpy as np
from scipy import linalg

from infimum.models.embedding.axes._principal_axes import choose_route, principal_axes
from infimum.typing import Indices, Matrix

__all__ = ["discriminant_axes", "leading_axes"]

#: Singular values below this share of the largest are none.
RANK = 1e-10


def leading_axes(X: Matrix, count: int, seed: int) -> Matrix:
    """Return the principal axes, one a row."""
    route = choose_route(X.shape, count, stay_sparse=False)
    return np.asarray(principal_axes(X, route, count, seed=seed).axes)


def discriminant_axes(X: Matrix, codes: Indices, count: int) -> Matrix:
    """Return Fisher's axes, one a row: far apart means beside the spread of classes.

    Along them the spread within classes is 1. Directions in which no class has any
    spread are left out; rows of 0 stand for axes that do not exist. Without any spread
    the features themselves are returned.
    """
    sizes = np.bincount(codes)
    X = X - X.mean(axis=0)
    means = np.zeros((len(sizes), X.shape[1]))
    np.add.at(means, codes, X)
    means /= sizes[:, None]
    within = X - means[codes]
    units = within.std(axis=0)
    units[units == 0.0] = 1.0
    _, spreads, axes = linalg.svd(within / units, full_matrices=False)
    kept = spreads > RANK * spreads[0]
    if not kept.any():
        return np.eye(count, X.shape[1])
    white = (axes[kept] / units).T / spreads[kept] * np.sqrt(len(codes))
    between = linalg.svd(np.sqrt(sizes)[:, None] * means @ white)[2]
    found = (white @ between.T).T[:count]
    return np.vstack([found, np.zeros((count - len(found), X.shape[1]))])
