"""Shapes of Gaussian components: what EM needs to know of full, tied, diag, spherical.

Everything is told in standardised columns. A component is its log weight, its mean and
the factor of its precision, P = F Fᵀ: an upper triangle (full, tied), a diagonal (diag)
or a number (spherical).
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["covariance_shape", "factor_precisions", "log_determinants", "whiten"]


def factor_precisions(covariances: Matrix, kind: str) -> Matrix:
    """Return the factors of the precisions of these covariances."""
    if kind in {"diag", "spherical"}:
        if np.any(covariances <= 0.0) or not np.isfinite(covariances).all():
            raise DataError(_ADVICE)
        return 1.0 / np.sqrt(covariances)
    try:
        if kind == "tied":
            return _factor(covariances)
        return np.array([_factor(one) for one in covariances])
    except linalg.LinAlgError:
        raise DataError(_ADVICE) from None


def log_determinants(factors: Matrix, kind: str, d: int, k: int) -> Vector:
    """Return half the log determinant of each precision."""
    if kind == "full":
        diagonals = np.diagonal(factors, axis1=1, axis2=2)
        return np.asarray(np.log(diagonals).sum(axis=1))
    if kind == "tied":
        return np.full(k, float(np.log(np.diag(factors)).sum()))
    if kind == "diag":
        return np.asarray(np.log(factors).sum(axis=1))
    return np.asarray(d * np.log(factors))


def whiten(apart: Matrix, factors: Matrix, kind: str, component: int) -> Matrix:
    """Return differences from a mean, in units of the component's own spread."""
    if kind == "full":
        return np.asarray(apart @ factors[component])
    if kind == "tied":
        return np.asarray(apart @ factors)
    return np.asarray(apart * factors[component])


def covariance_shape(kind: str, k: int, d: int) -> tuple[int, ...]:
    """Return the shape of the covariances of k components in d dimensions."""
    return {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}[kind]


_ADVICE = (
    "A Gaussian mixture met a component of no width: use fewer components, a larger "
    "reg_covar, or scale the features."
)


def _factor(covariance: Matrix) -> Matrix:
    lower = linalg.cholesky(covariance, lower=True)
    one = np.eye(len(lower))
    return np.asarray(linalg.solve_triangular(lower, one, lower=True).T)
