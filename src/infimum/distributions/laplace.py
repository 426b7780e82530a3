"""Laplace: two exponential laws back to back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.errors import DataError
from infimum.parameters import Interval, positive
from infimum.typing import Mask, Vector

__all__ = ["Laplace"]


@dataclass(frozen=True)
class Laplace(Distribution):
    r"""The double exponential law; its likeliest location is a median.

    .. math:: p(y; m, s) = \frac{1}{2s} e^{-|y - m|/s}

    Examples
    --------
    >>> Laplace.fit([0.0, 1.0, 5.0, 1.0])
    Laplace(location=1.0, scale=1.25)
    """

    location: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})
    scale: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "the real numbers"

    def covers(self, y: Vector) -> Mask:
        return np.asarray(np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(
            -np.abs(y - self.location) / self.scale - np.log(2 * self.scale)
        )

    @property
    def mean(self) -> float:
        return float(self.location)

    @property
    def variance(self) -> float:
        return float(2.0 * self.scale**2)

    def _cdf(self, y: Vector) -> Vector:
        far = (y - self.location) / self.scale
        tail = 0.5 * np.exp(-np.abs(far))
        return np.asarray(np.where(far < 0, tail, 1.0 - tail))

    def _survival(self, y: Vector) -> Vector:
        return self._cdf(2.0 * self.location - y)

    def _quantile(self, q: Vector) -> Vector:
        far = np.where(q < 0.5, np.log(2.0 * q), -np.log(2.0 * (1.0 - q)))
        return np.asarray(self.location + self.scale * far)

    def _characteristic(self, omega: Vector) -> Any:
        wave = np.exp(1j * self.location * omega)
        return wave / (1.0 + (self.scale * omega) ** 2)

    def entropy(self) -> float:
        return float(1.0 + np.log(2.0 * self.scale))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.laplace(self.location, self.scale)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        order = np.argsort(y, kind="stable")
        half = np.searchsorted(np.cumsum(weights[order]), 0.5 - 1e-12)
        location = float(y[order][min(int(half), len(y) - 1)])
        scale = float(weights @ np.abs(y - location))
        if not scale > 0:
            raise DataError("Laplace.fit needs two different values or more.")
        return cls(location, scale)
