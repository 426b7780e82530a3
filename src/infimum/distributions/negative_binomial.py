"""Negative binomial: Poisson counts whose rate varies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import betainc, betaincc, gammaln, xlog1py

from infimum.distributions._distribution import Distribution
from infimum.distributions.inference._likeliest import likeliest
from infimum.errors import DataError
from infimum.parameters import Interval, positive
from infimum.typing import Mask, Vector

__all__ = ["NegativeBinomial"]


@dataclass(frozen=True)
class NegativeBinomial(Distribution):
    r"""The law of the failures before a number of `successes` of probability `p`.

    .. math:: p(k; r, p) = \frac{\Gamma(k + r)}{k!\,\Gamma(r)} p^r (1 - p)^k

    It is the Poisson law averaged over a Gamma rate of shape r and scale (1 - p)/p; r
    need not be whole.

    Examples
    --------
    >>> NegativeBinomial(2.0, 0.5).mean
    2.0
    """

    successes: float = field(default=1.0, metadata={"domain": positive})
    p: float = field(default=0.5, metadata={"domain": Interval(0, 1, open_low=True)})

    support: ClassVar[str] = "{0, 1, 2, …}"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 0) & (y == np.floor(y)) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        ways = gammaln(y + self.successes) - gammaln(y + 1.0) - gammaln(self.successes)
        return np.asarray(ways + self.successes * np.log(self.p) + xlog1py(y, -self.p))

    @property
    def mean(self) -> float:
        return float(self.successes * (1.0 - self.p) / self.p)

    @property
    def variance(self) -> float:
        return float(self.successes * (1.0 - self.p) / self.p**2)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(betainc(self.successes, y + 1.0, self.p))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(betaincc(self.successes, y + 1.0, self.p))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.negative_binomial(self.successes, self.p, size=n).astype(np.float64)

    def _characteristic(self, omega: Vector) -> Any:
        around = 1.0 - (1.0 - self.p) * np.exp(1j * omega)
        return (self.p / around) ** self.successes

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.nbinom(self.successes, self.p)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"NegativeBinomial reads values in {cls.support}.")
        mean = float(weights @ y)
        spread = float(weights @ (y - mean) ** 2)
        if not spread > mean > 0:
            raise DataError(
                "NegativeBinomial.fit needs counts that vary more than their mean; use "
                "Poisson."
            )
        start = mean**2 / (spread - mean)
        law: Any = likeliest(
            lambda r: cls(r, r / (r + mean)), y, weights, (start,), (True,)
        )
        return cls(law.successes, law.p)
