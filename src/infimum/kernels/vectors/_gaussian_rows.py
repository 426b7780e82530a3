"""Rows made ready for Gaussian kernels: one matrix product and one exponential."""

from typing import Any

import numpy as np

from infimum.kernels._cores import scratch
from infimum.typing import Indices, Matrix, Vector

__all__ = ["GaussianRows"]


class GaussianRows:
    """Two collections with two more columns, whose products are the exponents.

    ⟨(2γx, -γ‖x‖², 1), (z, 1, -γ‖z‖²)⟩ = -γ‖x - z‖².
    """

    def __init__(self, gamma: float, X: Any, Z: Any, dtype: Any) -> None:
        # Distances do not see the origin; near the data less is lost to rounding.
        centre = np.asarray(Z, dtype=np.float64).mean(axis=0)
        right = _centred(Z, centre, gamma)
        left = right if X is Z else _centred(X, centre, gamma)
        self.left = _augmented(*left, dtype, 2.0 * gamma)
        self.right = _augmented(*right, dtype)
        self.dtype = np.dtype(dtype)

    def write(
        self, left: Matrix, right: Matrix, out: Matrix, rows: Indices, start: int
    ) -> None:
        """Write the values of some rows into `rows` of `out`, from `start` on."""
        from infimum.compiled.exponentials import exponentiate_into

        part = scratch(len(left), len(right), self.dtype)
        np.matmul(left, right.T, out=part)
        exponentiate_into(part, out, rows, start)

    def tile(self, left: Matrix, right: Matrix) -> Matrix:
        """Return the values of some rows, in memory that the next tile will use."""
        from infimum.compiled.exponentials import exponentiate_into

        halves = scratch(2 * len(left), len(right), self.dtype)
        exponents, values = halves[: len(left)], halves[len(left) :]
        np.matmul(left, right.T, out=exponents)
        exponentiate_into(exponents, values, np.arange(len(left)), 0)
        return values

    def fill(self, rows: slice, columns: slice, out: Matrix) -> None:
        """Write a block into a view, no value above 1."""
        from infimum.compiled.exponentials import exponentiate_into

        left, right = self.left[rows], self.right[columns]
        halves = scratch(2 * len(left), len(right), self.dtype)
        exponents, values = halves[: len(left)], halves[len(left) :]
        np.matmul(left, right.T, out=exponents)
        np.minimum(exponents, 0.0, out=exponents)
        exponentiate_into(exponents, values, np.arange(len(left)), 0)
        out[...] = values


def _centred(X: Any, centre: Vector, gamma: float) -> tuple[Matrix, Vector]:
    """Return the rows as seen from the centre, and -γ times their squared lengths."""
    rows = np.asarray(X, dtype=np.float64) - centre
    return rows, -gamma * np.einsum("ij,ij->i", rows, rows)


def _augmented(
    rows: Matrix, squares: Vector, dtype: Any, factor: float | None = None
) -> Any:
    """Put two columns beside rows that are left factors, if they have a factor."""
    out = np.ones((len(rows), rows.shape[1] + 2), dtype=dtype)
    if factor is None:
        out[:, :-2], out[:, -1] = rows, squares
    else:
        np.multiply(rows, factor, out=out[:, :-2], casting="same_kind")
        out[:, -2] = squares
    return out
