"""How far to go along a direction."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from infimum.convexity.convex_function import ConvexFunction
from infimum.convexity.descent.bisection import bisect
from infimum.convexity.functions.quadratic import Quadratic
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import check_domains, opened, positive
from infimum.typing import Vector

__all__ = [
    "ArmijoStep",
    "DecayingStep",
    "ExactStep",
    "FixedStep",
    "HessianStep",
    "StepRule",
    "WolfeStep",
]

_EPS = float(np.finfo(float).eps)
_DOUBLINGS = 100


class StepRule(ABC):
    """A rule for η in w + η p, where p points downhill."""

    def __post_init__(self) -> None:
        check_domains(self)

    @abstractmethod
    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        """Return the step for the iteration, counted from 1."""


@dataclass(frozen=True)
class FixedStep(StepRule):
    """Always the same step; 1/L for an L-smooth function."""

    step: float = field(metadata={"domain": positive})

    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        return self.step


@dataclass(frozen=True)
class DecayingStep(StepRule):
    """A step that fades like scale / √t, with iterations t = 1, 2, 3 and so on.

    >>> rule = DecayingStep(2.0)
    >>> [rule.at(t) for t in (1, 4, 16)]
    [2.0, 1.0, 0.5]
    """

    scale: float = field(default=1.0, metadata={"domain": positive})

    def at(self, iteration: int) -> float:
        """Return the step at an iteration."""
        return self.scale / float(np.sqrt(iteration))

    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        return self.at(iteration)


@dataclass(frozen=True)
class HessianStep(StepRule):
    """The step that minimises the second-order model along the direction."""

    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        curvature = float(direction @ function.hessian(point) @ direction)
        return -float(gradient @ direction) / curvature


@dataclass(frozen=True)
class ExactStep(StepRule):
    """The minimiser along the direction: a formula on quadratics, else bisection."""

    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        if isinstance(function, Quadratic):
            return HessianStep()(function, point, gradient, direction, iteration)
        line = function.along(point, direction)
        high = 1.0
        for _ in range(_DOUBLINGS):
            slope = float(line.gradient(np.array([high]))[0])
            if slope == 0.0:
                return high
            if slope > 0.0:
                return bisect(line, 0.0, high, tolerance=0.0).point
            high *= 2.0
        raise DataError(
            f"ExactStep found no minimum within {high:.3g} along the direction; "
            "the function may be unbounded below there."
        )


@dataclass(frozen=True)
class ArmijoStep(StepRule):
    r"""Backtracking: shrink the step until the decrease is sufficient.

    .. math:: f(w_+) \le f(w) + c_1 \langle \nabla f(w), w_+ - w\rangle
    """

    decrease: float = field(default=1e-4, metadata={"domain": opened(0, 1)})
    shrink: float = field(default=0.5, metadata={"domain": opened(0, 1)})
    first: float = field(default=1.0, metadata={"domain": positive})

    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        value, slope = function.value(point), float(gradient @ direction)
        # Values closer than their own rounding cannot be told apart.
        allowance = 4.0 * _EPS * abs(value)
        step = self.first
        while (
            function.value(point + step * direction)
            > value + self.decrease * step * slope + allowance
        ):
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

    def __call__(
        self,
        function: ConvexFunction,
        point: Vector,
        gradient: Vector,
        direction: Vector,
        iteration: int,
    ) -> float:
        value, slope = function.value(point), float(gradient @ direction)
        allowance = 4.0 * _EPS * abs(value)
        low, high, step = 0.0, np.inf, 1.0
        for _ in range(_DOUBLINGS):
            ahead = point + step * direction
            if function.value(ahead) > value + self.decrease * step * slope + allowance:
                high = step
            elif float(function.gradient(ahead) @ direction) < self.curvature * slope:
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
