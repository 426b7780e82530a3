"""A scalar function of a convex or concave one, where the rule keeps it convex."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from infimum.errors import IncompatibleError
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Vector

__all__ = [
    "EXPONENTIAL",
    "NEGATIVE_LOGARITHM",
    "POSITIVE_PART",
    "RECIPROCAL",
    "Concave",
    "MonotoneComposition",
    "ScalarFunction",
]


@dataclass(frozen=True, eq=False)
class ScalarFunction:
    """A convex function of one number that rises (+1) or falls (-1) all the way."""

    value: Callable[[float], float]
    derivative: Callable[[float], float]
    trend: int


def _on_positive(formula: Callable[[float], float]) -> Callable[[float], float]:
    return lambda t: formula(t) if t > 0.0 else np.inf


def _exp(t: float) -> float:
    with np.errstate(over="ignore"):  # beyond exp(709) the answer is infinity
        return float(np.exp(t))


EXPONENTIAL = ScalarFunction(_exp, _exp, 1)
POSITIVE_PART = ScalarFunction(lambda t: max(t, 0.0), lambda t: float(t > 0.0), 1)
NEGATIVE_LOGARITHM = ScalarFunction(
    _on_positive(lambda t: -float(np.log(t))), lambda t: -1.0 / t, -1
)
RECIPROCAL = ScalarFunction(_on_positive(lambda t: 1.0 / t), lambda t: -1.0 / t**2, -1)


@dataclass(frozen=True, eq=False)
class Concave:
    """The concave function -f of a convex f."""

    function: ConvexFunction

    def value(self, x: Vector) -> float:
        return -self.function.value(x)

    def gradient(self, x: Vector) -> Vector:
        return -self.function.gradient(x)


@dataclass(frozen=True, eq=False)
class MonotoneComposition(ConvexFunction):
    """h(g(x)), convex by rule: h rises and g is convex, or h falls and g is concave.

    >>> import numpy as np
    >>> from infimum.study.convexity import EXPONENTIAL, SquaredNorm
    >>> bump = MonotoneComposition(EXPONENTIAL, SquaredNorm())
    >>> bump.value(np.zeros(2))
    1.0
    """

    outer: ScalarFunction
    inner: ConvexFunction | Concave

    def __post_init__(self) -> None:
        wanted = -1 if isinstance(self.inner, Concave) else 1
        if self.outer.trend != wanted:
            raise IncompatibleError(
                "MonotoneComposition is convex when the outer function rises and the "
                "inner one is convex, or it falls and the inner one is Concave."
            )

    def value(self, x: Vector) -> float:
        return self.outer.value(self.inner.value(x))

    def gradient(self, x: Vector) -> Vector:
        rate = self.outer.derivative(self.inner.value(x))
        return np.asarray(rate * self.inner.gradient(x))
