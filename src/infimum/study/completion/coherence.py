"""Coherence: whether a matrix is spread over its entries, or hides in a few."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.data.doors import array
from infimum.errors import DataError
from infimum.parameters import check_domain, whole

__all__ = [
    "MatrixCoherences",
    "coherence",
    "matrix_coherences",
    "missed_entry_probability",
]

#: Singular values below this share of the largest are 0.
ZERO = 1e-10


class MatrixCoherences(NamedTuple):
    """The numbers of the recovery theorem, with the rank."""

    rank: int
    columns: float
    rows: float
    #: μ₀: the larger of both.
    mu0: float
    #: μ₁ = max |UVᵀ| √(n₁ n₂ / r).
    mu1: float


def coherence(basis: Any) -> float:
    r"""Return (d/r) max ‖P e‖² for the space that columns span; from 1 to d/r.

    Examples
    --------
    >>> coherence([[1.0], [0.0], [0.0]]), round(coherence([[1.0], [1.0], [1.0]]), 12)
    (3.0, 1.0)
    """
    U = array(basis)
    left, sizes, _ = np.linalg.svd(U, full_matrices=False)
    if sizes[0] == 0.0:
        raise DataError("coherence: the columns span nothing.")
    left = left[:, sizes > ZERO * sizes[0]]
    d, r = left.shape
    return float(d / r * np.max(np.sum(left**2, axis=1)))


def matrix_coherences(M: Any) -> MatrixCoherences:
    """Return μ₀ and μ₁ of a matrix, from its singular vectors.

    Examples
    --------
    >>> found = matrix_coherences([[1.0, 1.0], [1.0, 1.0]])
    >>> found.rank, round(found.mu0, 9), round(found.mu1, 9)
    (1, 1.0, 1.0)
    """
    M = array(M)
    left, sizes, right = np.linalg.svd(M, full_matrices=False)
    if sizes[0] == 0.0:
        raise DataError("matrix_coherences: the matrix is 0.")
    rank = int(np.sum(sizes > ZERO * sizes[0]))
    U, V = left[:, :rank], right[:rank].T
    of_columns, of_rows = coherence(U), coherence(V)
    mu1 = float(np.abs(U @ V.T).max() * np.sqrt(M.size / rank))
    return MatrixCoherences(rank, of_columns, of_rows, max(of_columns, of_rows), mu1)


def missed_entry_probability(n_entries: int, size: int) -> float:
    """Return 1 - n/p²: the chance that n entries miss the only one that is not 0.

    Examples
    --------
    >>> missed_entry_probability(50, 10)
    0.5
    """
    check_domain("missed_entry_probability.n_entries", n_entries, whole(0, size**2))
    return 1.0 - n_entries / size**2
