"""The loop that every line-search method shares."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from infimum.parameters import check_domains, nonnegative, whole
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.descent.descent_trace import DescentTrace, Logbook
from infimum.study.convexity.descent.premises import Premises
from infimum.study.convexity.descent.step_rules import ExactStep, Situation, StepRule
from infimum.typing import Vector

__all__ = ["Compass", "DescentMethod"]

#: Called with each new point and its gradient; returns where to go, and may remember.
Compass: TypeAlias = Callable[[Vector, Vector], Vector]


@dataclass(frozen=True)
class DescentMethod(ABC):
    """A direction, a step, and again, until the gradient is short.

    A method supplies a fresh compass for each run. A direction that does not point
    downhill is replaced by the negative gradient.
    """

    step: StepRule = field(default_factory=ExactStep)
    tolerance: float = field(default=1e-8, metadata={"domain": nonnegative})
    max_iterations: int = field(default=1000, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    @abstractmethod
    def compass(self, function: ConvexFunction) -> Compass:
        """Return the rule that points downhill, without memory of other runs."""

    def bound(self, iterations: int, premises: Premises) -> float:
        """Return how far the best value can be above the minimum after the iterations.

        Infinite when the premises, or the theory, do not suffice.
        """
        return np.inf

    def minimize(self, function: ConvexFunction, start: Vector) -> DescentTrace:
        """Descend from `start` and return the trace."""
        log, compass = Logbook(function, start), self.compass(function)
        for iteration in range(1, self.max_iterations + 1):
            if np.linalg.norm(log.gradient) <= self.tolerance:
                return log.close("gradient")
            direction = compass(log.point, log.gradient)
            if not direction @ log.gradient < 0.0:
                direction = -log.gradient
            here = Situation(
                function, log.point, log.gradient, direction, iteration, log.values
            )
            if not log.move(self.step(here), direction):
                return log.close("stalled")
        short = np.linalg.norm(log.gradient) <= self.tolerance
        return log.close("gradient" if short else "budget")
