"""Rules for the width of windows that need no search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels.windows import Window
from infimum.models.density._window_overlap import squared_window
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.typing import Mask, Matrix, Vector

__all__ = [
    "given_widths",
    "local_widths",
    "normal_reference_width",
    "scott_factor",
    "silverman_factor",
]

#: Quartiles of a normal law are so many standard deviations apart.
QUARTILES = 1.3489795003921634


def scott_factor(count: float, dimension: int) -> float:
    """Return n^(-1/(d + 4)): it falls to 0, but n·hᵈ grows without end."""
    return float(count ** (-1.0 / (dimension + 4)))


def silverman_factor(count: float, dimension: int) -> float:
    """Return (n(d + 2)/4)^(-1/(d + 4)), best for a Gaussian of unit variance."""
    return float((count * (dimension + 2) / 4.0) ** (-1.0 / (dimension + 4)))


def normal_reference_width(
    owner: str, X: Matrix, weights: Vector, window: Window
) -> float:
    r"""Return the width of least error if the samples were normal, by their spread.

    .. math:: h = σ\, \left(\frac{4}{n (d + 2)}\right)^{1/(d + 4)}
              \left(\frac{R(K)}{R(φ)\, μ_2(K)^2}\right)^{1/(d + 4)}

    with R the integral of the square and μ₂ the variance along an axis, which are
    those of the Gaussian φ in the first factor. The spread of a feature is the less of
    its deviation and what its quartiles tell; σ² is the mean of their squares
    (Silverman, 1986).
    """
    d = X.shape[1]
    spread = math.sqrt(float(np.mean(_spreads(X, weights) ** 2)))
    if spread == 0.0:
        raise DataError(
            f"{owner}: equal samples have no spread to take a width from; give a "
            "bandwidth."
        )
    axis = window.moment(d + 1) / window.moment(d - 1) / d
    normal = (4.0 * math.pi) ** (-d / 2.0)
    shape = squared_window(window, d) / window.constant(d) ** 2 / (normal * axis**2)
    return spread * silverman_factor(weights.sum(), d) * float(shape ** (1 / (d + 4)))


def given_widths(owner: str, widths: Any, kept: Mask) -> Vector:
    """Return the width given to each sample that has a weight."""
    try:
        numbers = np.asarray(widths, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.full(kept.shape, np.nan)
    if numbers.shape != kept.shape:
        raise InvalidParameterError(
            f"{owner} must be one number, or one for each of {len(kept)} samples, got "
            f"numbers of shape {numbers.shape}."
        )
    wrong = ~((numbers > 0) & (numbers < np.inf))
    if wrong.any():
        raise InvalidParameterError(
            f"{owner} must be positive for each sample, got {numbers[wrong][0]:.3g} "
            f"for sample {np.argmax(wrong)}."
        )
    return np.asarray(numbers[kept])


def local_widths(
    owner: str, search: NearestNeighbors, X: Matrix, weights: Vector, n_neighbors: int
) -> Vector:
    """Return half the mean distance of each sample to its nearest others.

    A weight of k counts as k samples at the same place, one of them the sample itself.
    """
    if weights.sum() - 1.0 < n_neighbors:
        raise DataError(
            f"{owner}: local widths from {n_neighbors} neighbours need more than "
            f"{n_neighbors} samples, got {weights.sum():g}."
        )
    copies = np.minimum(np.maximum(weights - 1.0, 0.0), n_neighbors)
    wanted = n_neighbors - copies
    widths = 0.5 * _summed_distances(search, X, weights, wanted) / n_neighbors
    if not widths.all():
        raise DataError(
            f"{owner}: the {n_neighbors} nearest neighbours of sample "
            f"{np.argmin(widths)} are copies of it, so its local width is 0."
        )
    return widths


def _spreads(X: Matrix, weights: Vector) -> Vector:
    """Return the spread of each column; a weight of k counts as k samples."""
    mass = float(weights.sum())
    apart = X - np.average(X, axis=0, weights=weights)
    deviations = np.sqrt(weights @ apart**2 / max(mass - 1.0, 0.5 * mass))
    low, high = np.quantile(
        X, [0.25, 0.75], axis=0, weights=weights, method="inverted_cdf"
    )
    middle = (high - low) / QUARTILES
    return np.where(middle > 0.0, np.minimum(deviations, middle), deviations)


def _summed_distances(
    search: NearestNeighbors, X: Matrix, weights: Vector, wanted: Vector
) -> Vector:
    """Return Σ wⱼ d(xᵢ, xⱼ) over the nearest others, until their weights suffice."""
    most = len(X) - 1
    if not most:
        return np.zeros(1)
    search.fit(X)
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
