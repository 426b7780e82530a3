"""Infimal convolution: the cheapest way to split a vector between two functions."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.convexity.algebra.addition import Sum
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.line_minimum import minimize_on_line
from infimum.study.convexity.norms import EUCLIDEAN
from infimum.typing import Vector

if TYPE_CHECKING:
    from infimum.study.convexity.functions.indicator import Indicator

__all__ = ["InfimalConvolution"]

#: A relative slope below which a split counts as the cheapest.
_FLAT = 1e-7


@dataclass(frozen=True, eq=False)
class InfimalConvolution(ConvexFunction):
    r"""The cheapest split: :math:`(f \square g)(x) = \inf_z f(z) + g(x - z)`.

    The conjugate of f* + g*, and its own conjugate is f* + g* again. The infimum is
    computed: for one variable any two functions will do, for several both must be
    differentiable everywhere, or be a Euclidean `SquaredNorm` and the `Indicator` of a
    set with a known projection, whose cheapest split is that projection.

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm, SquaredNorm
    >>> huber = InfimalConvolution(Norm(1.0), SquaredNorm())
    >>> round(huber.value(np.array([3.0])), 9), round(huber.value(np.array([0.5])), 9)
    (2.5, 0.125)
    """

    first: ConvexFunction
    second: ConvexFunction

    def split(self, x: Vector) -> tuple[Vector, Vector]:
        """Return the two parts z and x - z of the cheapest split of x."""
        part = self._by_projection(x)
        if part is None:
            part = self._on_the_line(x) if x.size == 1 else self._in_space(x)
        return part, np.asarray(x - part)

    def value(self, x: Vector) -> float:
        part, rest = self.split(x)
        return self.first.value(part) + self.second.value(rest)

    def gradient(self, x: Vector) -> Vector:
        # A subgradient of both at the split; where one is smooth it has no choice.
        part, rest = self.split(x)
        if np.isfinite(self.second.smoothness):
            return self.second.gradient(rest)
        if np.isfinite(self.first.smoothness) or x.size > 1:
            return self.first.gradient(part)
        raise IncompatibleError(
            f"InfimalConvolution of {type(self.first).__name__} and "
            f"{type(self.second).__name__} has a gradient formula only when one of "
            "them is smooth; compare values instead."
        )

    def conjugate(self) -> ConvexFunction:
        return Sum((self.first.conjugate(), self.second.conjugate()))

    @property
    def strong_convexity(self) -> float:
        if self._mixed:
            return 0.0
        return _parallel(self.first.strong_convexity, self.second.strong_convexity)

    @property
    def smoothness(self) -> float:
        if self._mixed:
            return np.inf
        return _parallel(self.first.smoothness, self.second.smoothness)

    @property
    def norm_order(self) -> float:
        return self.first.norm_order

    @property
    def _mixed(self) -> bool:
        return self.first.norm_order != self.second.norm_order

    def _by_projection(self, x: Vector) -> Vector | None:
        """Return the part of `first` if the split is a projection onto a set."""
        if _is_wall(self.first) and _is_square(self.second):
            return self.first.region.project(x)
        if _is_wall(self.second) and _is_square(self.first):
            return np.asarray(x - self.second.region.project(x))
        return None

    def _on_the_line(self, x: Vector) -> Vector:
        def price(part: float) -> float:
            split = np.array([part])
            return self.first.value(split) + self.second.value(x - split)

        return np.array([minimize_on_line(price, (0.0, float(x[0])))])

    def _in_space(self, x: Vector) -> Vector:
        from infimum.study.convexity.descent import BFGS
        from infimum.study.convexity.functions.oracle import Oracle

        price = Oracle(
            lambda z: self.first.value(z) + self.second.value(x - z),
            lambda z: self.first.gradient(z) - self.second.gradient(x - z),
        )
        trace = BFGS(tolerance=1e-10).minimize(price, 0.5 * x)
        # A wall or a kink at the cheapest split shows as a slope that stays.
        slope = np.linalg.norm(self.first.gradient(trace.point))
        flat = trace.gradient_norms[-1] <= _FLAT * (1.0 + slope)
        if not flat or not np.isfinite(trace.value):
            raise IncompatibleError(
                f"InfimalConvolution of {type(self.first).__name__} and "
                f"{type(self.second).__name__} needs two functions that are finite "
                "and differentiable everywhere when there are several variables."
            )
        return trace.point


def _is_square(function: ConvexFunction) -> bool:
    from infimum.study.convexity.functions.squared_norm import SquaredNorm

    return isinstance(function, SquaredNorm) and function.order == EUCLIDEAN


def _is_wall(function: ConvexFunction) -> "TypeGuard[Indicator]":
    from infimum.study.convexity.functions.indicator import Indicator
    from infimum.study.convexity.sets.convex_set import ConvexSet

    if not isinstance(function, Indicator):
        return False
    return type(function.region).project is not ConvexSet.project


def _parallel(first: float, second: float) -> float:
    """Return 1 / (1/first + 1/second) on [0, inf]: moduli add up in the dual."""
    if np.inf in (first, second):
        return min(first, second)
    return first * second / (first + second) if first + second else 0.0
