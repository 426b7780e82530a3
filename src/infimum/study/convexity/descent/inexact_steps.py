"""Steps that are good enough: the conditions of Armijo, Wolfe and Grippo."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import opened, positive, whole
from infimum.study.convexity.descent.step_rules import Situation, StepRule

__all__ = [
    "ArmijoStep",
    "DampedStep",
    "NonmonotoneStep",
    "StrongWolfeStep",
    "WolfeStep",
]

_DOUBLINGS = 100


@dataclass(frozen=True)
class ArmijoStep(StepRule):
    r"""Backtracking: shrink the step until the decrease is sufficient.

    .. math:: f(w_+) \le f(w) + c_1 \langle \nabla f(w), w_+ - w\rangle
    """

    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    shrink: float = field(default=0.5, metadata={"domain": opened(0, 1)})
    first: float = field(default=1.0, metadata={"domain": positive})

    def __call__(self, at: Situation) -> float:
        return self._backtrack(at, at.function.value(at.point))

    def payment(self, smoothness: float) -> float:
        # A step of 2(1 - c)/L passes, so the accepted one is at least a shrink below.
        sure = 2.0 * self.shrink * (1.0 - self.decrease) / smoothness
        return self.decrease * min(self.first, sure)

    def _backtrack(self, at: Situation, ceiling: float) -> float:
        step = self.first
        while not _decreases(at, ceiling, step, self.decrease):
            step *= self.shrink
        return step


@dataclass(frozen=True)
class NonmonotoneStep(ArmijoStep):
    r"""Backtracking against the largest of the last few values.

    .. math:: f(w_+) \le \max_{j < \text{window}} f(w_{t-j})
              + c_1 \langle \nabla f(w), w_+ - w\rangle

    Single values may rise, so that good long steps are not refused in a narrow valley;
    the largest of the window falls. A window of 1 is `ArmijoStep`.

    References
    ----------
    Grippo, Lampariello & Lucidi (1986), SIAM J. Numerical Analysis 23(4).

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic, Situation
    >>> bowl, point = Quadratic(np.eye(1)), np.ones(1)
    >>> here = Situation(bowl, point, point, -2.5 * point, 3, recent=(2.0, 0.5))
    >>> NonmonotoneStep()(here), ArmijoStep()(here)
    (1.0, 0.5)
    """

    window: int = field(default=10, metadata={"domain": whole(1)})

    def __call__(self, at: Situation) -> float:
        value = at.function.value(at.point)
        return self._backtrack(at, max(value, *at.recent[-self.window :], -np.inf))

    def payment(self, smoothness: float) -> float:
        return super().payment(smoothness) if self.window == 1 else 0.0


@dataclass(frozen=True)
class DampedStep(StepRule):
    r"""The step 1/(1 + λ) of a Newton direction, λ the Newton decrement.

    With :math:`\lambda^2 = \nabla f(w)^\top\nabla^2 f(w)^{-1}\nabla f(w)`, minus the
    slope along the direction. A self-concordant function falls by at least
    :math:`\lambda - \log(1 + \lambda)`, and the step never leaves its domain.
    """

    def __call__(self, at: Situation) -> float:
        return 1.0 / (1.0 + float(np.sqrt(max(-at.slope, 0.0))))


@dataclass(frozen=True)
class WolfeStep(StepRule):
    r"""A step with sufficient decrease that also flattens the slope.

    .. math:: f(w_+) \le f(w) + c_1 \langle \nabla f(w), w_+ - w\rangle, \quad
              \langle \nabla f(w_+), w_+ - w\rangle
              \ge c_2 \langle \nabla f(w), w_+ - w\rangle

    with 0 < c₁ < c₂ < 1. Steps double until the first condition fails, then the
    interval between the last success and the failure is halved.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic, Situation
    >>> bowl, point = Quadratic(100.0 * np.eye(1)), np.ones(1)
    >>> gradient = bowl.gradient(point)
    >>> WolfeStep()(Situation(bowl, point, gradient, -gradient, 1))
    0.015625
    """

    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    curvature: float = field(default=0.9, metadata={"domain": opened(0, 1)})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.decrease >= self.curvature:
            raise InvalidParameterError(
                "WolfeStep.decrease must be below WolfeStep.curvature, "
                f"got {self.decrease:g} and {self.curvature:g}."
            )

    def payment(self, smoothness: float) -> float:
        return self.decrease * (1.0 - self.curvature) / smoothness

    def __call__(self, at: Situation) -> float:
        value, wanted = at.function.value(at.point), self.curvature * at.slope
        low, high, step = 0.0, np.inf, 1.0
        for _ in range(_DOUBLINGS):
            if not _decreases(at, value, step, self.decrease):
                high = step
            elif (
                slope := at.function.gradient(at.ahead(step)) @ at.direction
            ) < wanted:
                low = step
            elif self._too_steep(float(slope), wanted):
                high = step
            else:
                return step
            step = 2.0 * step if high == np.inf else 0.5 * (low + high)
        if high == np.inf:
            raise DataError(
                f"WolfeStep still descends at {step:.3g} along the direction; "
                "the function may be unbounded below there."
            )
        return low  # rounding has closed the interval

    def _too_steep(self, slope: float, wanted: float) -> bool:
        """Return whether the slope ahead rises more than the rule allows."""
        return False


@dataclass(frozen=True)
class StrongWolfeStep(WolfeStep):
    r"""A Wolfe step at which the slope is small in either sense.

    .. math:: |\langle \nabla f(w_+), w_+ - w\rangle|
              \le c_2 |\langle \nabla f(w), w_+ - w\rangle|

    The smaller c₂, the nearer to the exact step; methods of conjugate gradients need a
    c₂ below 1/2.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic, Situation
    >>> bowl, point = Quadratic(np.eye(1)), np.ones(1)
    >>> here = Situation(bowl, point, point, -1.9 * point, 1)
    >>> WolfeStep(curvature=0.1)(here), StrongWolfeStep(curvature=0.1)(here)
    (1.0, 0.5)
    """

    def _too_steep(self, slope: float, wanted: float) -> bool:
        return slope > -wanted


def _decreases(at: Situation, value: float, step: float, decrease: float) -> bool:
    # Values closer than their own rounding cannot be told apart.
    allowance = 4.0 * float(np.finfo(float).eps) * abs(value)
    ceiling = value + decrease * step * at.slope + allowance
    return at.function.value(at.ahead(step)) <= ceiling
