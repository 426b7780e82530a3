"""Beta-binomial: successes whose probability varies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import betaln

from infimum.distributions._distribution import Distribution
from infimum.distributions.inference._likeliest import likeliest
from infimum.errors import DataError
from infimum.parameters import positive, whole
from infimum.typing import Mask, Vector

__all__ = ["BetaBinomial"]


@dataclass(frozen=True)
class BetaBinomial(Distribution):
    r"""The binomial law averaged over a Beta(`a`, `b`) probability.

    .. math:: p(k; a, b) = \binom{n}{k} \frac{B(k + a, n - k + b)}{B(a, b)}

    ``BetaBinomial.fit`` takes the number of trials from the largest count.

    Examples
    --------
    >>> BetaBinomial(1.0, 1.0, trials=4).density([0, 4]).round(3)
    array([0.2, 0.2])
    """

    a: float = field(default=1.0, metadata={"domain": positive})
    b: float = field(default=1.0, metadata={"domain": positive})
    trials: int = field(default=1, metadata={"domain": whole(1)})

    support: ClassVar[str] = "{0, …, trials}"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 0) & (y <= self.trials) & (y == np.floor(y)))

    def _log_density(self, y: Vector) -> Vector:
        rest = self.trials - y
        ways = -betaln(rest + 1.0, y + 1.0) - np.log(self.trials + 1.0)
        return np.asarray(
            ways + betaln(y + self.a, rest + self.b) - betaln(self.a, self.b)
        )

    @property
    def mean(self) -> float:
        return float(self.trials * self.a / (self.a + self.b))

    @property
    def variance(self) -> float:
        return float(self._spread())

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, float(self.trials)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        shares = rng.beta(self.a, self.b, size=n)
        return rng.binomial(self.trials, shares).astype(np.float64)

    def _spread(self) -> float:
        total, share = self.a + self.b, self.a / (self.a + self.b)
        single = self.trials * share * (1.0 - share)
        return float(single * (total + self.trials) / (total + 1.0))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.betabinom(self.trials, self.a, self.b)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        trials = max(int(y.max()), 1)
        if not cls(1.0, 1.0, trials).covers(y).all():
            raise DataError("BetaBinomial reads whole numbers that are not negative.")
        if not float(np.ptp(y)) > 0:
            raise DataError("BetaBinomial.fit needs two different values or more.")
        return likeliest(
            lambda a, b: cls(a, b, trials), y, weights, (1.0, 1.0), (True, True)
        )
