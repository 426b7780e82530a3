"""Evaluations at points with few coefficients, which are not written out in full."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.typing import Indices, Vector

__all__ = ["Place", "SparseEvaluation"]


@dataclass(frozen=True, eq=False)
class Place:
    """A point by its members: which columns, how much of each, and the intercept."""

    members: Indices
    w: Vector
    intercept: float
    #: The members' correlations with the residual.
    correlation: Vector
    #: Makes a point of zeros.
    blank: Callable[[], Vector]

    @cached_property
    def point(self) -> Vector:
        """The whole point, intercept last."""
        point = self.blank()
        point[self.members], point[-1] = self.w, self.intercept
        return point


class SparseEvaluation(Evaluation):
    """An evaluation whose point is written out when it is asked for.

    On the way along a path over a wide table that would be much of the work, and most
    points are left again before anybody looks.
    """

    place: Place

    @classmethod
    def at(cls, risk: LinearRisk, place: Place, scores: Vector) -> SparseEvaluation:
        """Return the evaluation of a risk at a place."""
        here = cls.__new__(cls)
        here.__dict__.update(risk=risk, place=place, scores=scores)
        return here

    @cached_property
    def point(self) -> Vector:
        """The coefficients of all columns, and the intercept."""
        return self.place.point

    def under(self, risk: LinearRisk) -> SparseEvaluation:
        other = self.at(risk, self.place, self.scores)
        self._hand_on(other)
        return other

    def width(self, lengths: Vector) -> Vector:
        return np.asarray(np.abs(self.place.w) @ lengths[self.place.members])

    def write(self, blank: Vector) -> None:
        blank[self.place.members] = self.place.w
