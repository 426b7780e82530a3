"""Products of a tall row-major matrix with a vector, on all cores.

BLAS has a fast ``X w`` for such a matrix, but its ``Xᵀ s`` runs on one core; and calls
to BLAS in between would leave its threads spinning in the way of ours. So both products
live here, for arrays large enough to matter.
"""

import numpy as np
from numba import njit, prange

from infimum.typing import Matrix, Vector

__all__ = ["dot_rows", "sum_rows"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}
#: Partial sums; their number is fixed, so that the result does not depend on threads.
PARTS = 16


@njit(cache=True, nogil=True, parallel=True, fastmath=_REORDER)
def dot_rows(X: Matrix, w: Vector) -> Vector:
    """Return the product of each row with `w`."""
    n, d = X.shape
    out = np.empty(n, dtype=X.dtype)
    for i in prange(n):
        total = X.dtype.type(0.0)
        for j in range(d):
            total += X[i, j] * w[j]
        out[i] = total
    return out


@njit(cache=True, nogil=True, parallel=True, fastmath=_REORDER)
def sum_rows(X: Matrix, s: Vector) -> Vector:
    """Return the sum of the rows, each times its entry of `s`."""
    n, d = X.shape
    partial = np.zeros((PARTS, d))
    for part in prange(PARTS):
        total = np.zeros(d)
        for i in range(part * n // PARTS, (part + 1) * n // PARTS):
            factor = s[i]
            for j in range(d):
                total[j] += factor * X[i, j]
        partial[part] = total
    summed: Vector = partial.sum(axis=0)
    return summed
