"""Geometric: how many failures come before the first success."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlog1py

from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import Interval
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Geometric"]


@dataclass(frozen=True)
class Geometric(ExponentialFamily):
    r"""The law of the number of failures before a success of probability `p`.

    .. math:: p(k; p) = p (1 - p)^k, \qquad
              \eta = \log(1 - p),\quad A(\eta) = -\log(1 - e^\eta)

    It is the exponential family of a single count with the uniform base measure.

    Examples
    --------
    >>> Geometric.fit([0, 2, 4]).p.__round__(3)
    0.333
    """

    p: float = field(default=0.5, metadata={"domain": Interval(0, 1, open_low=True)})

    support: ClassVar[str] = "{0, 1, 2, …}"
    discrete: ClassVar[bool] = True

    def covers(self, y: Vector) -> Mask:
        return np.asarray((y >= 0) & (y == np.floor(y)) & np.isfinite(y))

    def _log_density(self, y: Vector) -> Vector:
        return np.asarray(np.log(self.p) + xlog1py(y, -self.p))

    @property
    def mean(self) -> float:
        return float((1.0 - self.p) / self.p)

    @property
    def variance(self) -> float:
        return float((1.0 - self.p) / self.p**2)

    def _cdf(self, y: Vector) -> Vector:
        return np.asarray(-np.expm1(xlog1py(y + 1.0, -self.p)))

    def _survival(self, y: Vector) -> Vector:
        return np.exp(xlog1py(y + 1.0, -self.p))

    def _characteristic(self, omega: Vector) -> Any:
        return self.p / (1.0 - (1.0 - self.p) * np.exp(1j * omega))

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        return rng.geometric(self.p, size=n).astype(np.float64) - 1.0

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.geom(self.p, loc=-1)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls().covers(y).all():
            raise DataError(f"Geometric reads values in {cls.support}.")
        return cls(1.0 / (1.0 + float(weights @ y)))

    @property
    def natural(self) -> Vector:
        with np.errstate(divide="ignore"):
            return np.array([np.log1p(-self.p)])

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(-float(np.expm1(eta[0])))

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(y, dtype=np.float64)[:, None]

    def log_base(self, y: ArrayLike) -> Vector:
        return np.zeros(len(np.asarray(y)))

    def log_partition(self, eta: Vector) -> float:
        return -float(np.log(-np.expm1(eta[0]))) if eta[0] < 0 else np.inf

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(1.0 / np.expm1(-eta))

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.asarray(0.25 / np.sinh(0.5 * eta) ** 2)[:, None]
