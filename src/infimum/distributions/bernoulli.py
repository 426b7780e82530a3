"""Bernoulli distribution: one trial with two outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, xlog1py, xlogy

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import closed
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Bernoulli"]


@dataclass(frozen=True)
class Bernoulli(ExponentialFamily):
    r"""The law of a coin that shows 1 with probability `p` and 0 otherwise.

    .. math:: p(y; p) = p^y (1 - p)^{1 - y}, \qquad
              \eta = \log\tfrac{p}{1 - p},\quad A(\eta) = \log(1 + e^\eta)

    Examples
    --------
    >>> Bernoulli.fit([1, 0, 1, 1])
    Bernoulli(p=0.75)
    """

    p: float = field(default=0.5, metadata={"domain": closed(0, 1)})

    support: ClassVar[str] = "{0, 1}"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y == 0) | (y == 1))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(xlogy(y, self.p) + xlog1py(1.0 - y, -self.p))

    @property
    def mean(self) -> float:
        return float(self.p)

    @property
    def variance(self) -> float:
        return float(self.p * (1.0 - self.p))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return np.asarray((rng.uniform(size=n) < self.p).astype(np.float64))

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    def _cdf(self, y: Vector) -> Vector:
        return np.full(y.shape, 1.0 - self.p)

    def _characteristic(self, omega: Vector) -> Any:
        return 1.0 - self.p + self.p * np.exp(1j * omega)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.bernoulli(self.p)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"Bernoulli reads values in {cls.support}.")
        return cls(min(float(weights @ y), 1.0))

    @property
    def natural(self) -> Vector:
        return np.array([float(logit(self.p))])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(float(expit(eta[0])))

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(y, dtype=np.float64)[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        return np.zeros(len(np.asarray(y)))

    def log_partition(self, eta: Vector) -> float:
        return float(np.logaddexp(0.0, eta[0]))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.array([float(expit(eta[0]))])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.array([[float(expit(eta[0]) * expit(-eta[0]))]])
