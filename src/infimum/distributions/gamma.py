"""Gamma: waiting times and other positive amounts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    gammainc,
    gammaincc,
    gammaincinv,
    gammaln,
    polygamma,
    psi,
    xlogy,
    zeta,
)

from infimum.distributions._log_averages import log_averages
from infimum.distributions.exponential_family import (
    NEWTON_STEPS,
    ExponentialFamily,
)
from infimum.errors import DataError
from infimum.parameters import positive
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Gamma"]

ALIKE = "Gamma.fit needs two different values or more."


#: A distance from the mean whose fourth power may be left out, and a shape at which
#: the first guess is exact to as many digits as there are.
LITTLE, LARGE = 1e-5, 1e7


@dataclass(frozen=True)
class Gamma(ExponentialFamily):
    r"""A law of positive amounts, conjugate to the rate of a Poisson count.

    .. math:: p(y; k, \theta) = \frac{y^{k - 1} e^{-y/\theta}}{\Gamma(k)\, \theta^k}

    `shape` is k and `scale` is θ, the inverse of a rate. The likeliest law has no
    closed form; Newton's method finds it.

    Examples
    --------
    >>> Gamma(shape=2.0, scale=3.0).mean
    6.0
    """

    shape: float = field(default=1.0, metadata={"domain": positive})
    scale: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "(0, inf)"

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y > 0) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        kernel = xlogy(self.shape - 1.0, y) - y / self.scale
        return np.asarray(
            kernel - gammaln(self.shape) - self.shape * np.log(self.scale)
        )

    @property
    def mean(self) -> float:
        return float(self.shape * self.scale)

    @property
    def variance(self) -> float:
        return float(self.shape * self.scale**2)

    @property
    def mode(self) -> float:
        """The value of highest density; the density must have a peak inside."""
        if self.shape <= 1:
            raise DataError(f"{self!r} has no peak inside (0, inf).")
        return float((self.shape - 1.0) * self.scale)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.gamma(self.shape, self.scale, size=n)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, np.inf

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(gammainc(self.shape, y / self.scale))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(gammaincc(self.shape, y / self.scale))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(gammaincinv(self.shape, q) * self.scale)

    def _characteristic(self, omega: Vector) -> Any:
        return (1.0 - 1j * self.scale * omega) ** -self.shape

    def entropy(self) -> float:
        k = self.shape
        return float(k + np.log(self.scale) + gammaln(k) + (1.0 - k) * psi(k))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.gamma(self.shape, scale=self.scale)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"Gamma reads values in {cls.support}.")
        if np.ptp(y) == 0:
            raise DataError(ALIKE)
        # log E[y] - E[log y], without the difference of two large numbers.
        mean = float(weights @ y)
        apart = (y - mean) / mean
        bent = apart**2 * (0.5 - apart * (1.0 / 3.0 - 0.25 * apart))
        above = apart - np.log1p(np.maximum(apart, -0.5))
        rest = np.where(apart > -0.5, above, apart - np.log(y) + np.log(mean))
        rest = np.where(np.abs(apart) < LITTLE, bent, rest)
        return cls._of_excess(mean, float(weights @ rest))

    @classmethod
    def _of_sums(cls, y: Vector) -> Self | None:
        averages = log_averages(y) if y.ndim == 1 else None
        if averages is None:
            return None
        mean, logs = float(averages[0, 0]), float(averages[2, 0])
        excess = float(np.log(mean)) - logs
        return cls._of_excess(mean, excess) if excess > LITTLE else None

    @classmethod
    def _of_excess(cls, mean: float, excess: float) -> Self:
        if not excess > 0:
            raise DataError(ALIKE)
        shape = _shape(excess)
        return cls(shape, mean / shape)

    @property
    def natural(self) -> Vector:
        return np.array([self.shape, -1.0 / self.scale])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(float(eta[0]), -1.0 / float(eta[1]))

    def statistics(self, y: ArrayLike) -> Matrix:
        values = np.asarray(y, dtype=np.float64)
        return np.column_stack([np.log(values), values])

    def log_base(self, y: ArrayLike) -> Vector:
        return -np.log(np.asarray(y, dtype=np.float64))

    def log_partition(self, eta: Vector) -> float:
        if eta[0] <= 0 or eta[1] >= 0:
            return np.inf
        return float(gammaln(eta[0]) - eta[0] * np.log(-eta[1]))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.array([float(psi(eta[0])) - np.log(-eta[1]), -eta[0] / eta[1]])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        cross = -1.0 / eta[1]
        return np.array(
            [[float(polygamma(1, eta[0])), cross], [cross, eta[0] / eta[1] ** 2]]
        )


def _shape(excess: float) -> float:
    """Solve log k - ψ(k) = excess, by Newton's steps on 1/k (Minka, 2002)."""
    root = np.sqrt((excess - 3.0) ** 2 + 24.0 * excess)
    shape = float((3.0 - excess + root) / (12.0 * excess))
    if shape > LARGE:
        return shape
    for _ in range(NEWTON_STEPS):
        gap = float(np.log(shape) - psi(shape)) - excess
        slope = 1.0 / shape - float(zeta(2.0, shape))
        nearer = 1.0 / (1.0 / shape + gap / (shape**2 * slope))
        if not nearer > 0 or abs(nearer - shape) <= 1e-15 * shape:
            break
        shape = nearer
    return shape
