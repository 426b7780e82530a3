"""Frank-Wolfe: minimise the tangent plane over the set and go that way."""

from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import Choice, check_domains, nonnegative, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.typing import Vector

__all__ = ["ConditionalGradient"]


@dataclass(frozen=True)
class ConditionalGradient:
    r"""Conditional gradient: no projection, only the farthest point in a direction.

    .. math:: v_t = \arg\min_{v \in \Omega}\langle\nabla f(w_t), v\rangle, \quad
              w_{t+1} = w_t + \eta_t(v_t - w_t)

    The plane it minimises lies below f, so :math:`\langle\nabla f(w_t), w_t - v_t
    \rangle` bounds the distance to the minimum: the proof is a by-product. With the
    ``"open_loop"`` step 2/(t+2), or the ``"short"`` step that minimises the quadratic
    above f with the known L, the gap is at most :math:`2LD^2/(T+2)`, D the diameter.
    Every iterate is a combination of T + 1 corners: few atoms, a low rank.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic, Simplex
    >>> bowl = Quadratic(np.eye(3), np.array([-1.0, -0.5, 0.0]))
    >>> method = ConditionalGradient(Simplex(), tolerance=1e-3)
    >>> trace = method.minimize(bowl, np.ones(3) / 3)
    >>> trace.gap <= 1e-3, trace.point.round(1).tolist()
    (True, [0.8, 0.2, 0.0])

    References
    ----------
    Frank & Wolfe (1956), Naval Research Logistics 3; Jaggi (2013), ICML.
    """

    region: ConvexSet
    rule: str = field(
        default="short", metadata={"domain": Choice(("short", "open_loop"))}
    )
    tolerance: float = field(default=1e-6, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from a `start` in the set until the gap is at most the tolerance."""
        log = Logbook(function, start)
        for iteration in range(self.max_iterations):
            corner = self.region.support_point(-log.gradient)
            direction = corner - log.point
            drop = -float(log.gradient @ direction)
            log.prove(log.value - drop)
            if log.gap <= self.tolerance:
                return log.close("gap")
            step = self._step(function, drop, direction, iteration)
            if not log.move(step, direction):
                return log.close("stalled")
        corner = self.region.support_point(-log.gradient)
        log.prove(log.value + float(log.gradient @ (corner - log.point)))
        return log.close("gap" if log.gap <= self.tolerance else "budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return 2LD²/(T+2), which also the best of the proven gaps keeps up to 27/8.

        It holds from the first iteration on; at the start the gap itself is the bound.
        """
        if iterations == 0:
            return premises.gap
        return 2.0 * premises.smoothness * premises.diameter**2 / (iterations + 2)

    def _step(
        self, function: ConvexFunction, drop: float, direction: Vector, iteration: int
    ) -> float:
        smooth = 0.0 < function.smoothness < np.inf
        if self.rule == "open_loop" or not smooth:
            return 2.0 / (iteration + 2.0)
        return min(1.0, drop / (function.smoothness * float(direction @ direction)))
