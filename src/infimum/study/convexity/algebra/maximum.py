"""Pointwise maxima, and the conjugate of a pointwise infimum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Maximum", "conjugate_of_infimum"]


@dataclass(frozen=True, eq=False)
class Maximum(ConvexFunction):
    """max(f₁, f₂, …): where functions tie, the first one gives the subgradient.

    The subdifferential is the convex hull of the subdifferentials of the functions
    that are active; `subgradients` lists one of each.

    >>> import numpy as np
    >>> from infimum.study.convexity import Affine
    >>> hinge = Maximum((Affine(np.zeros(1)), Affine(-np.ones(1), 1.0)))
    >>> hinge.value(np.array([-1.0])), hinge.gradient(np.array([1.0])).tolist()
    (2.0, [0.0])
    """

    terms: tuple[ConvexFunction, ...]

    def value(self, x: Vector) -> float:
        return max(term.value(x) for term in self.terms)

    def gradient(self, x: Vector) -> Vector:
        return self.terms[int(self.active(x)[0])].gradient(x)

    def active(self, x: Vector) -> Indices:
        """Return the positions of the terms that attain the maximum exactly."""
        values = np.array([term.value(x) for term in self.terms])
        return np.flatnonzero(values == np.max(values))

    def subgradients(self, x: Vector) -> Matrix:
        """Return one subgradient of each active term, as rows."""
        return np.array([self.terms[int(i)].gradient(x) for i in self.active(x)])

    @property
    def strong_convexity(self) -> float:
        if any(term.norm_order != self.norm_order for term in self.terms):
            return 0.0
        return min(term.strong_convexity for term in self.terms)

    @property
    def norm_order(self) -> float:
        return self.terms[0].norm_order


def conjugate_of_infimum(terms: Sequence[ConvexFunction]) -> Maximum:
    """Return the conjugate of min(f₁, f₂, …): the maximum of the conjugates.

    The minimum itself need not be convex, which is why it is not a class here.
    """
    return Maximum(tuple(term.conjugate() for term in terms))
