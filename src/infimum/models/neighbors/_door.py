"""How samples enter a neighbours model: rows, distances, or things of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import check_fitted, read, refuse_huge, refuse_tiny, samples
from infimum.data.doors.reading import NO_TARGETS
from infimum.data.doors.thing_lists import are_things as listed
from infimum.errors import DataError
from infimum.typing import Matrix

__all__ = [
    "admit_queries",
    "admit_samples",
    "are_things",
    "stored_distances",
    "takes_gaps",
]


def are_things(metric: Any, X: Any) -> bool:
    """Tell whether X is a collection of things rather than a table of numbers.

    Only functions of two things, kernels that are not on vectors and the edit
    distance read such; the first two may still be given a table.
    """
    return metric == "edit_distance" or listed(metric, X)


def takes_gaps(metric: Any) -> bool:
    """Tell whether a distance leaves out the features that are missing."""
    return isinstance(metric, str) and metric == "nan_euclidean"


def _settings(metric: Any) -> dict[str, Any]:
    return {"accept_sparse": ["csr"], "missing": takes_gaps(metric)}


def admit_samples(
    model: Any, X: Any, y: Any = NO_TARGETS, **named: Any
) -> tuple[Any, Any]:
    """Admit samples, with their targets if there are to be any."""
    owner = type(model).__name__
    X = _held_by(X)
    if are_things(model.metric, X):
        X = list(X)
        if not X:
            raise DataError(f"{owner} needs samples to search among, got 0.")
        if y is NO_TARGETS:
            return X, None
        if y is None or len(X) != len(y):
            count = 0 if y is None else len(y)
            raise DataError(f"{owner}: {len(X)} samples have {count} targets.")
        return X, np.asarray(y)
    X, y = read(model, X, y, several=True, **_settings(model.metric), **named)
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


def _held_by(X: Any) -> Any:
    """Return the samples of a tree or of another model of neighbours."""
    if hasattr(X, "kneighbors") and hasattr(X, "_fit_X"):
        return X._fit_X
    tree = hasattr(X, "query_radius") and hasattr(X, "data")
    return np.asarray(X.data) if tree else X


def admit_queries(model: Any, X: Any) -> Any:
    """Admit new samples for a fitted model, of the kind it was fitted on."""
    check_fitted(model)
    if are_things(model.metric, X):
        return list(X)
    X = samples(model, X, **_settings(model.metric))
    if model.metric == "precomputed":
        _check_distances(type(model).__name__, X)
    else:
        _check_largest(model, X)
    return _rows(X)


def stored_distances(X: Any, *, own: bool) -> Matrix:
    """Return the distances that a sparse matrix stores among infinite ones.

    If they are among samples of their `own`, each is at distance 0 of itself.
    """
    stored = sparse.coo_array(X)
    out: Matrix = np.full(tuple(stored.shape), np.inf, dtype=stored.dtype)
    out[stored.row, stored.col] = stored.data
    if own and len(out) == out.shape[1]:
        np.fill_diagonal(out, 0.0)
    return out


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
