"""Quadratic programs, and the linear system that solves one with equalities only."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.linalg

from infimum.errors import DataError, IncompatibleError
from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.oracle import Oracle
from infimum.study.convexity.functions.quadratic import Quadratic
from infimum.study.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.typing import Indices, Matrix, Vector

__all__ = ["QuadraticProgram"]


def _none() -> Matrix:
    return np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    r"""Minimise :math:`\tfrac12 w^\top G w + \langle d, w\rangle` over a polyhedron.

    .. math:: A w = b, \qquad C w \le h

    Convex when `hessian` G is positive semi-definite (`PathFollowing` and `ActiveSet`
    need that). With equalities only, one linear system gives point and prices, even for
    an indefinite G that is definite along the constraints (`is_unique`).

    >>> import numpy as np
    >>> program = QuadraticProgram(
    ...     2.0 * np.eye(2), np.zeros(2), np.ones((1, 2)), np.ones(1)
    ... )
    >>> w, prices = program.solve_equalities()
    >>> w.tolist(), prices.equality.tolist()
    ([0.5, 0.5], [-1.0])
    """

    hessian: Matrix
    slope: Vector
    equality_matrix: Matrix = field(default_factory=_none)
    equality_target: Vector = field(default_factory=lambda: np.empty(0))
    inequality_matrix: Matrix = field(default_factory=_none)
    inequality_limit: Vector = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        size = len(self.slope)
        for kind, limit in (("equality", "target"), ("inequality", "limit")):
            matrix = getattr(self, f"{kind}_matrix")
            if matrix.size == 0:
                object.__setattr__(self, f"{kind}_matrix", np.empty((0, size)))
            shape = getattr(self, f"{kind}_matrix").shape
            rows = len(getattr(self, f"{kind}_{limit}"))
            if shape != (rows, size):
                raise DataError(
                    f"QuadraticProgram.{kind}_matrix must have the shape "
                    f"({rows}, {size}), got {shape}."
                )

    def value(self, w: Vector) -> float:
        """Return the objective at w."""
        return float((0.5 * (self.hessian @ w) + self.slope) @ w)

    @cached_property
    def program(self) -> ConvexProgram:
        """The same problem as functions, for feasibility, Lagrangian and report."""
        return ConvexProgram(
            self._objective(),
            _planes(self.inequality_matrix, self.inequality_limit),
            _planes(self.equality_matrix, self.equality_target),
        )

    def active_set(self, w: Vector, tolerance: float = 1e-9) -> Indices:
        """Return the positions of the inequalities that hold with equality at w."""
        room = self.inequality_limit - self.inequality_matrix @ w
        return np.flatnonzero(np.abs(room) <= tolerance)

    @property
    def kkt_matrix(self) -> Matrix:
        """The matrix [[G, Aᵀ], [A, 0]] of the optimality conditions."""
        rows = len(self.equality_target)
        return np.block(
            [
                [self.hessian, self.equality_matrix.T],
                [self.equality_matrix, np.zeros((rows, rows))],
            ]
        )

    @property
    def reduced_hessian(self) -> Matrix:
        """ZᵀGZ, with the columns of Z an orthonormal basis of the null space of A."""
        if len(self.equality_target) == 0:
            return self.hessian
        basis = scipy.linalg.null_space(self.equality_matrix)
        return np.asarray(basis.T @ self.hessian @ basis)

    @property
    def is_unique(self) -> bool:
        """Whether A has full row rank and ZᵀGZ is positive definite.

        Then the `kkt_matrix` is regular and its solution the only minimiser on Aw = b.
        """
        rows, reduced = len(self.equality_target), self.reduced_hessian
        if rows and np.linalg.matrix_rank(self.equality_matrix) < rows:
            return False
        spectrum = np.linalg.eigvalsh(reduced) if reduced.size else np.ones(1)
        noise = len(self.slope) * np.finfo(float).eps
        return bool(spectrum[0] > noise * max(np.max(np.abs(spectrum)), 1e-300))

    def solve_equalities(self) -> tuple[Vector, Multipliers]:
        """Return minimiser and multipliers of the program without its inequalities."""
        if not self.is_unique:
            raise IncompatibleError(
                "QuadraticProgram has no unique minimiser on its equalities: the rows "
                "of equality_matrix are dependent or the Hessian is not positive "
                "definite along them."
            )
        target = np.concatenate([-self.slope, self.equality_target])
        both = scipy.linalg.solve(self.kkt_matrix, target)
        size = len(self.slope)
        return both[:size], Multipliers(np.empty(0), both[size:])

    def _objective(self) -> Quadratic | Oracle:
        if np.linalg.eigvalsh(self.hessian)[0] >= -1e-12 * np.max(np.abs(self.hessian)):
            return Quadratic(self.hessian, self.slope)
        return Oracle(
            self.value, lambda w: self.hessian @ w + self.slope, lambda _: self.hessian
        )


def _planes(matrix: Matrix, limit: Vector) -> tuple[Affine, ...]:
    pairs = zip(matrix, limit, strict=True)
    return tuple(Affine(row, -float(height)) for row, height in pairs)
