"""The conditions of Karush, Kuhn and Tucker, as a report."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.programmes.convex_program import ConvexProgram, Multipliers
from infimum.study.convexity.programmes.dual_function import dual_value
from infimum.typing import Vector

__all__ = ["KKTReport", "kkt_report"]


@dataclass(frozen=True)
class KKTReport:
    r"""How far a point and its multipliers are from optimal, condition by condition.

    Attributes
    ----------
    primal_infeasibility : float
        The largest violation of a constraint.
    dual_infeasibility : float
        The size of the most negative inequality multiplier.
    complementary_slackness : float
        The largest :math:`|\alpha_i c_i(w)|`.
    stationarity : float
        The largest entry of the gradient of the Lagrangian.
    value, lower_bound : float
        J(w), and the dual function at the multipliers (-inf when unbounded).
    """

    primal_infeasibility: float
    dual_infeasibility: float
    complementary_slackness: float
    stationarity: float
    value: float
    lower_bound: float

    @property
    def gap(self) -> float:
        """Value minus lower bound: how far a feasible w can be above the minimum."""
        return self.value - self.lower_bound

    @property
    def residuals(self) -> Vector:
        """The four residuals in the order of the fields."""
        return np.array(
            [
                self.primal_infeasibility,
                self.dual_infeasibility,
                self.complementary_slackness,
                self.stationarity,
            ]
        )

    def satisfied(self, tolerance: float = 1e-6) -> bool:
        """Return whether every residual is at most `tolerance`.

        For a convex program that makes w optimal, up to the tolerance; under Slater's
        condition every optimal w has multipliers that pass.
        """
        return bool(np.max(self.residuals) <= tolerance)

    def __str__(self) -> str:
        names = ("primal", "dual", "complementarity", "stationarity")
        shown = zip(names, self.residuals, strict=True)
        rows = [f"{name:<16}{size:.1e}" for name, size in shown]
        return "\n".join([*rows, f"{'gap':<16}{self.gap:.1e}"])


def kkt_report(
    program: ConvexProgram, w: Vector, multipliers: Multipliers
) -> KKTReport:
    """Check a point and its multipliers against the optimality conditions.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, SquaredNorm
    >>> between = (Affine(-np.ones(1), 1.0), Affine(np.ones(1), -2.0))
    >>> program = ConvexProgram(SquaredNorm(), between)
    >>> prices = Multipliers(np.array([1.0, 0.0]), np.empty(0))
    >>> report = kkt_report(program, np.ones(1), prices)
    >>> report.satisfied(), report.gap
    (True, 0.0)
    """
    alpha, beta = multipliers
    above, _ = program.constraints(w)
    clipped = Multipliers(np.maximum(alpha, 0.0), beta)
    # The gradient is taken with the multipliers as they are, negative or not.
    slope = program.objective.gradient(w)
    for price, constraint in zip(alpha, program.inequalities, strict=True):
        slope = slope + price * constraint.gradient(w)
    for price, constraint in zip(beta, program.equalities, strict=True):
        slope = slope + price * constraint.gradient(w)
    return KKTReport(
        program.violation(w),
        float(np.max(-alpha, initial=0.0)),
        float(np.max(np.abs(alpha * above), initial=0.0)),
        float(np.max(np.abs(slope), initial=0.0)),
        program.objective.value(w),
        dual_value(program, clipped, w),
    )
