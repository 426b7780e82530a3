"""Proximal descent: gradient steps on the smooth part, shrinkage for the rest."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from infimum.errors import IncompatibleError
from infimum.parameters import check_domain, check_domains, nonnegative, positive, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.functions.oracle import Oracle
from infimum.typing import Vector

__all__ = ["ProximalDescent", "Regularizer"]


class Regularizer(Protocol):
    """A convex function with an easy proximal step: every penalty is one."""

    def value(self, w: Vector) -> float:
        """Return Ω(w)."""

    def prox(self, w: Vector, step: float) -> Vector:
        """Return the minimiser over u of ‖u - w‖²/(2·step) + Ω(u)."""


@dataclass(frozen=True)
class ProximalDescent:
    r"""Iterative shrinkage (ISTA): descend along the smooth part, then shrink.

    .. math:: w_{t+1} = \operatorname{prox}_{γΩ}\bigl(w_t - γ\nabla f(w_t)\bigr)

    minimises f + Ω for smooth f. With Ω = λ‖·‖₁ the proximal step is soft thresholding
    at γλ, and many coordinates end at exactly 0. With the step 1/L, which None asks
    for, the objective never increases. The run ends when a step moves the point by no
    more than `tolerance` (reason ``"movement"``) or after `max_iterations`.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> from infimum.penalties import Lasso
    >>> bowl = Quadratic(np.diag([1.0, 4.0]), np.array([-3.0, -0.5]))
    >>> ProximalDescent(Lasso(1.0)).minimize(bowl, np.zeros(2)).point.round(6).tolist()
    [2.0, 0.0]

    References
    ----------
    Daubechies, Defrise & De Mol (2004), Communications on Pure and Applied
    Mathematics 57(11).
    """

    regularizer: Regularizer
    step: float | None = None
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)
        if self.step is not None:
            check_domain("ProximalDescent.step", self.step, positive)

    def minimize(self, smooth: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from `start`; the trace has the whole objective's values.

        Its gradients are those of the smooth part.
        """
        step = self.step_for(smooth)
        log = Logbook(
            Oracle(
                lambda w: smooth.value(w) + self.regularizer.value(w), smooth.gradient
            ),
            start,
        )
        for _ in range(self.max_iterations):
            target = self.regularizer.prox(log.point - step * log.gradient, step)
            move = float(np.linalg.norm(target - log.point))
            log.move(step, (target - log.point) / step, to=target)
            if move <= self.tolerance:
                return log.close("movement")
        return log.close("budget")

    def bound(self, iterations: int, premises: Premises) -> float:
        r"""Return the promise for the step 1/L; the moduli are the smooth part's.

        It is the lesser of :math:`L\|w_0-w^*\|^2/2T` and :math:`(1-\sigma/L)^T` of the
        gap of the whole objective.
        """
        linear = premises.gap * (1.0 - 1.0 / premises.condition) ** iterations
        slow = premises.smoothness * premises.distance**2 / (2.0 * max(iterations, 1))
        return float(min(linear, slow))

    def step_for(self, smooth: ConvexFunction) -> float:
        """Return the given step, or 1/L for an L-smooth function."""
        if self.step is not None:
            return self.step
        if not 0.0 < smooth.smoothness < np.inf:
            raise IncompatibleError(
                f"ProximalDescent cannot take the step 1/L: {type(smooth).__name__} "
                f"has the smoothness {smooth.smoothness:g}; pass a step."
            )
        return 1.0 / smooth.smoothness
