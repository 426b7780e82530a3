"""All products of two columns, row by row: quadratic forms become matrix products."""

from numba import njit

from infimum.typing import Matrix

__all__ = ["square_columns"]


@njit(cache=True, nogil=True)
def square_columns(X: Matrix, out: Matrix) -> None:
    """Write xᵢxⱼ for i ≤ j (rows of the upper triangle), then x, then 1."""
    d = X.shape[1]
    last = d * (d + 1) // 2
    for r in range(X.shape[0]):
        place = 0
        for i in range(d):
            factor = X[r, i]
            for j in range(i, d):
                out[r, place + j - i] = factor * X[r, j]
            place += d - i
        for i in range(d):
            out[r, last + i] = X[r, i]
        out[r, last + d] = 1.0
