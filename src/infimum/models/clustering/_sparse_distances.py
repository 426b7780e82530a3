"""Squared distances of sparse rows that lose no digits, however far from 0 they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from infimum.typing import Matrix

__all__ = ["squared_distances"]

#: A difference this small a share of what it is taken of has lost digits that count.
LOST = 1e-6
#: Entries of rows that are written out at a time: 32 MiB.
BLOCK = 2**22


def squared_distances(X: Any, centres: Matrix | None = None) -> Matrix:
    """Return ‖x - z‖² of sparse rows and centres, or of all pairs of rows.

    ‖x‖² - 2x·z + ‖z‖² stays sparse; only rows that have come too near to a centre for
    that are written out and subtracted.
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
    rows = np.flatnonzero(doubtful.any(axis=1))
    if len(rows):
        near = X.toarray() if centres is None else centres
        step = max(1, BLOCK // X.shape[1])
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            exact = cdist(X[some].toarray(), near, "sqeuclidean")
            squares[some] = np.where(doubtful[some], exact, squares[some])
    return np.asarray(squares)
