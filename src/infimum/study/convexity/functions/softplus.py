"""Sum of softplus functions, the logistic loss before it meets the data."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, xlog1py, xlogy

from infimum.parameters import check_domains, positive
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix, Vector

__all__ = ["BinaryEntropy", "Softplus"]


@dataclass(frozen=True, eq=False)
class Softplus(ConvexFunction):
    r"""Sum of soft hinges: :math:`f(x) = \lambda \sum_i \log(1 + \exp(x_i))`.

    Composed with x = -y·(Xw) and λ = 1/n it is the mean logistic loss of w.

    >>> import numpy as np
    >>> loss = Softplus()
    >>> loss.gradient(np.zeros(2)).tolist(), loss.smoothness
    ([0.5, 0.5], 0.25)
    """

    scale: float = field(default=1.0, metadata={"domain": positive})

    def __post_init__(self) -> None:
        check_domains(self)

    def value(self, x: Vector) -> float:
        return self.scale * float(np.sum(np.logaddexp(0.0, x)))

    def gradient(self, x: Vector) -> Vector:
        return np.asarray(self.scale * expit(x))

    def hessian(self, x: Vector) -> Matrix:
        return np.diag(self.scale * expit(x) * expit(-x))

    def conjugate(self) -> ConvexFunction:
        return BinaryEntropy(self.scale)

    @property
    def smoothness(self) -> float:
        return 0.25 * self.scale


@dataclass(frozen=True, eq=False)
class BinaryEntropy(ConvexFunction):
    r"""Negative binary entropies on the box [0, λ]^d, the conjugate of `Softplus`.

    .. math:: f(s) = \lambda \sum_i p_i \log p_i + (1 - p_i) \log(1 - p_i),
              \quad p = s / \lambda
    """

    scale: float = field(default=1.0, metadata={"domain": positive})

    def value(self, x: Vector) -> float:
        share = np.asarray(x) / self.scale
        if np.any((share < 0.0) | (share > 1.0)):
            return np.inf
        terms = xlogy(share, share) + xlog1py(1.0 - share, -share)
        return self.scale * float(np.sum(terms))

    def gradient(self, x: Vector) -> Vector:
        share = np.asarray(x) / self.scale
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(share) - np.log1p(-share))

    def conjugate(self) -> ConvexFunction:
        return Softplus(self.scale)

    @property
    def strong_convexity(self) -> float:
        return 4.0 / self.scale
