"""Exponential distribution: waiting times without memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import positive
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Exponential"]


@dataclass(frozen=True)
class Exponential(ExponentialFamily):
    r"""The law of a waiting time that does not depend on how long one has waited.

    .. math:: p(y; \lambda) = \lambda e^{-\lambda y}, \qquad
              \eta = -\lambda,\quad A(\eta) = -\log(-\eta)

    Examples
    --------
    >>> Exponential.fit([1.0, 3.0])
    Exponential(rate=0.5)
    """

    rate: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "[0, inf)"

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 0) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(np.log(self.rate) - self.rate * y)

    @property
    def mean(self) -> float:
        return float(1.0 / self.rate)

    @property
    def variance(self) -> float:
        return float(1.0 / self.rate**2)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, np.inf

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(-np.expm1(-self.rate * y))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(np.exp(-self.rate * y))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(-np.log1p(-q) / self.rate)

    def _characteristic(self, omega: Vector) -> Any:
        return self.rate / (self.rate - 1j * omega)

    def entropy(self) -> float:
        return float(1.0 - np.log(self.rate))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.expon(scale=1.0 / self.rate)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"Exponential reads values in {cls.support}.")
        if not (mean := float(weights @ y)) > 0:
            raise DataError("Exponential.fit needs a value above 0.")
        return cls(1.0 / mean)

    @property
    def natural(self) -> Vector:
        return np.array([-self.rate], dtype=np.float64)

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(-float(eta[0]))

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(y, dtype=np.float64)[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        return np.zeros(len(np.asarray(y)))

    def log_partition(self, eta: Vector) -> float:
        return -float(np.log(-eta[0])) if eta[0] < 0 else np.inf

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(-1.0 / eta)

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.asarray(1.0 / eta**2)[:, None]
