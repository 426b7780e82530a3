"""Un-normalised entropy on the positive orthant, and its conjugate."""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["ExponentialSum", "UnnormalizedEntropy"]


@dataclass(frozen=True, eq=False)
class UnnormalizedEntropy(ConvexFunction):
    r"""Entropy without the simplex: :math:`f(x) = \sum_i x_i \log x_i - x_i`, x ≥ 0.

    The gradient is log x, so gradient steps in the mirror are multiplications.
    Strictly but not strongly convex on the whole orthant: the curvature 1/x fades. On
    the points whose entries add up to at most B the modulus is 1/B, in the 1-norm.

    >>> import numpy as np
    >>> UnnormalizedEntropy().gradient(np.ones(2)).tolist()
    [0.0, 0.0]
    """

    def value(self, x: Vector) -> float:
        if np.any(np.asarray(x) < 0.0):
            return np.inf
        return float(np.sum(xlogy(x, x) - x))

    def gradient(self, x: Vector) -> Vector:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(x))

    def hessian(self, x: Vector) -> Matrix:
        with np.errstate(divide="ignore"):
            return np.diag(1.0 / x)

    def conjugate(self) -> ConvexFunction:
        return ExponentialSum()


@dataclass(frozen=True, eq=False)
class ExponentialSum(ConvexFunction):
    r"""Sum of exponentials, :math:`f(x) = \sum_i \exp(x_i)`.

    The conjugate of the un-normalised entropy.
    """

    def value(self, x: Vector) -> float:
        return float(np.sum(self.gradient(x)))

    def gradient(self, x: Vector) -> Vector:
        with np.errstate(over="ignore"):  # beyond exp(709) the answer is infinity
            return np.asarray(np.exp(x))

    def hessian(self, x: Vector) -> Matrix:
        return np.diag(self.gradient(x))

    def conjugate(self) -> ConvexFunction:
        return UnnormalizedEntropy()
