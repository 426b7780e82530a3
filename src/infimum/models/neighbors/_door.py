"""How samples enter a neighbours model: rows, distances, or things of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, validate_data

from infimum.data.validation import accept_samples
from infimum.errors import DataError
from infimum.kernels import Kernel
from infimum.kernels.vectors import VectorKernel

__all__ = ["admit_queries", "admit_samples", "are_things"]

TABLE = 2


def are_things(metric: Any, X: Any) -> bool:
    """Tell whether X is a collection of things rather than a table of numbers.

    Only functions of two things, kernels that are not on vectors and the edit
    distance read such; the first two may still be given a table.
    """
    if metric == "edit_distance":
        return True
    if isinstance(metric, str | VectorKernel) or sparse.issparse(X):
        return False
    if hasattr(X, "columns") or not (isinstance(metric, Kernel) or callable(metric)):
        return False
    if hasattr(X, "__array__"):
        array = np.asarray(X)
        return array.dtype.kind not in "fiub" or array.ndim != TABLE
    if isinstance(metric, Kernel):
        return True
    return not isinstance(next(iter(X), ()), list | tuple | np.ndarray)


def admit_samples(model: Any, X: Any, y: Any = ..., **named: Any) -> tuple[Any, Any]:
    """Admit samples, with their targets if there are to be any."""
    owner = type(model).__name__
    if are_things(model.metric, X):
        X = list(X)
        if not X:
            raise DataError(f"{owner} needs samples to search among, got 0.")
        if y is ...:
            return X, None
        if y is None or len(X) != len(y):
            count = 0 if y is None else len(y)
            raise DataError(f"{owner}: {len(X)} samples have {count} targets.")
        return X, np.asarray(y)
    settings = {"dtype": [np.float64, np.float32], "accept_sparse": ["csr"], **named}
    if y is ...:
        X = validate_data(model, X, **settings)
    else:
        X, y = validate_data(model, X, y, multi_output=True, **settings)
    if model.metric == "precomputed":
        _check_distances(owner, X)
        if X.shape[0] != X.shape[1]:
            raise DataError(
                f"{owner} reads precomputed distances, which must be a square matrix, "
                f"got shape {X.shape}."
            )
    return _rows(X), y


def admit_queries(model: Any, X: Any) -> Any:
    """Admit new samples for a fitted model, of the kind it was fitted on."""
    check_is_fitted(model)
    if are_things(model.metric, X):
        return list(X)
    X = accept_samples(model, X)
    if model.metric == "precomputed":
        _check_distances(type(model).__name__, X)
    return _rows(X)


def _check_distances(owner: str, X: Any) -> None:
    if sparse.issparse(X):
        raise DataError(f"{owner} reads precomputed distances from a dense matrix.")
    if X.min(initial=0.0) < 0:
        raise DataError(f"{owner}: a precomputed distance is negative: {X.min():.3g}.")


def _rows(X: Any) -> Any:
    return sparse.csr_array(X) if hasattr(X, "tocsr") else X
