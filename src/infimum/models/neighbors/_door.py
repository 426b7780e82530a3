"""How samples enter a neighbours model: rows, distances, or things of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import check_fitted
from infimum.data.validation import accept, refuse_huge, refuse_tiny
from infimum.errors import DataError
from infimum.kernels import Kernel
from infimum.kernels.vectors import VectorKernel

__all__ = ["admit_queries", "admit_samples", "are_things", "takes_gaps"]

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


def takes_gaps(metric: Any) -> bool:
    """Tell whether a distance leaves out the features that are missing."""
    return isinstance(metric, str) and metric == "nan_euclidean"


def _settings(metric: Any) -> dict[str, Any]:
    return {
        "dtype": [np.float64, np.float32],
        "accept_sparse": ["csr"],
        "ensure_all_finite": "allow-nan" if takes_gaps(metric) else True,
    }


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
    settings = _settings(model.metric) | named
    if y is ...:
        X = accept(model, X, **settings)
    else:
        X, y = accept(model, X, y, multi_output=True, **settings)
    if model.metric == "precomputed":
        _check_distances(owner, X)
        if X.shape[0] != X.shape[1]:
            raise DataError(
                f"{owner} reads precomputed distances, which must be a square matrix, "
                f"got shape {X.shape}."
            )
    else:
        _check_sizes(model, X)
    return _rows(X), y


def admit_queries(model: Any, X: Any) -> Any:
    """Admit new samples for a fitted model, of the kind it was fitted on."""
    check_fitted(model)
    if are_things(model.metric, X):
        return list(X)
    X = accept(model, X, reset=False, **_settings(model.metric))
    if model.metric == "precomputed":
        _check_distances(type(model).__name__, X)
    else:
        _check_largest(model, X)
    return _rows(X)


def _check_sizes(model: Any, X: Any) -> None:
    _check_largest(model, X)
    if X.dtype == np.float64:
        refuse_tiny(model, X)


def _check_largest(model: Any, X: Any) -> None:
    if X.dtype == np.float64:  # single precision is compared in double
        refuse_huge(model, X)


def _check_distances(owner: str, X: Any) -> None:
    entries = X.data if bool(sparse.issparse(X)) else X
    if entries.min(initial=0.0) < 0:
        raise DataError(
            f"{owner}: a precomputed distance is negative: {entries.min():.3g}."
        )


def _rows(X: Any) -> Any:
    return sparse.csr_array(X) if hasattr(X, "tocsr") else X
