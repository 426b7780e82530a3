"""Adding a constant or a linear function, moving the origin: pairs under duality."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["Raised", "Tilted", "Translated"]


class _SameCurvature(ConvexFunction):
    """A function that inherits its moduli from the one it wraps."""

    function: ConvexFunction

    @property
    def strong_convexity(self) -> float:
        return self.function.strong_convexity

    @property
    def smoothness(self) -> float:
        return self.function.smoothness

    @property
    def norm_order(self) -> float:
        return self.function.norm_order


@dataclass(frozen=True, eq=False)
class Raised(_SameCurvature):
    """f + constant, whose conjugate is f* - constant."""

    function: ConvexFunction
    constant: float

    def value(self, x: Vector) -> float:
        return self.function.value(x) + self.constant

    def gradient(self, x: Vector) -> Vector:
        return self.function.gradient(x)

    def hessian(self, x: Vector) -> Matrix:
        return self.function.hessian(x)

    def conjugate(self) -> ConvexFunction:
        return Raised(self.function.conjugate(), -self.constant)


@dataclass(frozen=True, eq=False)
class Tilted(_SameCurvature):
    """f + ⟨slope, ·⟩, whose conjugate is f* moved by slope."""

    function: ConvexFunction
    slope: Vector

    def value(self, x: Vector) -> float:
        return self.function.value(x) + float(self.slope @ x)

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.function.gradient(x) + self.slope)

    def hessian(self, x: Vector) -> Matrix:
        return self.function.hessian(x)

    def conjugate(self) -> ConvexFunction:
        return Translated(self.function.conjugate(), self.slope)


@dataclass(frozen=True, eq=False)
class Translated(_SameCurvature):
    """f(· - centre), whose conjugate is f* tilted by centre.

    >>> import numpy as np
    >>> from infimum.study.convexity import SquaredNorm
    >>> moved = Translated(SquaredNorm(), np.array([1.0, 0.0]))
    >>> moved.conjugate().value(np.array([2.0, 0.0]))
    4.0
    """

    function: ConvexFunction
    centre: Vector

    def value(self, x: Vector) -> float:
        return self.function.value(x - self.centre)

    def gradient(self, x: Vector) -> Vector:
        return self.function.gradient(x - self.centre)

    def hessian(self, x: Vector) -> Matrix:
        return self.function.hessian(x - self.centre)

    def conjugate(self) -> ConvexFunction:
        return Tilted(self.function.conjugate(), self.centre)
