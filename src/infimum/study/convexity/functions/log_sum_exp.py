"""Log-sum-exp: the maximum of some numbers, made smooth."""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, softmax

from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["LogSumExp"]


@dataclass(frozen=True, eq=False)
class LogSumExp(ConvexFunction):
    r"""Soft maximum: :math:`f(x) = \log \sum_i \exp(x_i)`.

    Its gradient is the softmax and its conjugate the negative entropy on the simplex;
    it is 1-smooth in the maximum norm.

    >>> import numpy as np
    >>> LogSumExp().gradient(np.array([1000.0, 1000.0])).tolist()
    [0.5, 0.5]
    """

    def value(self, x: Vector) -> float:
        return float(logsumexp(x))

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(softmax(x))

    def hessian(self, x: Vector) -> Matrix:
        weights = self.gradient(x)
        return np.asarray(np.diag(weights) - np.outer(weights, weights))

    def conjugate(self) -> ConvexFunction:
        from infimum.study.convexity.functions.negative_entropy import NegativeEntropy

        return NegativeEntropy()

    @property
    def smoothness(self) -> float:
        return 1.0

    @property
    def norm_order(self) -> float:
        return np.inf
