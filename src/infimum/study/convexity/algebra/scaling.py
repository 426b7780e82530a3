"""Multiplying a function, or its argument, by a number."""

from dataclasses import dataclass, field

import numpy as np

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domains, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["Dilated", "Scaled"]


@dataclass(frozen=True, eq=False)
class Scaled(ConvexFunction):
    """factor · f with factor > 0, whose conjugate is factor · f*(· / factor).

    >>> import numpy as np
    >>> from infimum.study.convexity import Softplus
    >>> double = 2.0 * Softplus()
    >>> double.smoothness, round(double.conjugate().value(np.array([1.0])), 9)
    (0.5, -1.386294361)
    """

    function: ConvexFunction
    factor: float = field(metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)

    def value(self, x: Vector) -> float:
        return self.factor * self.function.value(x)

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.factor * self.function.gradient(x))

    def hessian(self, x: Vector) -> Matrix:
        return np.asarray(self.factor * self.function.hessian(x))

    def conjugate(self) -> ConvexFunction:
        return Scaled(
            Dilated(self.function.conjugate(), 1.0 / self.factor), self.factor
        )

    @property
    def strong_convexity(self) -> float:
        return self.factor * self.function.strong_convexity

    @property
    def smoothness(self) -> float:
        return self.factor * self.function.smoothness

    @property
    def norm_order(self) -> float:
        return self.function.norm_order


@dataclass(frozen=True, eq=False)
class Dilated(ConvexFunction):
    """f(factor · x) with factor ≠ 0, whose conjugate is f*(· / factor)."""

    function: ConvexFunction
    factor: float

    def __post_init__(self) -> None:
        if self.factor == 0.0 or not np.isfinite(self.factor):
            raise InvalidParameterError(
                f"Dilated.factor must be finite and not 0, got {self.factor!r}."
            )

    def value(self, x: Vector) -> float:
        return self.function.value(self.factor * x)

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.factor * self.function.gradient(self.factor * x))

    def hessian(self, x: Vector) -> Matrix:
        return np.asarray(self.factor**2 * self.function.hessian(self.factor * x))

    def conjugate(self) -> ConvexFunction:
        return Dilated(self.function.conjugate(), 1.0 / self.factor)

    @property
    def strong_convexity(self) -> float:
        return self.factor**2 * self.function.strong_convexity

    @property
    def smoothness(self) -> float:
        return self.factor**2 * self.function.smoothness

    @property
    def norm_order(self) -> float:
        return self.function.norm_order
