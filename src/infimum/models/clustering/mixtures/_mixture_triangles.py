"""One pass of expectation and maximisation for full covariances, by one loop."""

from __future__ import annotations

import numpy as np

from infimum.compiled.clusters.full_mixture_pass import MIXTURE_TILE, full_mixture_pass
from infimum.models.clustering.mixtures._mixture_components import (
    Components,
    not_nothing,
)
from infimum.typing import Matrix, Vector

__all__ = ["ByTriangles"]

#: Shares left out of a component's sums add up to less than this part of its weight.
LEFT_OUT = 2.0**-60


class ByTriangles:
    """Moments about the origin, from the products of two columns of (x, 1)."""

    def __init__(self, components: Components) -> None:
        self.k, self.d = components.means.shape
        self.table = _in_tiles(_coefficients(components))
        self.least = LEFT_OUT * components.weights

    def blank(self) -> list[Matrix]:
        return [np.zeros((self.k, self.d + 1, self.d + MIXTURE_TILE[1]))]

    def gather(
        self, rows: Matrix, weights: Vector, shares: Matrix, sums: list[Matrix]
    ) -> float:
        """Add the products of the rows to the sums; return the log likelihood."""
        given = np.ascontiguousarray(shares)
        return float(
            full_mixture_pass(rows, weights, given, self.table, self.least, sums[0])
        )

    def moments(self, sums: list[Matrix]) -> tuple[Vector, Matrix, Matrix]:
        """Return mass, means and covariances from the sums of the products."""
        d = self.d
        mass = not_nothing(sums[0][:, d, d])
        means = sums[0][:, :d, d] / mass[:, None]
        upper = np.triu(sums[0][:, :d, :d] / mass[:, None, None])
        squares = upper + np.triu(upper, 1).transpose(0, 2, 1)
        return mass, means, squares - means[:, :, None] * means[:, None, :]


def _coefficients(components: Components) -> Matrix:
    """Return log wₖ N(x | k) as coefficients of x̃ᵢx̃ⱼ with i ≤ j, x̃ = (x, 1)."""
    k, d = components.means.shape
    precisions = components.factors @ components.factors.transpose(0, 2, 1)
    linear = np.einsum("kij,kj->ki", precisions, components.means)
    out = np.zeros((k, d + 1, d + 1))
    # Off the diagonal each product stands for two.
    out[:, :d, :d] = -np.triu(precisions, 1) - 0.5 * precisions * np.eye(d)
    out[:, :d, d] = linear
    offsets = 0.5 * np.sum(linear * components.means, axis=1)
    out[:, d, d] = components.constants() - offsets
    return out


def _in_tiles(coefficients: Matrix) -> Vector:
    """Return the coefficients in the order in which the loop reads them."""
    high, wide = MIXTURE_TILE
    k, width, _ = coefficients.shape
    padded = np.zeros((-(-k // high) * high, width, width + wide - 1))
    padded[:k, :, :width] = coefficients
    first = np.arange(0, len(padded), high)
    corners = [(i, j) for i in range(width) for j in range(i, width, wide)]
    i, j = np.array(corners).T
    components = first[:, None, None, None] + np.arange(high)[:, None]
    columns = j[:, None, None] + np.arange(wide)
    return np.ascontiguousarray(padded[components, i[:, None, None], columns]).ravel()
