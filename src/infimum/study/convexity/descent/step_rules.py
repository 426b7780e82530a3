"""How far to go along a direction: known, scheduled or exactly minimising steps."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domains, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.bisection import bisect
from infimum.study.convexity.functions.quadratic import Quadratic
from infimum.typing import Vector

__all__ = [
    "DecayingStep",
    "ExactStep",
    "FixedStep",
    "HessianStep",
    "Situation",
    "StepRule",
]

_DOUBLINGS = 100


class Situation(NamedTuple):
    """Where the descent stands and where it is about to go; iterations count from 1.

    `recent` are the values met so far, the present one last, if the method keeps them.
    """

    function: ConvexFunction
    point: Vector
    gradient: Vector
    direction: Vector
    iteration: int
    recent: Sequence[float] = ()

    @property
    def slope(self) -> float:
        """The derivative along the direction."""
        return float(self.gradient @ self.direction)

    def ahead(self, step: float) -> Vector:
        """Return the point a step along the direction."""
        return np.asarray(self.point + step * self.direction)


class StepRule(ABC):
    """A rule for η in w + η p, where p points downhill."""

    __post_init__ = check_domains

    @abstractmethod
    def __call__(self, at: Situation) -> float:
        """Return the step to take in a situation."""

    def payment(self, smoothness: float) -> float:
        """Return by how much a gradient step surely lowers an L-smooth function.

        It is a multiple of the squared gradient; 0 when nothing is sure.
        """
        return 0.0


@dataclass(frozen=True)
class FixedStep(StepRule):
    """Always the same step; 1/L for an L-smooth function."""

    step: float = field(metadata={"domain": positive})

    def __call__(self, at: Situation) -> float:
        return self.step

    def payment(self, smoothness: float) -> float:
        # f(w - ηg) ≤ f(w) - η‖g‖² + Lη²‖g‖²/2.
        return max(self.step * (1.0 - 0.5 * smoothness * self.step), 0.0)


@dataclass(frozen=True)
class DecayingStep(StepRule):
    """A step that fades like scale / t^power, with iterations t = 1, 2, 3 and so on.

    >>> rule = DecayingStep(2.0)
    >>> [rule.step(t) for t in (1, 4, 16)]
    [2.0, 1.0, 0.5]
    """

    scale: float = field(default=1.0, metadata={"domain": positive})
    power: float = field(default=0.5, metadata={"domain": positive})

    def step(self, iteration: int) -> float:
        """Return the step at an iteration."""
        return float(self.scale / iteration**self.power)

    def __call__(self, at: Situation) -> float:
        return self.step(at.iteration)


@dataclass(frozen=True)
class HessianStep(StepRule):
    """The step that minimises the second-order model along the direction."""

    def __call__(self, at: Situation) -> float:
        hessian = at.function.hessian(at.point)
        return -at.slope / float(at.direction @ hessian @ at.direction)


@dataclass(frozen=True)
class ExactStep(StepRule):
    """The minimiser along the direction: a formula on quadratics, else bisection."""

    def payment(self, smoothness: float) -> float:
        return 0.5 / smoothness  # no less than the step 1/L

    def __call__(self, at: Situation) -> float:
        if isinstance(at.function, Quadratic):
            return HessianStep()(at)
        line = at.function.along(at.point, at.direction)
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
