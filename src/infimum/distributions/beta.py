"""Beta: a probability that is itself uncertain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    betainc,
    betaincc,
    betaincinv,
    betaln,
    polygamma,
    psi,
    xlog1py,
    xlogy,
)

from infimum.distributions._log_averages import log_averages
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import positive
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Beta"]


@dataclass(frozen=True)
class Beta(ExponentialFamily):
    r"""A law on the open interval (0, 1), conjugate to coin tosses.

    .. math:: p(y; a, b) = \frac{y^{a - 1} (1 - y)^{b - 1}}{B(a, b)}

    As a prior it counts like a - 1 successes and b - 1 failures seen before. The
    likeliest law has no closed form; Newton's method finds it.

    Examples
    --------
    >>> Beta(2.0, 2.0).mean, Beta(3.0, 2.0).mode.__round__(3)
    (0.5, 0.667)
    """

    a: float = field(default=1.0, metadata={"domain": positive})
    b: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "(0, 1)"

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y > 0) & (y < 1))

    def _log_density(self, y: Vector) -> Vector:
        kernel = xlogy(self.a - 1.0, y) + xlog1py(self.b - 1.0, -y)
        return np.asarray(kernel - betaln(self.a, self.b))

    @property
    def mean(self) -> float:
        return float(self.a / (self.a + self.b))

    @property
    def variance(self) -> float:
        total = self.a + self.b
        return float(self.a * self.b / (total**2 * (total + 1.0)))

    @property
    def mode(self) -> float:
        """The value of highest density; the density must have a peak inside."""
        if self.a < 1 or self.b < 1 or self.a + self.b == 2:  # noqa: PLR2004
            raise DataError(f"{self!r} has no single peak inside (0, 1).")
        return float((self.a - 1.0) / (self.a + self.b - 2.0))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.beta(self.a, self.b, size=n)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, 1.0

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(betainc(self.a, self.b, y))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(betaincc(self.a, self.b, y))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(betaincinv(self.a, self.b, q))

    def entropy(self) -> float:
        eta = self.natural
        slope = self.mean_statistics(eta)
        return float(self.log_partition(eta) - (eta - 1.0) @ slope)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.beta(self.a, self.b)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"Beta reads values in {cls.support}.")
        mean = float(weights @ y)
        variance = float(weights @ (y - mean) ** 2)
        if variance <= 0 or np.ptp(y) == 0:
            raise DataError("Beta.fit needs two different values or more.")
        logs = weights @ cls().statistics(y)
        return cls._of_averages(mean, variance, logs)

    @classmethod
    def _of_sums(cls, y: Vector) -> Self | None:
        own = log_averages(y) if y.ndim == 1 else None
        rest = None if own is None else log_averages(y, 1.0, -1.0)
        if own is None or rest is None:
            return None
        mean, second = float(own[0, 0]), float(own[1, 0])
        logs = np.array([own[2, 0], rest[2, 0]])
        return cls._of_averages(mean, max(second - mean**2, 1e-16), logs)

    @classmethod
    def _of_averages(cls, mean: float, variance: float, logs: Vector) -> Self:
        # Matched mean and variance are near enough for Newton's method to start.
        total = max(mean * (1.0 - mean) / variance - 1.0, 1e-2)
        return cls(mean * total, (1.0 - mean) * total).matching(logs)

    @property
    def natural(self) -> Vector:
        return np.array([self.a, self.b], dtype=np.float64)

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(float(eta[0]), float(eta[1]))

    def statistics(self, y: ArrayLike) -> Matrix:
        values = np.asarray(y, dtype=np.float64)
        return np.column_stack([np.log(values), np.log1p(-values)])

    def log_base(self, y: ArrayLike) -> Vector:
        return -np.asarray(self.statistics(y).sum(axis=1))

    def log_partition(self, eta: Vector) -> float:
        return float(betaln(eta[0], eta[1])) if eta.min() > 0 else np.inf

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(psi(eta) - psi(eta.sum()))

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.asarray(np.diag(polygamma(1, eta)) - polygamma(1, eta.sum()))
