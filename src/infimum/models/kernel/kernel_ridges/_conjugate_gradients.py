"""Conjugate gradients for many right-hand sides, and what makes them quick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import eigh, qr, svd

from infimum.models._kernel_door import select
from infimum.typing import Matrix, Vector

__all__ = [
    "KernelTiles",
    "NystroemInverse",
    "Product",
    "Similarity",
    "conjugate_gradients",
]

#: A symmetric linear map of the columns of a matrix.
Product: TypeAlias = Callable[[Matrix], Matrix]
#: Kernel values of one collection, or between two.
Similarity: TypeAlias = Callable[..., Matrix]
#: Entries of a tile of kernel values computed at a time: 64 MiB.
TILE = 2**23
#: Iterations without half the residual after which rounding has the last word.
STALL_LIMIT = 30


def conjugate_gradients(
    product: Product,
    inverse: Product,
    right: Matrix,
    goal: float,
    most: int,
    patience: int = STALL_LIMIT,
) -> tuple[Matrix, int]:
    """Solve A Z = right for symmetric positive definite A, each column by itself.

    `inverse` is a rough A⁻¹. Ends when every column's residual is below `goal` times
    its right-hand side, when `patience` products have not halved it, or after `most`.
    Returns the solutions and the number of products used.
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
        if left <= goal or since >= patience:
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
    kernel : Kernel, or another function of two collections
    X : collection
        The things compared with each other.
    capacity : int
        Most kernel values to keep; the others are computed again for each product.
    """

    def __init__(self, kernel: Similarity, X: Any, capacity: int) -> None:
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
    #: l + α, in directions that the landmarks do not see.
    level: float

    @classmethod
    def of(
        cls, kernel: Similarity, X: Any, roots: Vector, alpha: float, landmarks: int
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
        if not factor.any():  # they see nothing of those that count
            return cls(np.zeros((n, 0)), np.zeros(0), alpha, alpha)
        # Lengths, not their squares: the directions stay orthogonal to the last digit.
        basis, small = qr(factor, mode="economic", check_finite=False)
        turns, lengths, _ = svd(small, check_finite=False)
        solid = np.flatnonzero(lengths > 1e-13 * lengths[:1])[::-1]
        squares = lengths[solid] ** 2
        return cls(basis @ turns[:, solid], squares, alpha, float(squares[0]) + alpha)

    def __call__(self, columns: Matrix) -> Matrix:
        """Return the rough inverse times some columns."""
        inside = self.vectors.T @ columns
        gain = self.level / (self.values + self.alpha) - 1.0
        scaled = columns + self.vectors @ (gain[:, None] * inside)
        return np.asarray(scaled / self.level)

    def root(self, columns: Matrix) -> Matrix:
        """Return the symmetric square root of the rough inverse times some columns."""
        inside = self.vectors.T @ columns
        gain = np.sqrt(self.level / (self.values + self.alpha)) - 1.0
        scaled = columns + self.vectors @ (gain[:, None] * inside)
        return np.asarray(scaled / np.sqrt(self.level))

    def with_trace(self, trace: float) -> NystroemInverse:
        """Return the one whose unseen directions are right on average.

        `trace` is that of K. Of all levels this one leaves the least to be estimated
        of a determinant.
        """
        unseen = len(self.vectors) - len(self.values)
        more = max(0.0, trace - float(self.values.sum())) / max(1, unseen)
        return replace(self, level=self.alpha + more)

    @property
    def log_volume(self) -> float:
        """The logarithm of the determinant of what is inverted here."""
        unseen = len(self.vectors) - len(self.values)
        seen = float(np.log(self.values + self.alpha).sum())
        return seen + unseen * float(np.log(self.level))

    @property
    def least_product(self) -> float:
        r"""A number that no eigenvalue of P⁻½(K + αI)P⁻½ is below.

        The landmarks' view of K is at most K, so that what they do not see is at least
        α, where P has its level.
        """
        return min(1.0, self.alpha / self.level)
