"""Logistic: the law whose distribution function is the sigmoid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import expit, log_expit, logit

from infimum.distributions._distribution import Distribution
from infimum.distributions.inference._likeliest import likeliest
from infimum.errors import DataError
from infimum.parameters import Interval, positive
from infimum.typing import Mask, Vector

__all__ = ["Logistic"]


@dataclass(frozen=True)
class Logistic(Distribution):
    r"""A bell with heavier tails than the normal law.

    .. math:: P(Y \le y) = \frac{1}{1 + e^{-(y - m)/s}}

    Examples
    --------
    >>> Logistic().cdf([0.0])
    array([0.5])
    """

    location: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})
    scale: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "the real numbers"

    def covers(self, y: Vector) -> Mask:
        return np.asarray(np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        far = (y - self.location) / self.scale
        return np.asarray(log_expit(far) + log_expit(-far) - np.log(self.scale))

    @property
    def mean(self) -> float:
        return float(self.location)

    @property
    def variance(self) -> float:
        return float((np.pi * self.scale) ** 2 / 3.0)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(expit((y - self.location) / self.scale))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(expit((self.location - y) / self.scale))

    def _quantile(self, q: Vector) -> Vector:
        return np.asarray(self.location + self.scale * logit(q))

    def _characteristic(self, omega: Vector) -> Any:
        far = np.pi * self.scale * omega
        damped = 1.0 / np.where(far == 0, 1.0, np.sinh(far))
        shape = np.where(far == 0, 1.0, far * damped)
        return np.exp(1j * self.location * omega) * shape

    def entropy(self) -> float:
        return float(2.0 + np.log(self.scale))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.logistic(self.location, self.scale)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        middle, size = (
            float(weights @ y),
            float(np.sqrt(weights @ (y - weights @ y) ** 2)),
        )
        if not size > 0:
            raise DataError("Logistic.fit needs two different values or more.")
        return likeliest(cls, y, weights, (middle, 0.55 * size), (False, True))
