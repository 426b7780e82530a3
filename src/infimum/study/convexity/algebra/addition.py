"""Sums of convex functions."""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.convexity.algebra.shifts import Raised, Tilted
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.functions.affine import Affine
from infimum.typing import Matrix, Vector

__all__ = ["Sum", "add", "subtract"]


@dataclass(frozen=True, eq=False)
class Sum(ConvexFunction):
    """f₁ + f₂ + …, whose conjugate is the infimal convolution of the conjugates.

    >>> import numpy as np
    >>> from infimum.study.convexity import Norm, SquaredNorm
    >>> elastic = Sum((Norm(1.0), SquaredNorm()))
    >>> elastic.value(np.array([-2.0])), elastic.strong_convexity
    (4.0, 1.0)
    """

    terms: tuple[ConvexFunction, ...]

    def value(self, x: Vector) -> float:
        return sum(term.value(x) for term in self.terms)

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(np.sum([term.gradient(x) for term in self.terms], axis=0))

    def hessian(self, x: Vector) -> Matrix:
        return np.asarray(np.sum([term.hessian(x) for term in self.terms], axis=0))

    def conjugate(self) -> ConvexFunction:
        from infimum.study.convexity.algebra.infimal_convolution import (
            InfimalConvolution,
        )

        return reduce(InfimalConvolution, [term.conjugate() for term in self.terms])

    @property
    def strong_convexity(self) -> float:
        # A term whose modulus is stated in another norm is convex all the same.
        order = self.norm_order
        return sum(t.strong_convexity for t in self.terms if t.norm_order == order)

    @property
    def smoothness(self) -> float:
        if any(t.norm_order != self.norm_order for t in self.terms):
            return np.inf
        return sum(term.smoothness for term in self.terms)

    @property
    def norm_order(self) -> float:
        curved = [t.norm_order for t in self.terms if t.strong_convexity > 0.0]
        return curved[0] if curved else self.terms[0].norm_order


def add(function: ConvexFunction, other: ConvexFunction | float) -> ConvexFunction:
    """Return function + other, in the form that keeps most of what is known."""
    if not isinstance(other, ConvexFunction):
        return Raised(function, float(other))
    if isinstance(function, Affine) and not isinstance(other, Affine):
        function, other = other, function
    if isinstance(other, Affine):
        tilted = Tilted(function, other.slope)
        return Raised(tilted, other.constant) if other.constant else tilted
    return Sum((function, other))


def subtract(function: ConvexFunction, other: ConvexFunction | float) -> ConvexFunction:
    """Return function - other, which is convex when other is affine."""
    if not isinstance(other, ConvexFunction):
        return add(function, -float(other))
    if not isinstance(other, Affine):
        raise IncompatibleError(
            f"{type(function).__name__} minus {type(other).__name__} need not be "
            "convex; only a number or an Affine function may be subtracted."
        )
    return add(function, Affine(-other.slope, -other.constant))
