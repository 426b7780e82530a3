"""Averages of values and of their logarithms, in one reading."""

from __future__ import annotations

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["WHOLE", "log_averages"]

#: Values below which NumPy is as quick.
FEW = 20_000


#: How far from 1 rounding may take a sum of shares.
WHOLE = 1e-9


def log_averages(
    y: Vector, start: float = 0.0, sign: float = 1.0, *, shares: bool = False
) -> Matrix | None:
    """Return the averages of v, v² and log v in each column, v = start + sign·y.

    None where that is not all there is to say: few values, values that are all equal,
    not finite or not positive, rows of `shares` that do not sum to 1.
    """
    from infimum.compiled.laws.log_sums import log_sums

    if y.ndim not in {1, 2} or y.size < FEW:
        return None
    table = np.ascontiguousarray(y).reshape(len(y), -1)
    found = log_sums(table, start, sign, shares=shares)
    if shares and not found[5, 0] <= WHOLE:
        return None
    positive = found[3].min() >= np.finfo(np.float64).tiny
    if not positive or not np.isfinite(found).all() or (found[3] == found[4]).all():
        return None
    return np.asarray(found[:3] / len(table))
