"""Quadratic functions, where every statement about convexity can be computed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

from infimum.errors import DataError, IncompatibleError
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["Quadratic"]


@dataclass(frozen=True, eq=False)
class Quadratic(ConvexFunction):
    r"""A bowl: :math:`f(x) = \tfrac12 x^\top A x + \langle b, x\rangle + c`.

    `matrix` is symmetric positive semi-definite. The moduli are its extreme
    eigenvalues and the minimiser solves :math:`A x = -b`.

    >>> import numpy as np
    >>> bowl = Quadratic(np.diag([1.0, 4.0]), np.array([-1.0, -4.0]))
    >>> bowl.strong_convexity, bowl.smoothness, bowl.minimizer.tolist()
    (1.0, 4.0, [1.0, 1.0])
    """

    matrix: Matrix
    slope: Vector | None = None
    constant: float = 0.0

    def __post_init__(self) -> None:
        # Symmetry is asked up to the rounding of a product such as X.T @ X.
        scale = float(np.max(np.abs(self.matrix), initial=0.0))
        allowance = 64 * len(self.matrix) * np.finfo(float).eps * scale
        if np.max(np.abs(self.matrix - self.matrix.T), initial=0.0) > allowance:
            raise DataError("Quadratic.matrix must be symmetric; pass (A + A.T) / 2.")
        if self._spectrum[0] < -allowance:
            raise DataError(
                "Quadratic.matrix must be positive semi-definite, "
                f"its smallest eigenvalue is {self._spectrum[0]:.3g}."
            )

    def value(self, x: Vector) -> float:
        return float((0.5 * (self.matrix @ x) + self._slope) @ x) + self.constant

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.matrix @ x + self._slope)

    def hessian(self, x: Vector) -> Matrix:
        return np.array(self.matrix, dtype=float)

    def conjugate(self) -> ConvexFunction:
        inverse = scipy.linalg.inv(self._definite())
        centre = inverse @ self._slope
        constant = 0.5 * float(self._slope @ centre) - self.constant
        return Quadratic(0.5 * (inverse + inverse.T), -centre, constant)

    @property
    def strong_convexity(self) -> float:
        return max(float(self._spectrum[0]), 0.0)

    @property
    def smoothness(self) -> float:
        return max(float(self._spectrum[-1]), 0.0)

    @property
    def minimizer(self) -> Vector:
        """The point where the gradient vanishes; the matrix must be definite."""
        return np.asarray(
            scipy.linalg.solve(self._definite(), -self._slope, assume_a="pos")
        )

    @cached_property
    def _slope(self) -> Vector:
        return np.zeros(len(self.matrix)) if self.slope is None else self.slope

    @cached_property
    def _spectrum(self) -> Vector:
        return np.asarray(np.linalg.eigvalsh(self.matrix))

    def _definite(self) -> Matrix:
        floor = len(self.matrix) * np.finfo(float).eps * self._spectrum[-1]
        if self._spectrum[0] <= floor:
            raise IncompatibleError(
                "Quadratic with a singular matrix has no unique minimiser and no "
                "quadratic conjugate; add a multiple of the identity."
            )
        return self.matrix
