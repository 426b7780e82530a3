"""How wide the windows of mean shift are, and where they begin."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from infimum.compiled.threads import in_parts
from infimum.data.doors import array, refuse_huge
from infimum.parameters import check_domain, closed, nonnegative, whole
from infimum.typing import Matrix, Vector

__all__ = ["bin_middles", "estimate_bandwidth", "get_bin_seeds", "mean_reach"]

#: Distances held at a time: 8 MiB for each core.
BLOCK = 2**20


def estimate_bandwidth(
    X: Any,
    *,
    quantile: float = 0.3,
    n_samples: int | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> Any:
    """Return a width for the windows of mean shift: how far a share of the samples is.

    It is the distance from a sample to the farthest of its nearest ones, which make up
    the share `quantile` of all, on average. Time is quadratic in the samples.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    quantile : float, default=0.3
    n_samples : int, optional
        How many samples to draw for the estimate; all of them by default.
    random_state : int, RandomState or None, default=0
    n_jobs : ignored
        All cores are used.

    Examples
    --------
    >>> float(estimate_bandwidth([[0.0], [1.0], [5.0], [6.0]], quantile=0.5))
    1.0
    """
    check_domain("estimate_bandwidth quantile", quantile, closed(0, 1))
    X = array(X, dtype=[np.float64, np.float32])
    refuse_huge(estimate_bandwidth, X)
    if n_samples is not None:
        check_domain("estimate_bandwidth n_samples", n_samples, whole(1))
        X = X[check_random_state(random_state).permutation(len(X))[: int(n_samples)]]
    return X.dtype.type(mean_reach(X, np.ones(len(X)), float(quantile)))


def get_bin_seeds(X: Any, bin_size: float, min_bin_freq: int = 1) -> Matrix:
    """Return the middles of cubes that hold samples, for windows to begin at.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    bin_size : float
        Length of an edge; with 0 the samples themselves are returned.
    min_bin_freq : int, default=1
        Cubes with fewer samples are left out.

    Returns
    -------
    ndarray of shape (n_seeds, n_features)
        In the order of their first samples. If no cube holds two samples, they are
        returned themselves.

    Examples
    --------
    >>> get_bin_seeds([[0.1], [0.2], [5.1], [9.0]], 2.0)
    array([[0.],
           [6.],
           [8.]])
    """
    check_domain("get_bin_seeds bin_size", bin_size, nonnegative)
    check_domain("get_bin_seeds min_bin_freq", min_bin_freq, whole(1))
    X = array(X, dtype=[np.float64, np.float32])
    return bin_middles(X, np.ones(len(X)), float(bin_size), int(min_bin_freq))


def bin_middles(X: Matrix, weights: Vector, size: float, least: int) -> Matrix:
    """Return the middles of cubes that hold at least so much weight."""
    if size == 0.0:
        return X
    middles, first, cube = np.unique(
        _snapped(X, size), axis=0, return_index=True, return_inverse=True
    )
    full = np.flatnonzero(np.bincount(cube.ravel(), weights) >= least)
    if len(full) >= weights.sum():
        return X
    return np.asarray(middles[full[np.argsort(first[full])]])


def _snapped(X: Matrix, size: float) -> Matrix:
    """Return the middle of the cube of each sample.

    Cubes smaller than the spacing of floating-point numbers hold one number each.
    """
    with np.errstate(over="ignore"):
        steps = np.round(X / size)
    fine = np.abs(steps) < 2.0 / np.finfo(X.dtype).eps
    return np.where(fine, np.where(fine, steps, 0.0) * size, X) + 0.0


def mean_reach(X: Matrix, weights: Vector, share: float) -> float:
    """Return how far samples reach, on average, to have a share of the weight near."""
    total = float(weights.sum())
    enough = max(1, int(total * share))
    alike = bool((weights == 1.0).all())
    out = np.empty(len(X))

    def work(rows: slice) -> None:
        step = max(1, BLOCK // len(X))
        for start in range(rows.start, rows.stop, step):
            some = slice(start, min(rows.stop, start + step))
            apart = cdist(X[some], X)
            if alike:
                out[some] = np.partition(apart, enough - 1, axis=1)[:, enough - 1]
            else:
                out[some] = _weighted_reach(apart, weights, enough)

    in_parts(len(X), work, max(1, min(16, len(X) // 64)))
    return float(out @ weights / total)


def _weighted_reach(apart: Matrix, weights: Vector, enough: int) -> Vector:
    """Return in each row the least distance with enough weight up to it."""
    order = np.argsort(apart, axis=1)
    summed = np.cumsum(weights[order], axis=1)
    # Sums of weights that are whole numbers but for rounding.
    place = np.sum(summed < enough * (1.0 - 1e-12), axis=1)
    nearest = order[np.arange(len(order)), np.minimum(place, len(weights) - 1)]
    return np.asarray(apart[np.arange(len(order)), nearest])
