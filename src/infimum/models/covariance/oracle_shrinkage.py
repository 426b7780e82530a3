"""Covariances drawn towards the identity by the share that approximates an oracle's."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.models.covariance.empirical_covariance import (
    EmpiricalCovariance,
    Moments,
)
from infimum.models.covariance.ledoit_wolf import _given
from infimum.models.covariance.shrunk_covariance import shrunk_covariance
from infimum.typing import Matrix

__all__ = ["OAS", "oas"]


def _share(found: Moments) -> float:
    """Return the share of the identity (Chen, Wiesel, Eldar & Hero 2010)."""
    p = found.rows.shape[1]
    if p == 1:
        return 0.0
    mean_square = float(np.mean(found.covariance**2))
    level = float(np.trace(found.covariance) / p) ** 2
    below = (found.count + 1.0) * (mean_square - level / p)
    return 1.0 if below <= 0.0 else min((mean_square + level) / below, 1.0)


def oas(
    X: Any, *, assume_centered: bool = False, sample_weight: Any = None
) -> tuple[Matrix, float]:
    """Return the oracle approximating covariance, and the share of the identity in it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    assume_centered : bool, default=False
    sample_weight : array-like of shape (n_samples,), optional
        A weight of k means the same as k copies of the sample.

    Examples
    --------
    >>> covariance, share = oas([[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]])
    >>> share
    1.0
    """
    found = _given(X, sample_weight, centred=assume_centered)
    share = _share(found)
    return shrunk_covariance(found.covariance, share), share


class OAS(EmpiricalCovariance):
    """Covariance drawn towards the identity by the oracle approximating share.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the mean is 0.

    Attributes
    ----------
    location_ : ndarray of shape (n_features,)
    covariance_, precision_ : ndarray of shape (n_features, n_features)
    shrinkage_ : float

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> 0.0 < OAS().fit(X).shrinkage_ <= 1.0
    True
    """

    def _estimate(self, found: Moments) -> Matrix:
        self.shrinkage_ = _share(found)
        return shrunk_covariance(found.covariance, self.shrinkage_)
