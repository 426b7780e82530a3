"""Moments of samples: means, covariances and the best line, with copies as weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._given import numbers
from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["SampleMoments", "best_linear_predictor", "sample_moments"]


@dataclass(frozen=True, eq=False)
class SampleMoments:
    """The mean and the covariance of rows.

    Attributes
    ----------
    mean : ndarray of shape (d,)
    covariance : ndarray of shape (d, d)
    size : float
        The number of rows, or the sum of their weights.
    """

    mean: Vector
    covariance: Matrix
    size: float

    @property
    def variance(self) -> Vector:
        """The variance of each column."""
        return np.asarray(np.diag(self.covariance))

    @property
    def overall_variance(self) -> float:
        """The sum of the variances: the mean squared distance to the mean."""
        return float(np.trace(self.covariance))

    @property
    def correlation(self) -> Matrix:
        """The covariance divided by both standard deviations."""
        spread = np.sqrt(self.variance)
        if not spread.all():
            raise DataError("SampleMoments.correlation: a column is constant.")
        return np.asarray(self.covariance / np.outer(spread, spread))


def sample_moments(
    X: ArrayLike, sample_weight: ArrayLike | None = None, *, unbiased: bool = False
) -> SampleMoments:
    """Return mean and covariance of the rows of X.

    Parameters
    ----------
    X : array-like of shape (n,) or (n, d)
    sample_weight : array-like of shape (n,), optional
        A weight of k means the same as k copies of the row.
    unbiased : bool, default=False
        Whether to divide by n - 1 instead of n.

    Examples
    --------
    >>> found = sample_moments([[0.0, 1.0], [2.0, 5.0]])
    >>> found.mean, found.overall_variance
    (array([1., 3.]), 5.0)
    """
    rows = numbers("sample_moments", X)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():  # noqa: PLR2004
        raise DataError("sample_moments takes rows of finite numbers.")
    weights = np.ones(len(rows))
    if sample_weight is not None:
        weights = numbers("sample_moments.sample_weight", sample_weight)
    total = float(weights.sum())
    proper = weights.shape == (len(rows),) and bool((weights >= 0).all())
    if not proper or not float(unbiased) < total < np.inf:
        raise DataError(
            "sample_moments needs a row, two for an unbiased answer, and one finite "
            "weight for each that is not negative."
        )
    mean = weights @ rows / total
    apart = rows - mean
    covariance = (weights[:, None] * apart).T @ apart / (total - float(unbiased))
    return SampleMoments(mean, covariance, total)


def best_linear_predictor(
    x: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[float, float]:
    """Return slope and intercept of the line with the least mean squared error.

    Examples
    --------
    >>> best_linear_predictor([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    (2.0, 1.0)
    """
    owner = "best_linear_predictor"
    left, right = numbers(f"{owner}.x", x), numbers(f"{owner}.y", y)
    if left.ndim != 1 or left.shape != right.shape:
        raise DataError(
            f"{owner} takes two vectors of one length, got the shapes {left.shape} and "
            f"{right.shape}."
        )
    found = sample_moments(np.column_stack([left, right]), sample_weight)
    if not found.covariance[0, 0] > 0:
        raise DataError("best_linear_predictor: x is constant.")
    slope = float(found.covariance[0, 1] / found.covariance[0, 0])
    return slope, float(found.mean[1] - slope * found.mean[0])
