"""The concave-convex procedure under constraints that are differences themselves."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domains, nonnegative, whole
from infimum.study.convexity.concave_convex.difference import DifferenceOfConvex
from infimum.study.convexity.descent.trace import Trace
from infimum.study.convexity.programmes.barrier import BarrierMethod
from infimum.study.convexity.programmes.convex_program import ConvexProgram
from infimum.typing import Vector

__all__ = ["ConstrainedConcaveConvex"]


@dataclass(frozen=True)
class ConstrainedConcaveConvex:
    r"""Minimise f₀ - g₀ subject to :math:`f_i - g_i \le c_i`, by tangents of every g.

    .. math:: w_{t+1} = \arg\min_w f_0(w) - \hat g_0(w) \quad\text{subject to}\quad
              f_i(w) - \hat g_i(w) \le c_i, \qquad
              \hat g_i(w) = g_i(w_t) + \langle\nabla g_i(w_t), w - w_t\rangle

    The convex set of the step lies within the true one and contains the last point, so
    every iterate is feasible and the value never rises. The steps are solved by
    `BarrierMethod`; each needs a point with room in all inequalities.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine, DifferenceOfConvex, SquaredNorm
    >>> distance = DifferenceOfConvex(SquaredNorm(), Affine(np.array([0.5, 0.0])))
    >>> outside = DifferenceOfConvex(Affine(np.zeros(2)), 2.0 * SquaredNorm())
    >>> method = ConstrainedConcaveConvex()  # nearest to (0.5, 0) with |w| ≥ 1
    >>> trace = method.minimize(distance, [(outside, -1.0)], np.array([1.0, 1.5]))
    >>> trace.point.round(3).tolist()
    [1.0, 0.0]

    References
    ----------
    Smola, Vishwanathan & Hofmann (2005), AISTATS.
    """

    tolerance: float = field(default=1e-6, metadata={"domain": nonnegative})
    max_iterations: int = field(default=100, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(
        self,
        objective: DifferenceOfConvex,
        constraints: Sequence[tuple[DifferenceOfConvex, float]],
        start: Vector,
    ) -> Trace:
        """Descend from a feasible `start` until a step is within the tolerance."""
        began, point = perf_counter(), np.array(start, dtype=float)
        worst = max(part.value(point) - limit for part, limit in constraints)
        if worst > 1e-9:
            raise DataError(
                "ConstrainedConcaveConvex needs a feasible start; this one violates a "
                f"constraint by {worst:.3g}."
            )
        rows, reason = [(point, objective.value(point), 0.0)], "budget"
        for _ in range(self.max_iterations):
            program = self.model(objective, constraints, point)
            following = BarrierMethod().solve(program, point).point
            value = objective.value(following)
            if value > rows[-1][1]:  # no lower but for the precision of the step
                reason = "stalled"
                break
            rows.append((following, value, perf_counter() - began))
            move, point = float(np.linalg.norm(following - point)), following
            if move <= self.tolerance:
                reason = "movement"
                break
        points, values, seconds = (np.array(c) for c in zip(*rows, strict=True))
        return Trace(points, values, seconds=seconds, reason=reason)

    @staticmethod
    def model(
        objective: DifferenceOfConvex,
        constraints: Sequence[tuple[DifferenceOfConvex, float]],
        point: Vector,
    ) -> ConvexProgram:
        """Return the convex program of a step from a point."""
        walls = tuple(part.majorant(point) - limit for part, limit in constraints)
        return ConvexProgram(objective.majorant(point), walls)
