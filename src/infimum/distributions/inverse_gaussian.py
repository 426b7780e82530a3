"""Inverse Gaussian: when a drifting particle first arrives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtr

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import positive
from infimum.typing import Mask, Matrix, Vector

__all__ = ["InverseGaussian"]


@dataclass(frozen=True)
class InverseGaussian(ExponentialFamily):
    r"""The inverse normal law of positive amounts; `location` is its mean.

    .. math:: p(y; m, \lambda) = \sqrt{\frac{\lambda}{2\pi y^3}}
              \exp\Bigl(-\frac{\lambda (y - m)^2}{2 m^2 y}\Bigr)

    With the base measure y^(-3/2) the statistics are -y and -1/y and the natural
    parameters λ/(2m²) and λ/2.

    Examples
    --------
    >>> InverseGaussian(2.0, 4.0).variance
    2.0
    """

    location: float = field(default=1.0, metadata={"domain": positive})
    shape: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "(0, inf)"

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y > 0) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        far = self.shape * (y - self.location) ** 2 / (2.0 * self.location**2 * y)
        return np.asarray(
            0.5 * np.log(self.shape / (2.0 * np.pi)) - 1.5 * np.log(y) - far
        )

    @property
    def mean(self) -> float:
        return float(self.location)

    @property
    def variance(self) -> float:
        return float(self.location**3 / self.shape)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, np.inf

    def _cdf(self, y: Vector) -> Vector:
        root = np.sqrt(self.shape / y)
        near, far = y / self.location - 1.0, y / self.location + 1.0
        mirrored = 2.0 * self.shape / self.location + log_ndtr(-root * far)
        return np.asarray(ndtr(root * near) + np.exp(mirrored))

    def _survival(self, y: Vector) -> Vector:
        root = np.sqrt(self.shape / y)
        near, far = y / self.location - 1.0, y / self.location + 1.0
        mirrored = 2.0 * self.shape / self.location + log_ndtr(-root * far)
        return np.asarray(np.maximum(ndtr(-root * near) - np.exp(mirrored), 0.0))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.wald(self.location, self.shape, size=n)

    def _characteristic(self, omega: Vector) -> Any:
        ratio = self.shape / self.location
        inside = 1.0 - 2j * self.location**2 * omega / self.shape
        return np.exp(ratio * (1.0 - np.sqrt(inside)))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.invgauss(self.location / self.shape, scale=self.shape)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"InverseGaussian reads values in {cls.support}.")
        mean = float(weights @ y)
        excess = float(weights @ (1.0 / y)) - 1.0 / mean
        if not excess > 1e-14 / mean:
            raise DataError("InverseGaussian.fit needs two different values or more.")
        return cls(mean, 1.0 / excess)

    @property
    def natural(self) -> Vector:
        return np.array([0.5 * self.shape / self.location**2, 0.5 * self.shape])

    def from_natural(self, eta: Vector) -> Self:
        first, second = float(eta[0]), float(eta[1])
        return type(self)(float(np.sqrt(second / first)), 2.0 * second)

    def statistics(self, y: ArrayLike) -> Matrix:
        values = np.asarray(y, dtype=np.float64)
        return np.column_stack([-values, -1.0 / values])

    def log_base(self, y: ArrayLike) -> Vector:
        return -1.5 * np.log(np.asarray(y, dtype=np.float64))

    def log_partition(self, eta: Vector) -> float:
        if eta.min() <= 0:
            return np.inf
        root = np.sqrt(eta[0] * eta[1])
        return float(0.5 * np.log(np.pi / eta[1]) - 2.0 * root)

    def mean_statistics(self, eta: Vector) -> Vector:
        ratio = np.sqrt(eta[1] / eta[0])
        return np.array([-ratio, -1.0 / ratio - 0.5 / eta[1]])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        first, second = float(eta[0]), float(eta[1])
        root = np.sqrt(first * second)
        inner = 0.5 * root / second**2 + 0.5 / second**2
        return np.array([[0.5 * root / first**2, -0.5 / root], [-0.5 / root, inner]])
