"""Products of a tall row-major matrix with a vector, on all cores.

BLAS has a fast ``X w`` for such a matrix, but its ``Xᵀ s`` runs on one core; and calls
to BLAS in between would leave its threads spinning in the way of ours. So both products
live here, for arrays large enough to matter.
"""

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Matrix, Vector

__all__ = ["dot_rows", "sum_rows"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}
#: Products of so many numbers are there before another thread is.
FEW = 2**16


def dot_rows(X: Matrix, w: Vector) -> Vector:
    """Return the product of each row with `w`."""
    out = np.empty(len(X), dtype=X.dtype)
    if X.size <= FEW:
        _dot(X, w, out)
    else:
        in_parts(len(X), lambda rows: _dot(X[rows], w, out[rows]))
    return out


def sum_rows(X: Matrix, s: Vector) -> Vector:
    """Return the sum of the rows, each times its entry of `s`."""
    return np.asarray(sum(in_parts(len(X), lambda rows: _sum(X[rows], s[rows]))))


@loop(fastmath=_REORDER)
def _dot(X: Matrix, w: Vector, out: Vector) -> None:
    n, d = X.shape
    for i in range(n):
        total = X.dtype.type(0.0)
        for j in range(d):
            total += X[i, j] * w[j]
        out[i] = total


@loop(fastmath=_REORDER)
def _sum(X: Matrix, s: Vector) -> Vector:
    n, d = X.shape
    total = np.zeros(d)
    for i in range(n):
        factor = s[i]
        for j in range(d):
            total[j] += factor * X[i, j]
    return total
