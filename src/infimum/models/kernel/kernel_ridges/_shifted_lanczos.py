"""Systems (A + αI) z = b for every strength α at once, from one Krylov space."""

from __future__ import annotations

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["KrylovSpace"]

#: Vectors there is room for at first.
FEW = 64
#: A new direction this short, relative to the product it is a part of, is rounding.
ROUNDING = 1e-13


class KrylovSpace:
    r"""The vectors b, Ab, A²b, … made orthonormal, in which A is tridiagonal.

    .. math:: V^\top A V = T, \qquad z(α) = \|b\|\, V (T + αI)^{-1} e_1

    A shift does not change the space, so that one product with A is a step for all
    strengths. What is left of the residual is known without forming z:

    .. math:: \frac{\|b - (A + αI) z\|}{\|b\|} = \prod_j \frac{t_{j+1,j}}{p_j}

    where p are the pivots of T + αI.

    Parameters
    ----------
    right : array of shape (n,)
        b.
    least : float
        The smallest strength, whose residual is the last to vanish.

    References
    ----------
    Lanczos (1950), J. Research of the National Bureau of Standards 45. Frommer & Maass
    (1999), SIAM J. Scientific Computing 20, for the shifts.
    """

    def __init__(self, right: Vector, least: float) -> None:
        self.length, self.least = float(np.linalg.norm(right)), least
        self.vectors: Matrix = np.empty((FEW, len(right)))
        self.vectors[0] = right / self.length if self.length else 0.0
        self.along: list[float] = []
        self.beside: list[float] = []
        #: The relative residual at the smallest strength.
        self.left = 1.0 if self.length else 0.0
        #: Whether A + αI has turned out to be positive definite so far.
        self.definite = True
        self._pivot = np.inf

    @property
    def size(self) -> int:
        """How many vectors have been multiplied by A."""
        return len(self.along)

    @property
    def newest(self) -> Vector:
        """The vector whose product with A comes next."""
        found: Vector = self.vectors[self.size]
        return found

    def extend(self, product: Vector) -> None:
        """Learn the product of A with the newest vector."""
        size, v = self.size, self.newest
        own = float(v @ product)
        rest = product - own * v
        if size:
            rest -= self.beside[-1] * self.vectors[size - 1]
        # In exact arithmetic this changes nothing.
        known = self.vectors[: size + 1]
        rest -= (known @ rest) @ known
        length = float(np.linalg.norm(rest))
        if length <= ROUNDING * float(np.linalg.norm(product)):
            length = 0.0
        self._advance(own, length)
        if size + 1 == len(self.vectors):
            more = np.empty_like(self.vectors)
            self.vectors = np.concatenate([self.vectors, more])
        self.vectors[size + 1] = rest / length if length else 0.0

    def _advance(self, own: float, length: float) -> None:
        before = self.beside[-1] ** 2 / self._pivot if self.beside else 0.0
        self._pivot = own + self.least - before
        self.definite = self.definite and self._pivot > 0
        self.left *= length / self._pivot if self.definite else 1.0
        self.along.append(own)
        self.beside.append(length)

    def weights(self, alphas: Vector) -> Matrix:
        """Return what z is made of: one weight per vector (row) and strength."""
        size = self.size
        pivots, out = np.empty((size, len(alphas))), np.zeros((size, len(alphas)))
        for j in range(size):
            pivots[j], out[j] = self.along[j] + alphas, self.length
            if j:
                slope = self.beside[j - 1] / pivots[j - 1]
                pivots[j] -= slope * self.beside[j - 1]
                out[j] = -slope * out[j - 1]
        for j in range(size - 1, -1, -1):
            if j < size - 1:
                out[j] -= self.beside[j] * out[j + 1]
            out[j] /= pivots[j]
        return out

    def solution(self, alpha: float) -> Vector:
        """Return z for one strength, none smaller than the least."""
        found: Vector = self.solutions(np.array([alpha]))[0]
        return found

    def solutions(self, alphas: Vector) -> Matrix:
        """Return z for several strengths, a row for each."""
        return np.asarray(self.weights(alphas).T @ self.vectors[: self.size])
