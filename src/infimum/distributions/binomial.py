"""Binomial: how many of a fixed number of trials succeed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, bdtrc, expit, gammaln, logit, xlog1py, xlogy

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import closed, whole
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Binomial"]


@dataclass(frozen=True)
class Binomial(ExponentialFamily):
    r"""The law of the number of successes in `trials` independent tosses.

    .. math:: p(k; p) = \binom{n}{k} p^k (1 - p)^{n - k}

    The number of trials is known: ``Binomial.fit`` takes it from the largest count, and
    `with_trials` fits the probability for a given one.

    Examples
    --------
    >>> Binomial.with_trials(10, [3, 5, 4])
    Binomial(p=0.4, trials=10)
    """

    p: float = field(default=0.5, metadata={"domain": closed(0, 1)})
    trials: int = field(default=1, metadata={"domain": whole(1)})

    support: ClassVar[str] = "{0, …, trials}"
    discrete: ClassVar[bool] = True

    @classmethod
    def with_trials(cls, trials: int, y: ArrayLike) -> Self:
        """Return the likeliest law for a known number of trials."""
        counts = np.asarray(y, dtype=np.float64)
        if not cls(0.5, trials).covers(counts).all():
            raise DataError(f"Binomial reads whole numbers from 0 to {trials}.")
        return cls(float(counts.mean()) / trials, trials)

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 0) & (y <= self.trials) & (y == np.floor(y)))

    def _log_density(self, y: Vector) -> Vector:
        rest = self.trials - y
        return np.asarray(self.log_base(y) + xlogy(y, self.p) + xlog1py(rest, -self.p))

    @property
    def mean(self) -> float:
        return float(self.trials * self.p)

    @property
    def variance(self) -> float:
        return float(self.trials * self.p * (1.0 - self.p))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.binomial(self.trials, self.p, size=n).astype(np.float64)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, float(self.trials)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(bdtr(y, self.trials, self.p))

    def _survival(self, y: Vector) -> Vector:
        return np.asarray(bdtrc(y, self.trials, self.p))

    def _characteristic(self, omega: Vector) -> Any:
        return (1.0 - self.p + self.p * np.exp(1j * omega)) ** self.trials

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.binom(self.trials, self.p)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        trials = max(int(y.max()), 1)
        if not cls(0.5, trials).covers(y).all():
            raise DataError("Binomial reads whole numbers that are not negative.")
        return cls(min(float(weights @ y) / trials, 1.0), trials)

    @property
    def natural(self) -> Vector:
        return np.array([float(logit(self.p))])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(float(expit(eta[0])), self.trials)

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(y, dtype=np.float64)[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        k, n = np.asarray(y, dtype=np.float64), self.trials
        return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))

    def log_partition(self, eta: Vector) -> float:
        return self.trials * float(np.logaddexp(0.0, eta[0]))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.array([self.trials * float(expit(eta[0]))])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.array([[self.trials * float(expit(eta[0]) * expit(-eta[0]))]])
