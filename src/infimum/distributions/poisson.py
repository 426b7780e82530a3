"""Poisson distribution: counts of rare events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, pdtr, pdtrc, xlogy

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import nonnegative
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Poisson"]


@dataclass(frozen=True)
class Poisson(ExponentialFamily):
    r"""The law of a count of independent events that happen at a constant `rate`.

    .. math:: p(k; \lambda) = \frac{\lambda^k e^{-\lambda}}{k!}, \qquad
              \eta = \log\lambda,\quad A(\eta) = e^\eta

    Examples
    --------
    >>> Poisson.fit([0, 2, 4])
    Poisson(rate=2.0)
    """

    rate: float = field(default=1.0, metadata={"domain": nonnegative})

    support: ClassVar[str] = "{0, 1, 2, …}"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 0) & (y == np.floor(y)) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(xlogy(y, self.rate) - self.rate + self.log_base(y))

    @property
    def mean(self) -> float:
        return float(self.rate)

    @property
    def variance(self) -> float:
        return float(self.rate)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.poisson(self.rate, size=n).astype(np.float64)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(pdtr(y, self.rate))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(pdtrc(y, self.rate))

    def _characteristic(self, omega: Vector) -> Any:
        return np.exp(self.rate * np.expm1(1j * omega))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.poisson(self.rate)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError("Poisson reads whole numbers that are not negative.")
        return cls(float(weights @ y))

    @property
    def natural(self) -> Vector:
        with np.errstate(divide="ignore"):
            return np.array([np.log(self.rate)])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(float(np.exp(eta[0])))

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(y, dtype=np.float64)[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        return -np.asarray(gammaln(np.asarray(y, dtype=np.float64) + 1.0))

    def log_partition(self, eta: Vector) -> float:
        return float(np.exp(eta[0]))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.exp(eta)

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.exp(eta)[:, None]
