"""Covariances drawn towards a multiple of the identity, by a share that is given."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from infimum.models.covariance.empirical_covariance import (
    EmpiricalCovariance,
    Moments,
)
from infimum.parameters import Domains, check_domain, check_parameters, closed
from infimum.typing import Matrix

__all__ = ["ShrunkCovariance", "shrunk_covariance"]

SHARE = closed(0, 1)


def shrunk_covariance(emp_cov: Any, shrinkage: float = 0.1) -> Matrix:
    """Return (1 - s) S + s μ I, where μ is the mean variance.

    Parameters
    ----------
    emp_cov : array-like of shape (..., n_features, n_features)
        One covariance, or several.
    shrinkage : float in [0, 1], default=0.1

    Examples
    --------
    >>> shrunk_covariance([[2.0, 1.0], [1.0, 4.0]], 0.5)
    array([[2.5, 0.5],
           [0.5, 3.5]])
    """
    check_domain("shrunk_covariance.shrinkage", shrinkage, SHARE)
    S = np.asarray(emp_cov, dtype=np.float64)
    size = S.shape[-1]
    level = np.trace(S, axis1=-2, axis2=-1)[..., None, None] / size
    return np.asarray((1.0 - shrinkage) * S + shrinkage * level * np.eye(size))


class ShrunkCovariance(EmpiricalCovariance):
    """Covariance drawn towards a multiple of the identity.

    Parameters
    ----------
    store_precision : bool, default=True
        Whether to keep the inverse.
    assume_centered : bool, default=False
        Whether the mean is 0.
    shrinkage : float in [0, 1], default=0.1

    Attributes
    ----------
    location_ : ndarray of shape (n_features,)
    covariance_, precision_ : ndarray of shape (n_features, n_features)

    Examples
    --------
    >>> X = [[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]]
    >>> ShrunkCovariance(shrinkage=1.0).fit(X).covariance_.round(3)
    array([[1.333, 0.   ],
           [0.   , 1.333]])
    """

    _domains: ClassVar[Domains] = {"shrinkage": SHARE}

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        shrinkage: float = 0.1,
    ) -> None:
        super().__init__(
            store_precision=store_precision, assume_centered=assume_centered
        )
        self.shrinkage = shrinkage

    def _estimate(self, found: Moments) -> Matrix:
        check_parameters(self)
        return shrunk_covariance(found.covariance, self.shrinkage)
