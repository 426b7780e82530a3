"""The error of k-nearest-neighbour regression at a point, term by term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.models.neighbors.nearest_neighbors import NearestNeighbors
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Vector

__all__ = ["NeighborError", "neighbor_error"]


@dataclass(frozen=True)
class NeighborError:
    """The expected squared error at each query and the three parts it consists of."""

    noise: float
    squared_bias: Vector
    variance: float

    @property
    def total(self) -> Vector:
        """The expected squared error of a new observation at each query."""
        return np.asarray(self.noise + self.squared_bias + self.variance)


def neighbor_error(
    X: Any,
    truth: Any,
    queries: Any,
    truth_at_queries: Any,
    n_neighbors: int,
    noise: float,
) -> NeighborError:
    r"""Return the exact error of the mean of k neighbours, the inputs being fixed.

    .. math:: σ^2 + \Big(f_*(x) - \tfrac1k \sum_{i ∈ K(x)} f_*(x_i)\Big)^2
              + \frac{σ^2}{k}

    for targets :math:`y_i = f_*(x_i) + δ_i` with uncorrelated noise of mean 0 and
    variance σ². More neighbours cost bias and save variance.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Inputs of the samples.
    truth : array-like of shape (n_samples,)
        :math:`f_*` at the samples.
    queries : array-like of shape (n_queries, n_features)
    truth_at_queries : array-like of shape (n_queries,)
    n_neighbors : int
    noise : float
        The variance σ² of the noise.

    Returns
    -------
    NeighborError

    Examples
    --------
    >>> error = neighbor_error([[0.0], [1.0], [2.0]], [0, 1, 4], [[1.0]], [1], 3, 0.3)
    >>> error.squared_bias.round(4), round(error.variance, 4)
    (array([0.4444]), 0.1)
    """
    check_domain("neighbor_error: noise", noise, nonnegative)
    model = NearestNeighbors(n_neighbors=n_neighbors).fit(X)
    known = np.asarray(truth, dtype=np.float64)
    expected = np.asarray(truth_at_queries, dtype=np.float64)
    names = model.kneighbors(queries, return_distance=False)
    if known.shape != (model.n_samples_fit_,) or expected.shape != (len(names),):
        raise DataError(
            f"neighbor_error needs the truth at {model.n_samples_fit_} samples and "
            f"{len(names)} queries, got shapes {known.shape} and {expected.shape}."
        )
    bias = expected - known[names].mean(axis=1)
    return NeighborError(float(noise), bias**2, float(noise) / n_neighbors)
