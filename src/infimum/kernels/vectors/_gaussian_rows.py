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
        self.left = _augmented(X, centre, gamma, dtype, first=True)
        self.right = _augmented(Z, centre, gamma, dtype, first=False)
        self.dtype = np.dtype(dtype)

    def write(
        self, left: Matrix, right: Matrix, out: Matrix, rows: Indices, start: int
    ) -> None:
        """Write the values of some rows into `rows` of `out`, from `start` on."""
        from infimum.compiled import exponentiate_into

        part = scratch(len(left), len(right), self.dtype)
        np.matmul(left, right.T, out=part)
        exponentiate_into(part, out, rows, start)

    def tile(self, left: Matrix, right: Matrix) -> Matrix:
        """Return the values of some rows, in memory that the next tile will use."""
        from infimum.compiled import exponentiate_into

        halves = scratch(2 * len(left), len(right), self.dtype)
        exponents, values = halves[: len(left)], halves[len(left) :]
        np.matmul(left, right.T, out=exponents)
        exponentiate_into(exponents, values, np.arange(len(left)), 0)
        return values

    def fill(self, rows: slice, columns: slice, out: Matrix) -> None:
        """Write a block into a view, no value above 1."""
        from infimum.compiled import exponentiate_into

        left, right = self.left[rows], self.right[columns]
        halves = scratch(2 * len(left), len(right), self.dtype)
        exponents, values = halves[: len(left)], halves[len(left) :]
        np.matmul(left, right.T, out=exponents)
        np.minimum(exponents, 0.0, out=exponents)
        exponentiate_into(exponents, values, np.arange(len(left)), 0)
        out[...] = values


def _augmented(X: Any, centre: Vector, gamma: float, dtype: Any, *, first: bool) -> Any:
    centred = np.asarray(X, dtype=np.float64) - centre
    squares = -gamma * np.einsum("ij,ij->i", centred, centred)
    out = np.ones((len(centred), centred.shape[1] + 2), dtype=dtype)
    if first:
        np.multiply(centred, 2.0 * gamma, out=out[:, :-2], casting="same_kind")
        out[:, -2] = squares
    else:
        out[:, :-2], out[:, -1] = centred, squares
    return out
