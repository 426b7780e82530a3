"""Hashes of rows as numbers, for trees that are grown without a target."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.typing import Vector

__all__ = ["row_hashes"]

#: Far more than 1, so that near rows have unrelated numbers.
SPREAD = 1e4
#: No fraction of small numbers, so that no two values come to the same.
GOLDEN = 0.6180339887498949


def row_hashes(X: Any, seed: int) -> Vector:
    """Return a number for each row, the same for equal rows, otherwise as by chance.

    A node that tries one feature and one threshold has no choice that targets could
    guide; they only tell rows apart.
    """
    draw = np.random.default_rng(seed).normal(size=X.shape[1])
    if hasattr(X, "tocsr"):
        table = X.astype(np.float64)
        table.data = _tamed(table.data)
        sums = table @ draw
    else:
        # A product by BLAS may round equal rows differently, by their place.
        sums = (_tamed(X) * draw).sum(axis=1)
    return np.asarray(np.sin(SPREAD * sums), dtype=np.float64)


def _tamed(values: Any) -> Any:
    """Return numbers of moderate size, different for different values, 0 for 0."""
    mantissa, exponent = np.frexp(np.nan_to_num(values, nan=0.5))
    return mantissa + GOLDEN * exponent
