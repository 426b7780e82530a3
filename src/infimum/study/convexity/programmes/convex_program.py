"""A convex function to minimise under constraints."""

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, nonnegative
from infimum.study.convexity.chords import worst_chord
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.oracle import Oracle
from infimum.typing import Matrix, Vector

__all__ = ["ConvexProgram", "Multipliers"]


class Multipliers(NamedTuple):
    """Prices of the constraints: `inequality` ones are not negative, others free."""

    inequality: Vector
    equality: Vector


@dataclass(frozen=True, eq=False)
class ConvexProgram:
    r"""Minimise J(w) subject to :math:`c_i(w) \le 0` and :math:`e_j(w) = 0`.

    The problem is convex when J and all :math:`c_i` are and all :math:`e_j` are affine;
    then every local minimum is a global one. Nothing here but the solvers needs that:
    feasibility, the Lagrangian and the lower bounds of duality make sense for any
    functions (`Oracle`).

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, SquaredNorm
    >>> between = (Affine(-np.ones(1), 1.0), Affine(np.ones(1), -2.0))
    >>> program = ConvexProgram(SquaredNorm(), between)  # w²/2 for 1 ≤ w ≤ 2
    >>> program.is_feasible(np.array([1.5])), program.is_feasible(np.array([0.0]))
    (True, False)
    """

    objective: ConvexFunction
    inequalities: tuple[ConvexFunction, ...] = ()
    equalities: tuple[ConvexFunction, ...] = ()

    def constraints(self, w: Vector) -> Multipliers:
        """Return the values of the inequality and the equality constraints at w."""
        return Multipliers(
            np.array([c.value(w) for c in self.inequalities]),
            np.array([e.value(w) for e in self.equalities]),
        )

    def violation(self, w: Vector) -> float:
        """Return the largest amount by which w fails a constraint; 0 if none."""
        above, off = self.constraints(w)
        return float(max(np.max(above, initial=0.0), np.max(np.abs(off), initial=0.0)))

    def is_feasible(self, w: Vector, tolerance: float = 1e-9) -> bool:
        """Return whether w keeps every constraint up to `tolerance`."""
        check_domain("ConvexProgram.is_feasible tolerance", tolerance, nonnegative)
        return self.violation(w) <= tolerance

    def is_strictly_feasible(self, w: Vector, tolerance: float = 1e-9) -> bool:
        """Return whether w proves Slater's condition: every inequality has room."""
        above, off = self.constraints(w)
        return bool(np.all(above < 0.0) and np.all(np.abs(off) <= tolerance))

    def walled_value(self, w: Vector, tolerance: float = 1e-9) -> float:
        """Return J(w) if w is feasible and +inf if not: the constraints as walls.

        It is the supremum of the Lagrangian over all multipliers.
        """
        return self.objective.value(w) if self.is_feasible(w, tolerance) else np.inf

    def is_convex(self, points: Matrix) -> bool:
        """Return False if points show a curved equality or a chord cut by a function.

        Sampling refutes convexity, it does not prove it.
        """
        bent = (worst_chord(f, points) for f in (self.objective, *self.inequalities))
        return _all_affine(self.equalities, points) and not any(
            chord.violates for chord in bent
        )

    def lagrangian(self, multipliers: Multipliers) -> ConvexFunction:
        r"""Return :math:`J + \sum \alpha_i c_i + \sum \beta_j e_j` as a function of w.

        Terms with the multiplier 0 are left out; a negative β of an affine constraint
        keeps the sum convex.
        """
        alpha, beta = multipliers
        check_multipliers(self, multipliers)
        priced = [a * c for a, c in zip(alpha, self.inequalities, strict=True) if a > 0]
        priced += [
            _times(float(b), e) for b, e in zip(beta, self.equalities, strict=True) if b
        ]
        return reduce(add, priced, self.objective)


def check_multipliers(program: ConvexProgram, multipliers: Multipliers) -> None:
    """Raise DataError unless there is one price a constraint, none of them wrong."""
    wanted = len(program.inequalities), len(program.equalities)
    got = len(multipliers.inequality), len(multipliers.equality)
    if wanted != got:
        raise DataError(
            f"ConvexProgram has {wanted[0]} inequalities and {wanted[1]} equalities, "
            f"but {got[0]} and {got[1]} multipliers were given."
        )
    if np.min(multipliers.inequality, initial=0.0) < 0.0:
        raise DataError(
            "ConvexProgram needs non-negative multipliers of its inequalities, got "
            f"{float(np.min(multipliers.inequality)):g}."
        )


def _times(factor: float, function: ConvexFunction) -> ConvexFunction:
    if isinstance(function, Affine):
        return Affine(factor * function.slope, factor * function.constant)
    if factor > 0.0:
        return factor * function
    return Oracle(
        lambda w: factor * function.value(w), lambda w: factor * function.gradient(w)
    )


def _all_affine(functions: tuple[ConvexFunction, ...], points: Matrix) -> bool:
    # Affine means convex and concave: no chord may have room on either side.
    return not any(
        not isinstance(function, Affine)
        and (
            worst_chord(function, points).violates
            or worst_chord(lambda w, f=function: -f.value(w), points).violates  # type: ignore[misc]
        )
        for function in functions
    )
