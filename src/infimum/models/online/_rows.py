"""Rows as the loops over streams take them: dense, or in compressed form."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.typing import Indices

__all__ = ["parts_of", "pending_order"]


def parts_of(X: Any) -> tuple[Any, ...]:
    """Return one contiguous array, or the three arrays of compressed rows."""
    if not sparse.issparse(X):
        return (np.ascontiguousarray(X),)
    held: Any = X
    rows = held.tocsr()
    # Numbers without a sign: the loops need not ask whether to count from the end.
    places = rows.indices.view(f"u{rows.indices.itemsize}")
    return rows.indptr, places, rows.data


def pending_order(rows: Indices, generator: np.random.RandomState | None) -> Indices:
    """Return the rows in the order of a visit: as they stand, or shuffled."""
    return rows if generator is None else generator.permutation(rows)
