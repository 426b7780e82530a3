"""Risks known by planes: a value, a subgradient, and what a plane is rebuilt from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from infimum.penalties import Penalty
from infimum.typing import Vector

__all__ = ["Mix", "Plane", "PlaneEvaluation", "PlaneRisk", "by_planes"]


class Plane(NamedTuple):
    """A linear lower bound <slope, point> + height of a mean loss.

    `witness` is what the risk can compute the plane from again, with the data: a point
    where it touches, or the labellings that it is the mean of.
    """

    slope: Vector
    height: float
    witness: Any
    #: What rounding of sums over samples may be, of the slopes and of the height.
    blur: Vector | float = 0.0
    doubt: float = 0.0


class Mix(NamedTuple):
    """Planes and their shares: what a lower bound is made of.

    The shares are not negative and sum to 1 at most; the plane 0 has the rest, since
    no loss is negative.
    """

    shares: Vector
    witnesses: tuple[Any, ...]
    #: The planes as a solver holds them; None where only the data may be trusted.
    planes: tuple[Plane, ...] | None = None


class PlaneRisk(ABC):
    r"""A convex mean loss R ≥ 0 plus a penalty, of which only planes are known.

    .. math:: P(w, b) = R(w, b) + \Omega(w), \qquad
              R(w, b) \ge \langle a, (w, b)\rangle + d

    A point is weights first and the intercept last, as in `LinearRisk`; it stays 0
    where `intercept` is false. Any solver that asks for values and subgradients can
    minimise it, and a mix of planes proves how well.
    """

    penalty: Penalty
    #: Weights, without the intercept.
    size: int
    intercept: bool = False
    by_planes: ClassVar[bool] = True
    #: Whether R has a gradient everywhere.
    smooth: ClassVar[bool] = False
    #: Whether R is computed without error; a relaxation is above what it relaxes.
    exact: bool = True
    unbounded: ClassVar[str] = ""
    null_is_optimal: ClassVar[bool] = False
    #: A guess at the diagonal of the Hessian, where there is one.
    curvatures: Vector | None = None
    #: Evaluations of a line search, for a risk whose scores along lines are cheap.
    halvings: ClassVar[int] = 0

    @abstractmethod
    def touch(self, point: Vector) -> tuple[float, Plane]:
        """Return R at a point, and a plane that touches it there."""

    @abstractmethod
    def rebuild(self, witness: Any) -> Plane:
        """Compute a plane from its witness and the data alone."""

    def unsure(self, point: Vector, plane: Plane) -> float:
        """Bound the rounding of R at a point, which a plane touches there."""
        return plane.doubt + float(np.sum(np.abs(point) * plane.blur))

    def origin(self) -> Vector:
        """Return the point 0."""
        return np.zeros(self.size + 1)

    @cached_property
    def at_null(self) -> PlaneEvaluation:
        """The point 0: where runs start."""
        return self.evaluate(self.origin())

    @cached_property
    def scale(self) -> float:
        """What there is to gain: the risk at the point 0."""
        return self.at_null.empirical

    @property
    def unit(self) -> float:
        """A positive number of the order of the risks."""
        return self.scale or 1.0

    def evaluate(self, point: Vector) -> PlaneEvaluation:
        """Return what is known at a point, computed when asked for."""
        return PlaneEvaluation(self, point)

    judge = evaluate


def by_planes(risk: Any) -> bool:
    """Tell whether only planes of a risk are known, not losses of single samples."""
    return isinstance(risk, PlaneRisk)


@dataclass(frozen=True, eq=False)
class PlaneEvaluation:
    """A point of a `PlaneRisk`; the plane that touches there is computed once."""

    risk: PlaneRisk
    point: Vector

    @cached_property
    def touched(self) -> tuple[float, Plane]:
        """The mean loss and its plane."""
        return self.risk.touch(self.point)

    @property
    def empirical(self) -> float:
        """The mean loss."""
        return self.touched[0]

    @property
    def height(self) -> float:
        """Where the plane meets the axis."""
        return self.touched[1].height

    @cached_property
    def value(self) -> float:
        """The regularised risk."""
        return self.empirical + self.risk.penalty.value(self.point[:-1])

    @property
    def slopes(self) -> Mix:
        """The proof that a point carries: its own plane."""
        plane = self.touched[1]
        return Mix(np.ones(1), (plane.witness,), (plane,))

    @property
    def risk_gradient(self) -> Vector:
        """A subgradient of the mean loss in (w, b)."""
        return self.touched[1].slope

    @cached_property
    def gradient(self) -> Vector:
        """The gradient of the whole objective; only for a quadratic penalty."""
        gradient = self.risk_gradient.copy()
        gradient[:-1] += (self.risk.penalty.quadratic or 0.0) * self.point[:-1]
        return gradient

    def between(self, other: PlaneEvaluation, share: float) -> PlaneEvaluation:
        """Return the point a share of the way to another."""
        return self.risk.evaluate((1.0 - share) * self.point + share * other.point)

    def slope_towards(self, start: PlaneEvaluation, end: PlaneEvaluation) -> float:
        """Return the derivative of the mean loss here, along a line through here."""
        return float(self.risk_gradient @ (end.point - start.point))
