"""Steps that are good enough: Armijo's and Wolfe's conditions."""

from dataclasses import dataclass, field

import numpy as np

from infimum.convexity.descent.step_rules import Situation, StepRule
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import opened, positive

__all__ = ["ArmijoStep", "WolfeStep"]

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
        value, step = at.function.value(at.point), self.first
        while not _decreases(at, value, step, self.decrease):
            step *= self.shrink
        return step


@dataclass(frozen=True)
class WolfeStep(StepRule):
    r"""A step with sufficient decrease that also flattens the slope.

    .. math:: f(w_+) \le f(w) + c_1 \langle \nabla f(w), w_+ - w\rangle, \quad
              \langle \nabla f(w_+), w_+ - w\rangle
              \ge c_2 \langle \nabla f(w), w_+ - w\rangle

    with 0 < c₁ < c₂ < 1. Steps double until the first condition fails, then the
    interval between the last success and the failure is halved.

    >>> import numpy as np
    >>> from infimum.convexity import Quadratic, Situation
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

    def __call__(self, at: Situation) -> float:
        value, wanted = at.function.value(at.point), self.curvature * at.slope
        low, high, step = 0.0, np.inf, 1.0
        for _ in range(_DOUBLINGS):
            if not _decreases(at, value, step, self.decrease):
                high = step
            elif at.function.gradient(at.ahead(step)) @ at.direction < wanted:
                low = step
            else:
                return step
            step = 2.0 * step if high == np.inf else 0.5 * (low + high)
        if high == np.inf:
            raise DataError(
                f"WolfeStep still descends at {step:.3g} along the direction; "
                "the function may be unbounded below there."
            )
        return low  # rounding has closed the interval


def _decreases(at: Situation, value: float, step: float, decrease: float) -> bool:
    # Values closer than their own rounding cannot be told apart.
    allowance = 4.0 * float(np.finfo(float).eps) * abs(value)
    ceiling = value + decrease * step * at.slope + allowance
    return at.function.value(at.ahead(step)) <= ceiling
