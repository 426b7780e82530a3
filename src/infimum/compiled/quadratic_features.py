"""All products of two columns: quadratic forms become matrix products."""

from numba import njit

from infimum.typing import Matrix, Vector

__all__ = ["square_columns"]


@njit(cache=True, nogil=True)
def _multiply(left: Vector, right: Vector, out: Vector) -> None:
    for r in range(out.size):
        out[r] = left[r] * right[r]


@njit(cache=True, nogil=True)
def square_columns(X: Matrix, mixed: int, out: Matrix) -> None:
    """Write a row for each product xᵢxⱼ with i ≤ j, then x, then 1.

    The columns of `out` are the rows of X, so that the products run along memory.
    Unless `mixed`, products of different columns are left out.
    """
    n, d = X.shape
    first = d * (d + 1) // 2 if mixed else d
    for r in range(n):
        for i in range(d):
            out[first + i, r] = X[r, i]
        out[first + d, r] = 1.0
    place = 0
    for i in range(d):
        for j in range(i, d if mixed else i + 1):
            _multiply(out[first + i], out[first + j], out[place])
            place += 1
