"""Log-series: how many individuals of a species are caught."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exp1, gamma, gammaincc, hyp2f1

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import opened
from infimum.typing import Mask, Matrix, Vector

__all__ = ["LogSeries"]


#: Where the hypergeometric function loses digits, and values summed one by one then.
NEAR_ONE, FEW = 0.9, 200


@dataclass(frozen=True)
class LogSeries(ExponentialFamily):
    r"""The logarithmic law of counts from 1 on.

    .. math:: p(k; p) = \frac{-1}{\log(1 - p)} \frac{p^k}{k}, \qquad
              \eta = \log p,\quad A(\eta) = \log(-\log(1 - e^\eta))

    Examples
    --------
    >>> LogSeries(0.5).density([1.0]).round(4)
    array([0.7213])
    """

    p: float = field(default=0.5, metadata={"domain": opened(0, 1)})

    support: ClassVar[str] = "{1, 2, 3, …}"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 1) & (y == np.floor(y)) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(y * np.log(self.p) - np.log(y) - np.log(-np.log1p(-self.p)))

    @property
    def mean(self) -> float:
        return float(self._odds / -np.log1p(-self.p))

    @property
    def variance(self) -> float:
        return float(self.mean * (1.0 / (1.0 - self.p) - self.mean))

    @property
    def ends(self) -> tuple[float, float]:
        return 1.0, np.inf

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(1.0 - self._survival(y))

    def _survival(self, y: Vector) -> Vector:
        if self.p <= NEAR_ONE:
            tail = self.p ** (y + 1.0) * hyp2f1(1.0, y + 1.0, y + 2.0, self.p)
            return np.asarray(tail / (y + 1.0) / -np.log1p(-self.p))
        first = np.arange(1.0, FEW + 1.0)
        below = np.append(0.0, np.cumsum(self.density(first)))
        near = 1.0 - below[np.minimum(y, FEW).astype(np.intp)]
        return np.where(y <= FEW, near, self._tail(np.maximum(y, FEW) + 1.0))

    def _tail(self, n: Vector) -> Vector:
        """Return P(Y ≥ n) of large n, by the Bernoulli numbers of s/(1 - exp(-s))."""
        start = -np.log(self.p)
        x = start * n
        found = exp1(x) + 0.5 * np.exp(-x) / n
        for power, coefficient in ((2, 1 / 12), (4, -1 / 720), (6, 1 / 30240)):
            rest = gamma(power) * gammaincc(power, x)
            found = found + coefficient * rest / n**power
        return np.asarray(found / -np.log1p(-self.p))

    def _characteristic(self, omega: Vector) -> Any:
        return np.log(1.0 - self.p * np.exp(1j * omega)) / np.log1p(-self.p)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.logseries(self.p, size=n).astype(np.float64)

    @property
    def _odds(self) -> float:
        return float(self.p / (1.0 - self.p))

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.logser(self.p)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"LogSeries reads values in {cls.support}.")
        if not (mean := float(weights @ y)) > 1:
            raise DataError("LogSeries.fit needs a value above 1.")
        start = cls(1.0 - 1.0 / (1.0 + mean))
        return start.matching(np.array([mean]))

    @property
    def natural(self) -> Vector:
        return np.array([np.log(self.p)])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(float(np.exp(eta[0])))

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(y, dtype=np.float64)[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        return -np.log(np.asarray(y, dtype=np.float64))

    def log_partition(self, eta: Vector) -> float:
        if eta[0] >= 0:
            return np.inf
        # Two ways to say log(1 - p), each exact on its side.
        small = eta[0] < -np.log(2.0)
        rest = np.log1p(-np.exp(eta[0])) if small else np.log(-np.expm1(eta[0]))
        return float(np.log(-rest))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.array([self.from_natural(eta).mean])

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.array([[self.from_natural(eta).variance]])
