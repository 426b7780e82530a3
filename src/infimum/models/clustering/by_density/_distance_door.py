"""The door of clusterers by density: samples, or distances in their place."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import rows
from infimum.errors import DataError
from infimum.models.neighbors._door import stored_distances

__all__ = ["admit_samples", "are_given"]

#: Sums of squares of smaller numbers vanish, and those of one over it overflow.
SMALLEST = 1e-152


def are_given(metric: Any) -> bool:
    """Tell whether distances are given instead of samples."""
    return isinstance(metric, str) and metric == "precomputed"


def admit_samples(
    model: Any,
    X: Any,
    metric: Any,
    *,
    reset: bool,
    symmetric: bool = False,
    **rule: Any,
) -> Any:
    """Admit samples, dense or sparse, or a matrix of distances.

    Distances that a sparse matrix does not store are infinite, but those to oneself.

    Parameters
    ----------
    model : the estimator
    X : what the user gave
    metric : how distances are measured; "precomputed" if X are distances
    reset : whether these are the samples of the fit, all of whose distances are given
    symmetric : whether both ways must be equally long
    rule : further options of scikit-learn's validation
    """
    X = rows(model, X, reset=reset, accept_sparse=["csr"], **rule).X
    # A new sample may well be too far away to be measured, and what is given is.
    if reset and not are_given(metric):
        _check_size(model, X)
    if not are_given(metric):
        return sparse.csr_array(X) if hasattr(X, "tocsr") else X
    owner = type(model).__name__
    if hasattr(X, "tocsr"):
        X = stored_distances(X, own=reset)
    if np.isnan(X).any() or X.min() < 0.0:
        raise DataError(
            f"{owner} reads precomputed distances without missing or negative entries."
        )
    if reset and (X.shape[0] != X.shape[1] or (symmetric and not np.allclose(X, X.T))):
        kind = "symmetric square" if symmetric else "square"
        raise DataError(
            f"{owner} needs precomputed distances in a {kind} matrix, got shape "
            f"{X.shape}."
        )
    return X


def _check_size(model: Any, X: Any) -> None:
    """Raise if squares of finite numbers would overflow, or those of all vanish."""
    entries = np.asarray(X.data if hasattr(X, "tocsr") else X)
    known: Any = {"where": np.isfinite(entries), "initial": 0.0}
    largest = float(max(entries.max(**known), -entries.min(**known)))
    owner = type(model).__name__
    if largest > 1.0 / SMALLEST:
        raise DataError(
            f"{owner} takes numbers in X up to {1.0 / SMALLEST:.0e}, got {largest:.3g} "
            "at most: scale them, or squares overflow."
        )
    if 0.0 < largest < SMALLEST:
        raise DataError(
            f"{owner} takes numbers in X from {SMALLEST:.0e} on, got {largest:.3g} at "
            "most: scale them, or squares vanish."
        )
