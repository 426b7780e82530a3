"""Cauchy distribution, which has no mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.errors import DataError
from infimum.parameters import Interval, positive
from infimum.typing import Mask, Vector

__all__ = ["Cauchy"]

STEPS = 10_000
HALF = 0.5


@dataclass(frozen=True)
class Cauchy(Distribution):
    r"""The Cauchy law, whose tails are too heavy for a mean or a variance.

    .. math:: p(y; m, s) = \frac{1}{π s\,(1 + ((y - m)/s)^2)}

    The mean of n values has the same law as one of them, whatever n is; their median
    does settle. Mean and variance are NaN.

    Examples
    --------
    >>> law = Cauchy()
    >>> law.mean, law.median, law.density([0.0]).round(4)
    (nan, 0.0, array([0.3183]))
    """

    location: float = field(default=0.0, metadata={"domain": Interval(-np.inf, np.inf)})
    scale: float = field(default=1.0, metadata={"domain": positive})

    support: ClassVar[str] = "the real numbers"

    def covers(self, y: Vector) -> Mask:
        return np.isfinite(y)

    def _log_density(self, y: Vector) -> Vector:
        far = ((y - self.location) / self.scale) ** 2
        return np.asarray(-np.log(np.pi * self.scale) - np.log1p(far))

    @property
    def mean(self) -> float:
        return float("nan")

    @property
    def variance(self) -> float:
        return float("nan")

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return self.location + self.scale * rng.standard_cauchy(n)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(np.arctan2(1.0, (self.location - y) / self.scale) / np.pi)

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(np.arctan2(1.0, (y - self.location) / self.scale) / np.pi)

    def _quantile(self, q: Vector) -> Vector:
        turned = np.where(q < 0.5, -1.0 / np.tan(np.pi * q), np.tan(np.pi * (q - 0.5)))
        return np.asarray(self.location + self.scale * turned)

    def _characteristic(self, omega: Vector) -> Any:
        return np.exp(1j * self.location * omega - self.scale * np.abs(omega))

    def entropy(self) -> float:
        return float(np.log(4.0 * np.pi) + np.log(self.scale))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.cauchy(self.location, self.scale)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        """Reweigh until the likelihood equations hold; they have one solution.

        That is so unless half of the weight lies on one value or on two.
        """
        values, places = np.unique(y, return_inverse=True)
        shares = np.bincount(places, weights)
        if shares.max() >= HALF or np.sort(shares)[-2:].sum() >= 1.0 - 1e-12:
            raise DataError(
                "Cauchy.fit: half of the values or more are equal; no law is likeliest."
            )
        order = np.cumsum(shares)
        middle = float(values[np.searchsorted(order, HALF)])
        values = values - middle  # so that the last digits are those of the spread
        location, scale = 0.0, float(values[np.searchsorted(order, 0.75)]) or 1.0
        for _ in range(STEPS):
            pull = 2.0 * shares / (1.0 + ((values - location) / scale) ** 2)
            moved = float(pull @ values) / float(pull.sum())
            # At the solution the pulls sum to 1; dividing by their sum hastens.
            apart = (values - moved) / scale  # no square of a tiny unit
            spread = scale * np.sqrt(float(pull @ apart**2) / float(pull.sum()))
            change = abs(moved - location) + abs(spread - scale)
            location, scale = moved, float(spread)
            if change <= 1e-14 * (abs(location) + scale):
                break
        return cls(middle + location, scale)
