"""Dirichlet: probabilities that are themselves uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, polygamma, psi, xlogy

from infimum.distributions._given import numbers
from infimum.distributions._log_averages import WHOLE, log_averages
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Dirichlet", "concentrations"]


@dataclass(frozen=True, eq=False)
class Dirichlet(ExponentialFamily):
    r"""A law of vectors of positive shares that sum to 1.

    .. math:: p(y; \alpha) = \frac{\Gamma(\sum_k \alpha_k)}{\prod_k \Gamma(\alpha_k)}
              \prod_k y_k^{\alpha_k - 1}

    It is conjugate to the probabilities of a die. The likeliest law has no closed
    form; Newton's method finds it.

    Examples
    --------
    >>> Dirichlet([1.0, 2.0, 5.0]).mean
    array([0.125, 0.25 , 0.625])
    """

    concentration: Vector

    support: ClassVar[str] = "positive shares that sum to 1"
    event_axes: ClassVar[int] = 1

    def __post_init__(self) -> None:
        taken = concentrations("Dirichlet", self.concentration)
        object.__setattr__(self, "concentration", taken)

    def covers(self, y: Vector) -> Mask:
        if y.ndim == 0 or y.shape[-1] != len(self.concentration):
            raise DataError(
                f"Dirichlet reads {len(self.concentration)} shares, got an array of "
                f"shape {y.shape}."
            )
        whole = np.abs(y.sum(axis=-1) - 1.0) <= WHOLE
        return np.asarray((y > 0).all(axis=-1) & whole)

    def _log_density(self, y: Vector) -> Vector:
        kernel = xlogy(self.concentration - 1.0, y).sum(axis=-1)
        return np.asarray(kernel - self.log_partition(self.concentration))

    @property
    def mean(self) -> Vector:
        return np.asarray(self.concentration / self.concentration.sum())

    @property
    def variance(self) -> Matrix:
        """The covariance matrix."""
        share = self.mean
        spread = np.diag(share) - np.outer(share, share)
        return np.asarray(spread / (self.concentration.sum() + 1.0))

    @property
    def deviation(self) -> Vector:
        """The standard deviation of each share."""
        return np.sqrt(np.diag(self.variance))

    @property
    def mode(self) -> Vector:
        """The shares of highest density; every concentration must exceed 1."""
        if self.concentration.min() <= 1:
            raise DataError("The Dirichlet law has no peak inside the simplex.")
        above = self.concentration - 1.0
        return np.asarray(above / above.sum())

    def _sample(self, n: int, rng: np.random.Generator) -> Matrix:
        return rng.dirichlet(self.concentration, size=n)

    def entropy(self) -> float:
        alpha = self.concentration
        slope = self.mean_statistics(alpha)
        return float(self.log_partition(alpha) - (alpha - 1.0) @ slope)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.dirichlet(self.concentration)

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        if not cls(np.ones(y.shape[1])).covers(y).all():
            raise DataError(f"Dirichlet reads {cls.support}.")
        return cls._of_averages(weights @ y, weights @ y**2, weights @ np.log(y))

    @classmethod
    def _of_sums(cls, y: Vector) -> Self | None:
        averages = log_averages(y, shares=True) if y.ndim == 2 else None  # noqa: PLR2004
        return None if averages is None else cls._of_averages(*averages)

    @classmethod
    def _of_averages(cls, mean: Vector, second: Vector, logs: Vector) -> Self:
        spread = float((second - mean**2).sum())
        if not spread > 0:
            raise DataError("Dirichlet.fit needs two different rows or more.")
        # Matched mean and total variance are near enough for Newton's method to start.
        total = max(float((mean - mean**2).sum()) / spread - 1.0, 1e-2)
        return cls(total * mean).matching(logs)

    @property
    def natural(self) -> Vector:
        return self.concentration

    def from_natural(self, eta: Vector) -> Self:
        return type(self)(eta)

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.log(np.asarray(y, dtype=np.float64))

    def log_base(self, y: ArrayLike) -> Vector:
        return -np.asarray(self.statistics(y).sum(axis=1))

    def log_partition(self, eta: Vector) -> float:
        if eta.min() <= 0:
            return np.inf
        return float(gammaln(eta).sum() - gammaln(eta.sum()))

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(psi(eta) - psi(eta.sum()))

    def statistics_covariance(self, eta: Vector) -> Matrix:
        return np.asarray(np.diag(polygamma(1, eta)) - polygamma(1, eta.sum()))


def concentrations(owner: str, given: ArrayLike) -> Vector:
    """Return positive concentrations as an array, or refuse them."""
    taken = numbers(f"{owner}.concentration", given).copy()
    usable = taken.ndim == 1 and len(taken) and np.isfinite(taken).all()
    if not usable or taken.min() <= 0:
        raise InvalidParameterError(
            f"{owner}.concentration must be positive numbers, got {given!r}."
        )
    return taken
