"""Matrices with gaps in, rows without gaps out."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.factor_rows import BLOCK, Entries, Facing, solve_rows
from infimum.data.doors import array, rows
from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["filled", "matrix_of", "place_of"]

#: The squares of larger numbers cannot be added up.
LARGEST = 1e140


def matrix_of(
    estimator: Any, X: Any, *, center: bool, stored: bool, reset: bool = True
) -> tuple[Any, Vector]:
    """Return the seen entries as a sparse matrix, and what was subtracted."""
    owner = "soft_impute_path" if estimator is None else type(estimator).__name__
    if stored:
        if not sparse.issparse(X):
            raise DataError(f"{owner}: stored entries are those of a sparse matrix.")
        given: Any = X
        seen = sparse.csr_array(given, dtype=np.float64, copy=True)
        seen.sum_duplicates()
        if not np.isfinite(seen.data).all():
            raise DataError(f"{owner}: stored entries must be finite.")
        if estimator is not None and reset:
            estimator.n_features_in_ = int(seen.shape[1])
    else:
        if estimator is None:
            X = array(X, ensure_all_finite="allow-nan")
        else:
            X = rows(estimator, X, missing=True, reset=reset, accept_sparse=False).X
        i, j = np.nonzero(~np.isnan(X))
        values = np.asarray(X[i, j], dtype=np.float64)
        seen = sparse.csr_array((values, (i, j)), X.shape)
    _check_entries(owner, seen.data)
    means = np.zeros(seen.shape[1])
    if center:
        counts = np.bincount(seen.indices, minlength=len(means))
        sums = np.bincount(seen.indices, seen.data, minlength=len(means))
        means = sums / np.maximum(counts, 1)
        seen.data -= means[seen.indices]
    return seen, means


def _check_entries(owner: str, entries: Vector) -> None:
    if not len(entries):
        raise DataError(f"{owner} needs an entry that is not missing.")
    if not np.abs(entries).max() < LARGEST:
        raise DataError(f"{owner} takes numbers below {LARGEST:.0e}.")


def filled(X: Matrix, factors: Matrix, means: Vector, penalty: float) -> Matrix:
    """Return X with NaN replaced by the best row for the factors of the columns."""
    i, j = np.nonzero(~np.isnan(X))
    starts = np.searchsorted(i, np.arange(len(X) + 1))
    rank = factors.shape[1]
    width = -(-rank // BLOCK) * BLOCK
    faced = np.pad(np.asarray(factors, dtype=np.float64), ((0, 0), (0, width - rank)))
    out = np.zeros((len(X), width))
    targets = np.asarray(X[i, j], dtype=np.float64) - means[j]
    solve_rows(
        Entries(starts.astype(np.int32), j.astype(np.int32), targets, np.ones(len(j))),
        Facing(faced, np.zeros((width, width)), 0.0),
        np.full(width, max(penalty, 1e-12 * float(np.sum(faced**2)), 1e-300)),
        np.ones(len(X)),
        np.zeros_like(out),
        out,
    )
    gaps = np.isnan(X)
    made = X.copy()
    lines, columns = np.nonzero(gaps)
    said = np.einsum("ij,ij->i", out[lines], faced[columns]) + means[columns]
    made[lines, columns] = said
    return made


def place_of(owner: str, places: Any, size: int) -> Indices:
    """Return places as numbers of [0, size)."""
    found = np.asarray(places)
    if found.dtype.kind not in "iu" or (found.size and not found.min() >= 0):
        raise DataError(f"{owner}: places are whole numbers from 0.")
    if found.size and found.max() >= size:
        raise DataError(f"{owner}: there is no place {found.max()} among {size}.")
    return found.astype(np.intp)
