"""A solution in closed form, whose values at the samples are computed when asked."""

from __future__ import annotations

from functools import cached_property

from infimum.certificates import Certificate
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers import Record, Solution
from infimum.typing import Vector

__all__ = ["DeferredEvaluation", "DeferredSolution"]


class DeferredEvaluation(Evaluation):
    """A point whose scores wait: its proof did not need them."""

    def __init__(self, risk: LinearRisk, point: Vector) -> None:
        self.__dict__.update(risk=risk, point=point)

    @cached_property
    def scores(self) -> Vector:
        """The scores of all samples."""
        return self.risk.scores(self.point)


class DeferredSolution(Solution):
    """A solution whose slopes wait for its scores."""

    def __init__(
        self, here: Evaluation, certificate: Certificate, history: tuple[Record, ...]
    ) -> None:
        self.__dict__.update(here=here, certificate=certificate, history=history)

    @property
    def slopes(self) -> Vector:
        """The slopes of the loss at the point."""
        return self.here.slopes
