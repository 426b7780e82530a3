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


def local_widths(owner: str, X: Matrix, n_neighbors: int, factor: float) -> Vector:
    """Return `factor` times the mean distance of each sample to its nearest others."""
    if len(X) <= n_neighbors:
        raise DataError(
            f"{owner}: local widths from {n_neighbors} neighbours need more than "
            f"{n_neighbors} samples, got {len(X)}."
        )
    near = NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors()[0]
    widths = factor * near.mean(axis=1)
    if not widths.all():
        raise DataError(
            f"{owner}: the {n_neighbors} nearest neighbours of sample "
            f"{np.argmin(widths)} are copies of it, so its local width is 0."
        )
    return np.asarray(widths)
