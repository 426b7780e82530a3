"""Rules for the width of windows that need no search."""

from __future__ import annotations

import numpy as np

from infimum.errors import DataError
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.typing import Matrix, Vector

__all__ = ["local_widths", "scott_factor", "silverman_factor"]


def scott_factor(count: float, dimension: int) -> float:
    """Return n^(-1/(d + 4)): it falls to 0, but n·hᵈ grows without end."""
    return float(count ** (-1.0 / (dimension + 4)))


def silverman_factor(count: float, dimension: int) -> float:
    """Return (n(d + 2)/4)^(-1/(d + 4)), best for a Gaussian of unit variance."""
    return float((count * (dimension + 2) / 4.0) ** (-1.0 / (dimension + 4)))


def local_widths(owner: str, X: Matrix, weights: Vector, n_neighbors: int) -> Vector:
    """Return half the mean distance of each sample to its nearest others.

    A weight of k counts as k samples at the same place, one of them the sample itself.
    """
    if weights.sum() - 1.0 < n_neighbors:
        raise DataError(
            f"{owner}: local widths from {n_neighbors} neighbours need more than "
            f"{n_neighbors} samples, got {weights.sum():g}."
        )
    copies = np.minimum(np.maximum(weights - 1.0, 0.0), n_neighbors)
    widths = 0.5 * _summed_distances(X, weights, n_neighbors - copies) / n_neighbors
    if not widths.all():
        raise DataError(
            f"{owner}: the {n_neighbors} nearest neighbours of sample "
            f"{np.argmin(widths)} are copies of it, so its local width is 0."
        )
    return widths


def _summed_distances(X: Matrix, weights: Vector, wanted: Vector) -> Vector:
    """Return Σ wⱼ d(xᵢ, xⱼ) over the nearest others, until their weights suffice."""
    most = len(X) - 1
    if not most:
        return np.zeros(1)
    search = NearestNeighbors().fit(X)
    count = min(most, max(1, int(np.ceil(wanted.max()))))
    while True:
        far, names = search.kneighbors(None, count)
        reached = np.cumsum(weights[names], axis=1)
        if count == most or (reached[:, -1] >= wanted).all():
            break
        count = min(most, 2 * count)
    before = reached - weights[names]
    taken = np.clip(wanted[:, None] - before, 0.0, weights[names])
    return np.asarray(np.sum(taken * far, axis=1))
