"""Normal (Gaussian) distribution."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import Interval, positive
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Normal"]

HALF_LOG_TWO_PI = 0.9189385332046727


@dataclass(frozen=True)
class Normal(ExponentialFamily):
    r"""The normal (Gaussian) law with mean `location` and variance `spread`.

    .. math:: p(y; \mu, \sigma^2) = \frac{1}{\sqrt{2\pi\sigma^2}}
              \exp\Bigl(-\frac{(y - \mu)^2}{2\sigma^2}\Bigr)

    The natural parameters are μ/σ² and -1/(2σ²), the statistics y and y². The
    likeliest variance divides by n, not by n - 1.

    Examples
    --------
    >>> Normal.fit([1.0, 3.0])
    Normal(location=2.0, spread=1.0)
    """

    location: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})
    spread: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "the real numbers"

    def covers(self, y: Vector) -> Mask:
        return np.isfinite(y)

    def _log_density(self, y: Vector) -> Vector:
        distance = (y - self.location) ** 2 / (2.0 * self.spread)
        return np.asarray(-distance - 0.5 * np.log(self.spread) - HALF_LOG_TWO_PI)

    @property
    def mean(self) -> float:
        return float(self.location)

    @property
    def variance(self) -> float:
        return float(self.spread)

    @property
    def mode(self) -> float:
        """The value of highest density."""
        return float(self.location)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.normal(self.location, np.sqrt(self.spread), size=n)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(ndtr(self._standard(y)))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(ndtr(-self._standard(y)))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(self.location + np.sqrt(self.spread) * ndtri(q))

    def _characteristic(self, omega: Vector) -> Any:
        return np.exp(1j * self.location * omega - 0.5 * self.spread * omega**2)

    def _standard(self, y: Vector) -> Vector:
        return np.asarray((y - self.location) / np.sqrt(self.spread))

    def entropy(self) -> float:
        return float(HALF_LOG_TWO_PI + 0.5 + 0.5 * np.log(self.spread))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.norm(self.location, np.sqrt(self.spread))

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        mean = float(weights @ y)
        spread = float(weights @ (y - mean) ** 2)
        if (y == y[0]).all() or not spread > 0:
            raise DataError("Normal.fit needs two different values or more.")
        return cls(mean, spread)

    @property
    def natural(self) -> Vector:
        return np.array([self.location / self.spread, -0.5 / self.spread])

    def from_natural(self, eta: Vector) -> Self:
        variance = -0.5 / float(eta[1])
        return type(self)(float(eta[0]) * variance, variance)

    def statistics(self, y: ArrayLike) -> Matrix:
        values = np.asarray(y, dtype=np.float64)
        return np.column_stack([values, values**2])

    def log_base(self, y: ArrayLike) -> Vector:
        return np.full(len(np.asarray(y)), -HALF_LOG_TWO_PI)

    def log_partition(self, eta: Vector) -> float:
        if eta[1] >= 0:
            return np.inf
        return float(-(eta[0] ** 2) / (4.0 * eta[1]) - 0.5 * np.log(-2.0 * eta[1]))

    def mean_statistics(self, eta: Vector) -> Vector:
        law = self.from_natural(eta)
        return np.array([law.location, law.location**2 + law.spread])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        law = self.from_natural(eta)
        cross = 2.0 * law.location * law.spread
        last = 2.0 * law.spread**2 + 4.0 * law.location**2 * law.spread
        return np.array([[law.spread, cross], [cross, last]])
