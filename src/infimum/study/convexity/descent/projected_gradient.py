"""Projected gradient: step, then come back to the set."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import IncompatibleError
from infimum.parameters import check_domain, check_domains, nonnegative, positive, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.inequalities import optimality_slack
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["ProjectedGradient", "projected_gradient", "prove_on"]


def projected_gradient(
    function: ConvexFunction, point: Vector, region: ConvexSet
) -> Vector:
    """Return P(w - ∇f(w)) - w, which is zero exactly at the constrained minimisers.

    >>> import numpy as np
    >>> from infimum.study.convexity import Box, SquaredNorm
    >>> box = Box(np.ones(1), np.full(1, 2.0))
    >>> projected_gradient(SquaredNorm(), np.ones(1), box).tolist()
    [0.0]
    """
    return np.asarray(region.project(point - function.gradient(point)) - point)


@dataclass(frozen=True)
class ProjectedGradient:
    r"""Gradient descent on a set: :math:`w_{t+1} = P(w_t - \eta\nabla f(w_t))`.

    With the step 1/L, which None asks for, the rates of gradient descent are kept: the
    gap shrinks by 1 - σ/L a step, and like :math:`L\|w_0-w^*\|^2/2T` without strong
    convexity. Of a function without known smoothness the step is halved until the
    quadratic above the tangent plane covers the function. Stops when the
    `projected_gradient` is no longer than the tolerance. On a bounded set with a known
    reach the trace has a proven gap.

    >>> import numpy as np
    >>> from infimum.study.convexity import Box, SquaredNorm
    >>> between = Box(np.ones(1), np.full(1, 2.0))
    >>> trace = ProjectedGradient(between).minimize(SquaredNorm(), np.full(1, 1.7))
    >>> trace.point.tolist(), trace.gap
    ([1.0], 0.0)
    """

    region: ConvexSet
    step: float | None = None
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)
        if self.step is not None:
            check_domain("ProjectedGradient.step", self.step, positive)

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from the projection of `start` and return the trace."""
        log = Logbook(function, self.region.project(np.asarray(start, dtype=float)))
        step = self.step or _first_step(function)
        for _ in range(self.max_iterations):
            prove_on(log, self.region)
            if _short(log, self.region, self.tolerance):
                return log.close("gradient")
            step, goal = self._next(function, log, step)
            if not log.move(step, (goal - log.point) / step, to=goal):
                return log.close("stalled")
        prove_on(log, self.region)
        short = _short(log, self.region, self.tolerance)
        return log.close("gradient" if short else "budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise for the step 1/L."""
        share = 1.0 - 1.0 / premises.condition
        linear = premises.gap * share**iterations
        slow = premises.smoothness * premises.distance**2 / (2.0 * max(iterations, 1))
        return float(min(linear, slow))

    def _next(
        self, function: ConvexFunction, log: Logbook, step: float
    ) -> tuple[float, Vector]:
        while step > np.finfo(float).tiny:
            goal = self.region.project(log.point - step * log.gradient)
            if self.step is not None or np.isfinite(function.smoothness):
                return step, goal
            move = goal - log.point
            above = log.value + float(log.gradient @ move) + move @ move / (2.0 * step)
            # Values closer than their own rounding cannot be told apart.
            noise = 4.0 * float(np.finfo(float).eps) * abs(log.value)
            if function.value(goal) <= above + noise:
                return step, goal
            step *= 0.5
        return step, log.point


def prove_on(log: Logbook, region: ConvexSet) -> None:
    """Note the lower bound of the tangent plane on the set, if its reach is known."""
    try:
        slack = optimality_slack(log.function, log.point, region)
    except IncompatibleError:
        return
    if np.isfinite(slack):
        log.prove(log.value + slack)


def _first_step(function: ConvexFunction) -> float:
    return 1.0 / function.smoothness if 0.0 < function.smoothness < np.inf else 1.0


def _short(log: Logbook, region: ConvexSet, tolerance: float) -> bool:
    move = region.project(log.point - log.gradient) - log.point
    return bool(np.linalg.norm(move) <= tolerance)
