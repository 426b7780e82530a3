"""Squared distances of sparse rows that lose no digits, however far from 0 they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.typing import Indices, Matrix, Vector

__all__ = ["squared_distances"]

#: A difference this small a share of what it is taken of has lost digits that count.
LOST = 1e-6
#: Entries of differences that are taken at a time: 32 MiB.
BLOCK = 2**22


def squared_distances(X: Any, centres: Matrix | None = None) -> Matrix:
    """Return ‖x - z‖² of sparse rows and centres, or of all pairs of rows.

    ‖x‖² - 2x·z + ‖z‖² stays sparse; only pairs that are too near to each other for that
    are subtracted.
    """
    X = sparse.csr_array(X, dtype=np.float64)
    lengths = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    if centres is None:
        products, others = (X @ X.T).toarray(), lengths
    else:
        centres = np.asarray(centres, dtype=np.float64)
        products, others = X @ centres.T, np.einsum("ij,ij->i", centres, centres)
    sums = lengths[:, None] + others
    squares = np.maximum(sums - 2.0 * products, 0.0)
    doubtful = (squares <= LOST * sums) & (sums > 0.0)
    if centres is None:
        np.fill_diagonal(squares, 0.0)
        np.fill_diagonal(doubtful, val=False)
    pairs, width = np.flatnonzero(doubtful), X.shape[1]
    if centres is None:  # rows like each other, so that their differences are short
        width = 1 + X.nnz // X.shape[0]
    step = max(1, BLOCK // width)
    for start in range(0, len(pairs), step):
        some = pairs[start : start + step]
        squares.flat[some] = _subtracted(X, centres, some)
    return np.asarray(squares)


def _subtracted(X: Any, centres: Matrix | None, pairs: Indices) -> Vector:
    """Return ‖x - z‖² of pairs, by their places in the table of all pairs."""
    if centres is None:
        i, j = np.divmod(pairs, X.shape[0])
        apart = X[i] - X[j]
        return np.asarray(apart.multiply(apart).sum(axis=1)).ravel()
    i, j = np.divmod(pairs, len(centres))
    dense = X[i].toarray() - centres[j]
    return np.asarray(np.einsum("ij,ij->i", dense, dense))
