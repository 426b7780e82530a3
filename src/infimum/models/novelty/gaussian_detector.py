"""Gaussian detector: far from the mean, in units of the spread in that direction."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.linalg import cho_solve, cholesky

from infimum.models.novelty._level_detector import LevelDetector
from infimum.parameters import Interval, check_domain
from infimum.typing import Matrix, Vector

__all__ = ["GaussianDetector"]

#: Directions without any spread get this share of the average one.
_LEAST = 1e-9


class GaussianDetector(LevelDetector):
    r"""Anomalies are outside of an ellipsoid around the mean.

    .. math:: s(x) = -(x - \hat μ)^\top \hat Σ_γ^{-1} (x - \hat μ), \qquad
              \hat Σ_γ = (1 - γ) \hat Σ + γ \operatorname{diag} \hat Σ

    The level sets of a Gaussian density with the mean and the covariance of the
    samples, where the correlations are shrunk by γ: γ = 1 looks at every feature by
    itself. Right for one cloud of samples; several clouds need another detector.

    Parameters
    ----------
    shrinkage : float, default=0.1
        How far correlations are shrunk, in [0, 1].
    contamination : float, default=0.1
        Share of the training samples outside, in [0, 0.5].

    Attributes
    ----------
    location_ : ndarray of shape (n_features,)
    covariance_ : ndarray of shape (n_features, n_features)
    offset_ : float
        The level of the scores.
    n_features_in_ : int

    Examples
    --------
    >>> X = [[0.0, 0.1], [1.0, 0.9], [2.0, 2.1], [3.0, 2.9], [4.0, 4.0]]
    >>> detector = GaussianDetector(shrinkage=0.0, contamination=0.0).fit(X)
    >>> detector.predict([[2.0, 2.0], [1.0, 3.0]])
    array([ 1, -1])
    """

    def __init__(self, *, shrinkage: float = 0.1, contamination: float = 0.1) -> None:
        self.shrinkage = shrinkage
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn what is familiar, and the level; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        return self._fit(X, sample_weight)

    def _learn(self, X: Matrix, weights: Vector) -> Vector:
        check_domain("GaussianDetector.shrinkage", self.shrinkage, Interval(0, 1))
        X = X.astype(np.float64, copy=False)
        share = weights / weights.sum()
        self.location_ = share @ X
        centred = X - self.location_
        spread = (centred * share[:, None]).T @ centred
        own: Vector = np.diag(spread).copy()
        own += _LEAST * (own.mean() or 1.0)
        covariance = (1 - self.shrinkage) * spread
        np.fill_diagonal(covariance, own)
        self.covariance_ = covariance
        return self._scores(X)

    def _scores(self, X: Matrix) -> Vector:
        centred = X.astype(np.float64, copy=False) - self.location_
        scale = np.sqrt(np.diag(self.covariance_))
        # Correlations do not depend on units; singular ones are helped a little.
        correlation = self.covariance_ / np.outer(scale, scale)
        correlation[np.diag_indices_from(correlation)] += _LEAST
        factor = (cholesky(correlation, lower=True), True)
        units = (centred / scale).T
        return np.asarray(-np.einsum("ij,ij->j", units, cho_solve(factor, units)))
