"""Accelerated proximal descent: gradient steps from a point ahead of the last one."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.proximal_descent import ProximalDescent
from infimum.study.convexity.functions.oracle import Oracle
from infimum.typing import Vector

__all__ = ["AcceleratedDescent"]


@dataclass(frozen=True)
class AcceleratedDescent(ProximalDescent):
    r"""Fast iterative shrinkage (FISTA): proximal descent with momentum.

    .. math:: w_{t+1} = \operatorname{prox}_{γΩ}\bigl(v_t - γ\nabla f(v_t)\bigr), \quad
              v_{t+1} = w_{t+1} + \frac{θ_t - 1}{θ_{t+1}}(w_{t+1} - w_t), \quad
              θ_{t+1} = \tfrac12\bigl(1 + \sqrt{1 + 4θ_t^2}\bigr)

    The gap is at most :math:`2L\|w_0-w^*\|^2/(T+1)^2`, where plain proximal descent
    has 1/T: the best order that gradients allow. The values need not fall at each step.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> from infimum.penalties import Lasso
    >>> bowl = Quadratic(np.diag([1.0, 4.0]), np.array([-3.0, -0.5]))
    >>> method = AcceleratedDescent(Lasso(1.0))
    >>> method.minimize(bowl, np.zeros(2)).point.round(6).tolist()
    [2.0, 0.0]

    References
    ----------
    Nesterov (1983), Soviet Mathematics Doklady 27; Beck & Teboulle (2009), SIAM J.
    Imaging Sciences 2(1).
    """

    def minimize(self, smooth: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from `start`; the trace has the whole objective's values."""
        step, momentum = self.step_for(smooth), 1.0
        whole = Oracle(
            lambda w: smooth.value(w) + self.regularizer.value(w), smooth.gradient
        )
        log = Logbook(whole, start)
        ahead = log.point
        for _ in range(self.max_iterations):
            goal = self.regularizer.prox(ahead - step * smooth.gradient(ahead), step)
            move = goal - log.point
            log.move(step, move / step, to=goal)
            if np.linalg.norm(move) + np.linalg.norm(goal - ahead) <= self.tolerance:
                return log.close("movement")
            larger = 0.5 * (1.0 + float(np.sqrt(1.0 + 4.0 * momentum**2)))
            ahead, momentum = goal + (momentum - 1.0) / larger * move, larger
        return log.close("budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return the promise for the step 1/L; the moduli are the smooth part's."""
        inverse = (iterations + 1) ** 2
        return 2.0 * premises.smoothness * premises.distance**2 / inverse
