"""Inverse chi-squared: one over a sum of squares of normal values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, gammaincc, gammainccinv, gammaln, polygamma, psi

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import positive
from infimum.typing import Mask, Matrix, Vector

__all__ = ["InverseChiSquared"]


@dataclass(frozen=True)
class InverseChiSquared(ExponentialFamily):
    r"""The law of 1/Z, where Z is a sum of squares of `degrees` standard normal values.

    .. math:: p(y; \nu) = \frac{2^{-\nu/2}}{\Gamma(\nu/2)}
              y^{-\nu/2 - 1} e^{-1/(2y)}

    With the base measure exp(-1/(2y)) the statistic is -log y, and the natural
    parameter ν/2 + 1 must exceed 1.

    Examples
    --------
    >>> InverseChiSquared(4.0).mean
    0.5
    """

    degrees: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "(0, inf)"

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y > 0) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        half = 0.5 * self.degrees
        kernel = -(half + 1.0) * np.log(y) - 0.5 / y
        return np.asarray(kernel - half * np.log(2.0) - gammaln(half))

    @property
    def mean(self) -> float:
        return float(1.0 / (self.degrees - 2.0) if self.degrees > 2.0 else np.inf)

    @property
    def variance(self) -> float:
        return float(self._spread())

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, np.inf

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(gammaincc(0.5 * self.degrees, 0.5 / y))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(gammainc(0.5 * self.degrees, 0.5 / y))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(0.5 / gammainccinv(0.5 * self.degrees, q))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return 1.0 / rng.chisquare(self.degrees, size=n)

    def _spread(self) -> float:
        if self.degrees <= 4.0:
            return np.inf
        below = self.degrees - 2.0
        return 2.0 / (below**2 * (self.degrees - 4.0))

    def entropy(self) -> float:
        half = 0.5 * self.degrees
        slope = (1.0 + half) * psi(half)
        return float(half + gammaln(half) - np.log(2.0) - slope)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.invgamma(0.5 * self.degrees, scale=0.5)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"InverseChiSquared reads values in {cls.support}.")
        start = cls(max(float(weights @ (1.0 / y)), 1e-2))
        return start.matching(np.array([-float(weights @ np.log(y))]))

    @property
    def natural(self) -> Vector:
        return np.array([0.5 * self.degrees + 1.0])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(2.0 * (float(eta[0]) - 1.0))

    def statistics(self, y: ArrayLike) -> Matrix:
        return -np.log(np.asarray(y, dtype=np.float64))[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        return -0.5 / np.asarray(y, dtype=np.float64)

    def log_partition(self, eta: Vector) -> float:
        if eta[0] <= 1:
            return np.inf
        return float((eta[0] - 1.0) * np.log(2.0) + gammaln(eta[0] - 1.0))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(np.log(2.0) + psi(eta - 1.0))

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.asarray(polygamma(1, eta - 1.0))[:, None]
