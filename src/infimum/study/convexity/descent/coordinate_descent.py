"""Coordinate descent: one variable at a time."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import Choice, check_domains, nonnegative, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.step_rules import ExactStep, Situation
from infimum.typing import Vector

__all__ = ["CoordinateMethod"]


@dataclass(frozen=True)
class CoordinateMethod:
    """Minimise along one axis, then along another; either sense of the axis.

    ``"cyclic"`` takes the axes in turn, ``"greedy"`` the one that lowers the value
    most. On a quadratic a cycle is a Gauss-Seidel sweep. Converges when the gradient is
    Lipschitz; cheap and good where the variables hardly interact.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> bowl = Quadratic(np.diag([1.0, 100.0]), np.array([-1.0, -100.0]))
    >>> trace = CoordinateMethod().minimize(bowl, np.zeros(2))
    >>> trace.point.tolist(), trace.iterations
    ([1.0, 1.0], 2)
    """

    order: str = field(
        default="cyclic", metadata={"domain": Choice(("cyclic", "greedy"))}
    )
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from `start`, one coordinate an iteration; return the trace."""
        log = Logbook(function, start)
        for iteration in range(self.max_iterations):
            if np.linalg.norm(log.gradient) <= self.tolerance:
                return log.close("gradient")
            if self.order == "greedy":
                axis, step = _greediest(function, log.point, log.gradient)
            else:
                axis = iteration % log.point.size
                step = _along_axis(function, log.point, log.gradient, axis)
            log.move(step, _unit(axis, log.point.size))
        short = np.linalg.norm(log.gradient) <= self.tolerance
        return log.close("gradient" if short else "budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return the promise for an L-smooth, σ-strongly convex function.

        The best axis pays at least :math:`\max_i g_i^2/2L \ge \|g\|^2/2dL`. A cycle
        that moves by s pays :math:`\frac\sigma2\|s\|^2` and ends with a gradient of at
        most :math:`\sqrt d\,L\|s\|`, so it leaves :math:`κ^2d/(1+κ^2d)` of the gap.
        """
        if not np.isfinite(premises.condition):
            return np.inf
        if self.order == "greedy":
            share = 1.0 - 1.0 / (premises.dimension * premises.condition)
            return float(premises.gap * share**iterations)
        stiffness = premises.condition**2 * premises.dimension
        share = stiffness / (1.0 + stiffness)
        return float(premises.gap * share ** (iterations // premises.dimension))


def _greediest(
    function: ConvexFunction, point: Vector, gradient: Vector
) -> tuple[int, float]:
    axes = range(point.size)
    steps = [_along_axis(function, point, gradient, axis) for axis in axes]
    values = [
        function.value(point + step * _unit(axis, point.size))
        for axis, step in zip(axes, steps, strict=True)
    ]
    gains = function.value(point) - np.array(values)
    if np.max(gains) <= 8.0 * np.finfo(float).eps * np.max(np.abs(values)):
        # Values no longer tell the axes apart; slope times step, twice the gain of
        # a parabola, still does.
        gains = np.abs(gradient * np.array(steps))
    best = int(np.argmax(gains))
    return best, steps[best]


def _along_axis(
    function: ConvexFunction, point: Vector, gradient: Vector, axis: int
) -> float:
    """Return the signed step along an axis to the minimum on it."""
    sense = -float(np.sign(gradient[axis]))
    if sense == 0.0:
        return 0.0
    direction = sense * _unit(axis, point.size)
    return sense * ExactStep()(Situation(function, point, gradient, direction, 1))


def _unit(axis: int, size: int) -> Vector:
    return np.where(np.arange(size) == axis, 1.0, 0.0)
