"""Covariances drawn towards the identity by the share that Ledoit and Wolf derived."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.data.doors import array, weighed
from infimum.models.covariance.empirical_covariance import (
    EmpiricalCovariance,
    Moments,
)
from infimum.models.covariance.shrunk_covariance import shrunk_covariance
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Matrix

__all__ = ["LedoitWolf", "ledoit_wolf", "ledoit_wolf_shrinkage"]


def _share(found: Moments) -> float:
    """Return the share at which the expected squared error is least.

    With S the covariance of n centred rows and μ the mean variance, the share is the
    estimated variance of S over its distance to μ I (Ledoit & Wolf 2004).
    """
    p = found.rows.shape[1]
    if p == 1:
        return 0.0
    squares = np.einsum("ij,ij->i", found.rows, found.rows)
    weights = np.ones(len(squares)) if found.weights is None else found.weights
    level = np.trace(found.covariance) / p
    size = float(np.sum(found.covariance**2))
    noise = (float(weights @ squares**2) / found.count - size) / (p * found.count)
    apart = (size - p * level**2) / p
    noise = min(noise, apart)
    return float(noise / apart) if noise > 0.0 else 0.0


def _given(X: Any, sample_weight: Any, *, centred: bool) -> Moments:
    table = np.asarray(array(X, ensure_2d=False), dtype=np.float64)
    table = table.reshape(1, -1) if table.ndim == 1 else table
    return Moments(table, weighed(sample_weight, table), centred=centred)


def ledoit_wolf_shrinkage(
    X: Any,
    assume_centered: bool = False,  # noqa: FBT001, FBT002
    block_size: int = 1000,
    sample_weight: Any = None,
) -> float:
    """Return the share of the identity in the covariance of Ledoit and Wolf.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    assume_centered : bool, default=False
    block_size : int, default=1000
        Accepted for compatibility.
    sample_weight : array-like of shape (n_samples,), optional
        A weight of k means the same as k copies of the sample.

    Examples
    --------
    >>> round(ledoit_wolf_shrinkage([[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]]), 4)
    1.0
    """
    return _share(_given(X, sample_weight, centred=assume_centered))


def ledoit_wolf(
    X: Any,
    *,
    assume_centered: bool = False,
    block_size: int = 1000,
    sample_weight: Any = None,
) -> tuple[Matrix, float]:
    """Return the covariance of Ledoit and Wolf, and the share of the identity in it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    assume_centered : bool, default=False
    block_size : int, default=1000
        Accepted for compatibility.
    sample_weight : array-like of shape (n_samples,), optional

    Examples
    --------
    >>> covariance, share = ledoit_wolf([[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]])
    >>> covariance.round(3)
    array([[1.333, 0.   ],
           [0.   , 1.333]])
    """
    found = _given(X, sample_weight, centred=assume_centered)
    share = _share(found)
    return shrunk_covariance(found.covariance, share), share


class LedoitWolf(EmpiricalCovariance):
    """Covariance drawn towards the identity by the share of Ledoit and Wolf.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the mean is 0.
    block_size : int, default=1000
        Accepted for compatibility.

    Attributes
    ----------
    location_ : ndarray of shape (n_features,)
    covariance_, precision_ : ndarray of shape (n_features, n_features)
    shrinkage_ : float

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> float(LedoitWolf().fit(X).shrinkage_.round(2))
    0.64
    """

    _domains: ClassVar[Domains] = {"block_size": whole(1)}

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        block_size: int = 1000,
    ) -> None:
        super().__init__(
            store_precision=store_precision, assume_centered=assume_centered
        )
        self.block_size = block_size

    def _estimate(self, found: Moments) -> Matrix:
        check_parameters(self)
        self.shrinkage_ = np.float64(_share(found))
        return shrunk_covariance(found.covariance, self.shrinkage_)
