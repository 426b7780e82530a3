"""Linear programs in canonical form, their duals, and the way into that form."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.study.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.study.convexity.programmes.kkt import KKTReport, kkt_report
from infimum.study.convexity.programmes.quadratic_program import QuadraticProgram
from infimum.typing import Matrix, Vector

__all__ = ["CanonicalForm", "LinearProgram", "canonical_form"]


@dataclass(frozen=True, eq=False)
class LinearProgram:
    r"""Minimise :math:`\langle c, w\rangle` subject to :math:`Aw = b` and w ≥ 0.

    >>> import numpy as np
    >>> program = LinearProgram(
    ...     np.array([1.0, 2.0]), np.ones((1, 2)), np.array([3.0])
    ... )
    >>> program.value(np.array([3.0, 0.0])), program.dual().cost.tolist()
    (3.0, [-3.0, 3.0, 0.0, 0.0])
    """

    cost: Vector
    matrix: Matrix
    target: Vector

    def __post_init__(self) -> None:
        wanted = len(self.target), len(self.cost)
        if self.matrix.shape != wanted:
            raise DataError(
                f"LinearProgram.matrix must have the shape {wanted}, "
                f"got {self.matrix.shape}."
            )

    def value(self, w: Vector) -> float:
        """Return the cost of w."""
        return float(self.cost @ w)

    @cached_property
    def quadratic(self) -> QuadraticProgram:
        """The same problem as a quadratic program without curvature."""
        size = len(self.cost)
        return QuadraticProgram(
            np.zeros((size, size)),
            self.cost,
            self.matrix,
            self.target,
            -np.eye(size),
            np.zeros(size),
        )

    @property
    def program(self) -> ConvexProgram:
        """The same problem as functions."""
        return self.quadratic.program

    def dual(self) -> "LinearProgram":
        r"""Return the dual, again in canonical form.

        The dual is to maximise :math:`\langle b, \beta\rangle` subject to
        :math:`A^\top\beta + \alpha = c`, α ≥ 0. With β split into parts without sign
        its variables are :math:`(\beta^+, \beta^-, \alpha)`, 2m + n of them, and the
        minimum of the program returned is *minus* the maximum of the dual. The dual of
        the dual is the primal: its minimum is the first one, its point
        :math:`(u^+, u^-, ...)` gives :math:`w = u^- - u^+`.
        """
        size = len(self.cost)
        return LinearProgram(
            np.concatenate([-self.target, self.target, np.zeros(size)]),
            np.hstack([self.matrix.T, -self.matrix.T, np.eye(size)]),
            self.cost,
        )

    def prices(self, dual_point: Vector) -> Multipliers:
        """Return the multipliers (α, -β) that a point of the dual program stands for.

        The sign of β is that of the Lagrangian, which adds β times Aw - b.
        """
        rows = len(self.target)
        beta = dual_point[:rows] - dual_point[rows : 2 * rows]
        return Multipliers(dual_point[2 * rows :], -beta)

    def report(self, w: Vector, multipliers: Multipliers) -> KKTReport:
        """Return the optimality conditions, α being the prices of w ≥ 0."""
        return kkt_report(self.program, w, multipliers)


class CanonicalForm(NamedTuple):
    """A canonical program and the number of variables it was made from."""

    program: LinearProgram
    size: int

    def restore(self, point: Vector) -> Vector:
        """Return the original variables, w⁺ - w⁻."""
        return np.asarray(point[: self.size] - point[self.size : 2 * self.size])


def canonical_form(cost: Vector, matrix: Matrix, target: Vector) -> CanonicalForm:
    """Put min ⟨c, w⟩ subject to Aw ≥ b, w free, into canonical form.

    The free variables are split into w = w⁺ - w⁻ and a slack is taken off each row.

    >>> import numpy as np
    >>> form = canonical_form(np.ones(1), np.ones((1, 1)), np.array([-2.0]))
    >>> form.program.matrix.tolist(), form.restore(np.array([0.0, 2.0, 0.0])).tolist()
    ([[1.0, -1.0, -1.0]], [-2.0])
    """
    rows, size = matrix.shape
    program = LinearProgram(
        np.concatenate([cost, -cost, np.zeros(rows)]),
        np.hstack([matrix, -matrix, -np.eye(rows)]),
        target,
    )
    return CanonicalForm(program, size)
