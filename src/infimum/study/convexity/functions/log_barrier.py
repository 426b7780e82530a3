"""The logarithmic barrier of the positive orthant."""

from dataclasses import dataclass

import numpy as np

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["LogBarrier"]


@dataclass(frozen=True, eq=False)
class LogBarrier(ConvexFunction):
    r"""A wall that rises smoothly: :math:`f(x) = -\sum_i (\log x_i + c)`, x > 0.

    The conjugate is a barrier of the negative orthant,
    :math:`-\sum_i (\log(-s_i) + 1 - c)`.

    >>> import numpy as np
    >>> LogBarrier().value(np.ones(2)), LogBarrier().conjugate().value(-np.ones(2))
    (0.0, -2.0)
    """

    constant: float = 0.0

    def value(self, x: Vector) -> float:
        if np.any(np.asarray(x) <= 0.0):
            return np.inf
        return 0.0 - float(np.sum(np.log(x) + self.constant))

    def gradient(self, x: Vector) -> Vector:
        with np.errstate(divide="ignore"):
            return np.asarray(-1.0 / x)

    def hessian(self, x: Vector) -> Matrix:
        with np.errstate(divide="ignore"):
            return np.diag(1.0 / np.asarray(x) ** 2)

    def conjugate(self) -> ConvexFunction:
        from infimum.study.convexity.algebra.scaling import Dilated

        return Dilated(LogBarrier(1.0 - self.constant), -1.0)
