"""Functions of ``hmmlearn.utils``: tables to shares, covariances to matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp

from infimum.typing import Matrix

__all__ = ["fill_covars", "log_normalize", "normalize"]


def normalize(a: Any, axis: int | None = None) -> None:
    """Divide an array by its sum along an axis, in place; sums of 0 stay."""
    total = np.sum(a, axis=axis, keepdims=True)
    a /= np.where(total == 0.0, 1.0, total) if axis and np.ndim(a) > 1 else total


def log_normalize(a: Any, axis: int | None = None) -> None:
    """Make an array of logarithms, in place, one whose exponentials sum to 1."""
    if axis is not None and np.shape(a)[axis] == 1:
        a[:] = 0.0
    else:
        a -= logsumexp(a, axis=axis, keepdims=True)


def fill_covars(
    covars: Any,
    covariance_type: str = "full",
    n_components: int = 1,
    n_features: int = 1,
) -> Matrix:
    """Return a covariance matrix for each state."""
    held = np.asarray(covars)
    if covariance_type == "full":
        return np.asarray(held)
    if covariance_type == "tied":
        return np.tile(held, (n_components, 1, 1))
    if covariance_type == "diag":
        return np.stack([np.diag(each) for each in held])
    spread: Any = np.ravel(held)[:, None, None]
    return np.asarray(np.eye(n_features)[None] * spread)
