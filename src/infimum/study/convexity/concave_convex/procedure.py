"""The concave-convex procedure: minimise from above, again and again."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from infimum.errors import IncompatibleError
from infimum.parameters import check_domains, nonnegative, whole
from infimum.study.convexity.concave_convex.difference import DifferenceOfConvex
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.quasi_newton import BFGS
from infimum.study.convexity.descent.trace import Trace
from infimum.typing import Vector

__all__ = ["ConcaveConvexProcedure"]

#: Given ∇g(w), return the w at which f(w) - ⟨∇g, w⟩ is least.
Inner = Callable[[Vector], Vector]


@dataclass(frozen=True)
class ConcaveConvexProcedure:
    r"""Minimise f - g by replacing g with its tangent plane, repeatedly.

    .. math:: w_{t+1} = \arg\min_w f(w) - \langle\nabla g(w_t), w\rangle, \quad
              \text{that is}\quad \nabla f(w_{t+1}) = \nabla g(w_t)

    The value never rises, and a point that stays is stationary: ∇f = ∇g there, which a
    saddle point satisfies too. No gap is proved, as the problem is not convex. Near a
    fixed point errors shrink by the factor `DifferenceOfConvex.rate` a step.

    `inner` solves the convex step; by default it is the gradient of f's conjugate where
    there is a formula, and else BFGS from the last point.

    >>> import numpy as np
    >>> from infimum.study.convexity import DifferenceOfConvex, Quadratic, Softplus
    >>> toy = DifferenceOfConvex(Quadratic(np.eye(1)), 4.0 * Softplus())
    >>> trace = ConcaveConvexProcedure().minimize(toy, np.zeros(1))
    >>> bool(np.all(np.diff(trace.values) <= 1e-12)), trace.reason
    (True, 'movement')

    References
    ----------
    Yuille & Rangarajan (2003), Neural Computation 15.
    """

    inner: Inner | None = None
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, function: DifferenceOfConvex, start: Vector) -> Trace:
        """Descend from `start` until a step is no longer than the tolerance."""
        began, point = perf_counter(), np.array(start, dtype=float)
        rows = [(point, function.value(point), 0.0)]
        reason = "budget"
        for _ in range(self.max_iterations):
            following = self._solve(function, point)
            value = function.value(following)
            rows.append((following, value, perf_counter() - began))
            move, point = float(np.linalg.norm(following - point)), following
            if move <= self.tolerance:
                reason = "movement"
                break
        points, values, seconds = (np.array(c) for c in zip(*rows, strict=True))
        return Trace(points, values, seconds=seconds, reason=reason)

    def bound(self, iterations: int, gap: float) -> float:
        r"""Return :math:`\mathrm{gap}/T`: the least of the first T steps pays no more.

        `gap` is the value at the start minus any lower bound of J. A step pays the
        divergence of g between its ends at least, so the shortest one is that short.
        """
        return gap / max(iterations, 1)

    def _solve(self, function: DifferenceOfConvex, point: Vector) -> Vector:
        slope = function.subtracted.gradient(point)
        if self.inner is not None:
            return self.inner(slope)
        mirror = _conjugate(function.convex)
        if mirror is not None:
            return mirror.gradient(slope)
        method = BFGS(tolerance=0.1 * self.tolerance)
        return method.minimize(function.majorant(point), point).best_point


def _conjugate(function: ConvexFunction) -> ConvexFunction | None:
    try:
        return function.conjugate()
    except IncompatibleError:
        return None
