"""Linear equalities: coefficients must solve a few equations exactly."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.parameters import check_domains
from infimum.penalties._penalty import Penalty
from infimum.typing import Matrix, Vector

__all__ = ["LinearEqualities"]

#: Equations missed by this much, relative to the sizes of their terms, are solved. No
#: more than rounding may do: huge coefficients would get away with anything.
SOLVED = 1e-14
#: Directions this far from the rows, relative to their size, still count as theirs.
ROUNDING = 1e-10


@dataclass(frozen=True)
class LinearEqualities(Penalty):
    r"""Indicator of the solutions of linear equations.

    .. math:: \Omega(w) = 0 \text{ if } A w = b, \text{ else } \infty

    `matrix` holds the rows of A and `values` is b. Left empty there is one equation,
    that the coefficients sum to 0, as contrasts and log-ratios must. With one column of
    coefficients per score, each column solves the equations.

    Examples
    --------
    >>> import numpy as np
    >>> LinearEqualities().prox(np.array([1.0, 2.0, 6.0]), 1.0)
    array([-2., -1.,  3.])
    """

    many_steps: ClassVar[bool] = True
    matrix: tuple[tuple[float, ...], ...] = ()
    values: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_domains(self)
        if len(self.matrix) != len(self.values):
            raise InvalidParameterError(
                "LinearEqualities.values must have one number per row of the matrix, "
                f"got {len(self.values)} for {len(self.matrix)} rows."
            )
        if self.matrix and np.linalg.matrix_rank(np.array(self.matrix)) < len(
            self.matrix
        ):
            raise InvalidParameterError(
                "LinearEqualities.matrix must have independent rows: leave out those "
                "that follow from others."
            )

    def value(self, w: Vector) -> float:
        A, b = self._system(w)
        size = np.abs(A) @ np.abs(w) + np.abs(b)
        return 0.0 if np.all(np.abs(A @ w - b) <= SOLVED * size) else np.inf

    def conjugate(self, v: Vector) -> float:
        if self.dual_scale(v) == 0.0:
            return np.inf
        A, b = self._system(v)
        return float((np.linalg.lstsq(A.T, v)[0] * b).sum())

    def prox(self, w: Vector, step: float | Vector) -> Vector:
        A, b = self._system(w)
        roots = np.sqrt(self._steps(w, step))
        for _ in range(2):  # the second removes the rounding of the first
            missed = np.linalg.lstsq(A * roots, A @ w - b)[0]
            w = w - (roots * missed.T).T
        return np.asarray(w)

    def stiffness(self, w: Vector, step: float | Vector) -> Matrix:
        A, _ = self._system(w)
        roots = np.sqrt(self._steps(w, step))
        mixed = (A * roots).T
        onto_rows = mixed @ np.linalg.lstsq(mixed, np.eye(len(w)))[0]
        return np.kron(onto_rows / np.outer(roots, roots), np.eye(w.size // len(w)))

    @staticmethod
    def _steps(w: Vector, step: float | Vector) -> Vector:
        return np.broadcast_to(np.ravel(step), len(w))

    def support(self, sizes: Vector, level: float) -> float:
        # Off the free directions the coefficients are what the equations say.
        A, b = self._system(sizes)
        given = np.linalg.norm(np.linalg.lstsq(A, np.ravel(b))[0])
        outputs = sizes.size / max(len(sizes), 1)
        return float(np.sqrt(outputs) * given * np.linalg.norm(sizes))

    def dual_scale(self, v: Vector) -> float:
        inside = np.abs(v - self._along(v)).max(initial=0.0)
        return 1.0 if inside <= ROUNDING * np.abs(v).max(initial=0.0) else 0.0

    def admit(self, v: Vector) -> Vector:
        return v if self.dual_scale(v) == 1.0 else self._along(v)

    def free_directions(self, features: int) -> Matrix:
        A, _ = self._system(np.zeros(features))
        return np.linalg.svd(A)[2][len(A) :].T

    def _along(self, v: Vector) -> Vector:
        """Return the part of v that is a mix of the rows."""
        A, _ = self._system(v)
        return np.asarray(A.T @ np.linalg.lstsq(A.T, v)[0])

    def _system(self, w: Vector) -> tuple[Matrix, Vector]:
        if not self.matrix:
            A, b = np.ones((1, len(w))), np.zeros(1)
        else:
            A, b = np.array(self.matrix, float), np.array(self.values, float)
        if A.shape[1] != len(w):
            raise IncompatibleError(
                f"LinearEqualities.matrix has {A.shape[1]} columns for {len(w)} "
                "coefficients; give it one column per feature."
            )
        return A, b if w.ndim == 1 else b[:, None]
