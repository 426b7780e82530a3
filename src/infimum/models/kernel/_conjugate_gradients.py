"""Conjugate gradients for many right-hand sides, and what makes them quick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import eigh

from infimum.kernels import Kernel
from infimum.models._kernel_door import select
from infimum.typing import Matrix, Vector

__all__ = ["KernelTiles", "NystroemInverse", "Product", "conjugate_gradients"]

#: A symmetric linear map of the columns of a matrix.
Product: TypeAlias = Callable[[Matrix], Matrix]
#: Entries of a tile of kernel values computed at a time: 64 MiB.
TILE = 2**23
#: Iterations without half the residual after which rounding has the last word.
HOPELESS = 30


def conjugate_gradients(
    product: Product, inverse: Product, right: Matrix, goal: float, most: int
) -> tuple[Matrix, int]:
    """Solve A Z = right for symmetric positive definite A, each column by itself.

    `inverse` is a rough A⁻¹. Ends when every column's residual is below `goal` times
    its right-hand side, when rounding stops it, or after `most` products. Returns the
    solutions and the number of products used.
    """
    sizes = np.linalg.norm(right, axis=0)
    sizes[sizes == 0.0] = 1.0
    solution = inverse(right)
    residual = right - product(solution)
    search = inverse(residual)
    agreement = np.einsum("ij,ij->j", residual, search)
    best, since = np.inf, 0
    for count in range(1, most + 1):
        left = float((np.linalg.norm(residual, axis=0) / sizes).max())
        best, since = (left, 0) if left < 0.5 * best else (best, since + 1)
        if left <= goal or since >= HOPELESS:
            return solution, count
        moved = product(search)
        along = np.einsum("ij,ij->j", search, moved)
        step = np.divide(agreement, along, out=np.zeros_like(along), where=along > 0)
        solution = solution + step * search
        residual = residual - step * moved
        nearer = inverse(residual)
        now = np.einsum("ij,ij->j", residual, nearer)
        ratio = np.divide(now, agreement, out=np.zeros_like(now), where=agreement > 0)
        search, agreement = nearer + ratio * search, now
    return solution, most


class KernelTiles:
    """A kernel matrix that is never whole: rows in tiles, as many kept as may be.

    Parameters
    ----------
    kernel : Kernel
    X : collection
        The things compared with each other.
    capacity : int
        Most kernel values to keep; the others are computed again for each product.
    """

    def __init__(self, kernel: Kernel, X: Any, capacity: int) -> None:
        self.kernel, self.X = kernel, X
        self.count = int(X.shape[0]) if hasattr(X, "shape") else len(X)
        size = max(1, TILE // max(1, self.count))
        self.tiles = [
            slice(start, min(self.count, start + size))
            for start in range(0, self.count, size)
        ]
        self.kept: list[Matrix] = []
        self.room = max(0, capacity // max(1, size * self.count))

    def __call__(self, columns: Matrix) -> Matrix:
        """Return the product of the kernel matrix with some columns."""
        out = np.empty((self.count, columns.shape[1]))
        for number, rows in enumerate(self.tiles):
            out[rows] = self._tile(number) @ columns
        return out

    def _tile(self, number: int) -> Matrix:
        if number < len(self.kept):
            return self.kept[number]
        values = self.kernel(self.X[self.tiles[number]], self.X)
        if number == len(self.kept) < self.room:
            self.kept.append(values)
        return values


@dataclass(frozen=True, eq=False)
class NystroemInverse:
    r"""The inverse of a kernel system, as a few landmarks see it.

    .. math:: K ≈ U L U^\top, \qquad
              P^{-1} = \frac{1}{l + α}\Big(I - U U^\top\Big)
                       + U (L + αI)^{-1} U^\top

    with l the least of the eigenvalues L. Directions in which K is large are inverted
    almost exactly; what is left has small eigenvalues, and conjugate gradients need
    few steps for it.

    References
    ----------
    Frangella, Tropp & Udell (2023), SIAM J. Matrix Analysis and Applications 44.
    """

    vectors: Matrix
    values: Vector
    alpha: float

    @classmethod
    def of(
        cls, kernel: Kernel, X: Any, roots: Vector, alpha: float, landmarks: int
    ) -> NystroemInverse:
        """Build it from landmarks drawn by a fixed seed: the answer hides them."""
        n = len(roots)
        draw = np.random.default_rng(0)
        chosen = np.sort(draw.choice(n, min(n, landmarks), replace=False))
        some = select(X, chosen)
        values, vectors = eigh(np.asarray(kernel(some), np.float64), driver="evd")
        solid = values > 1e-12 * len(values) * max(values[-1], 0.0)
        half = vectors[:, solid] / np.sqrt(values[solid])
        factor = np.asarray(kernel(X, some), np.float64) @ half * roots[:, None]
        squares, turns = eigh(factor.T @ factor, driver="evd")
        solid = squares > 1e-14 * max(squares[-1], 0.0)
        lengths = np.sqrt(squares[solid])
        return cls(factor @ (turns[:, solid] / lengths), squares[solid], alpha)

    def __call__(self, columns: Matrix) -> Matrix:
        """Return the rough inverse times some columns."""
        inside = self.vectors.T @ columns
        least = float(self.values[0]) if len(self.values) else 0.0
        gain = (least + self.alpha) / (self.values + self.alpha) - 1.0
        scaled = columns + self.vectors @ (gain[:, None] * inside)
        return np.asarray(scaled / (least + self.alpha))
