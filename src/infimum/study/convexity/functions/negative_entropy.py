"""Negative entropy on the probability simplex."""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.study.convexity.sets.simplex import Simplex
from infimum.typing import Matrix, Vector

__all__ = ["NegativeEntropy"]


@dataclass(frozen=True, eq=False)
class NegativeEntropy(ConvexFunction):
    r"""Negative entropy of a probability vector: :math:`f(x) = \sum_i x_i \log x_i`.

    +inf off the simplex, and 0 log 0 = 0. It is 1-strongly convex in the 1-norm
    (Pinsker's inequality). Where an entry is zero no subgradient exists and the
    gradient says so with -inf.

    >>> import numpy as np
    >>> entropy = NegativeEntropy()
    >>> entropy.value(np.array([0.0, 1.0, 0.0]))
    0.0
    >>> round(float(np.exp(entropy.conjugate().value(np.zeros(3)))), 12)
    3.0
    """

    def value(self, x: Vector) -> float:
        if not Simplex().contains(x):
            return np.inf
        share = np.maximum(x, 0.0)  # the simplex admits entries of -rounding
        return float(np.sum(xlogy(share, share)))

    def gradient(self, x: Vector) -> Vector:
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 + np.log(x))

    def hessian(self, x: Vector) -> Matrix:
        with np.errstate(divide="ignore"):
            return np.diag(1.0 / x)

    def conjugate(self) -> ConvexFunction:
        from infimum.study.convexity.functions.log_sum_exp import LogSumExp

        return LogSumExp()

    @property
    def strong_convexity(self) -> float:
        return 1.0

    @property
    def norm_order(self) -> float:
        return 1.0
