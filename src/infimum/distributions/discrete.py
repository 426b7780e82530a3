"""Discrete: finitely many values, each with its probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import numbers
from infimum.errors import InvalidParameterError
from infimum.typing import Mask, Vector

__all__ = ["Discrete"]


@dataclass(frozen=True)
class Discrete(Distribution):
    """The law of a random variable with finitely many `values`, whole or not.

    Examples
    --------
    >>> die = Discrete.uniform(range(1, 7))
    >>> die.mean, die.probability(2, 4).round(3)
    (3.5, np.float64(0.5))
    """

    values: tuple[float, ...] = (0.0, 1.0)
    probabilities: tuple[float, ...] = (0.5, 0.5)

    support: ClassVar[str] = "the given values"
    discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        values = numbers("Discrete.values", self.values)
        shares = numbers("Discrete.probabilities", self.probabilities)
        if values.ndim != 1 or not np.isfinite(values).all() or not len(values):
            raise InvalidParameterError("Discrete.values must be finite numbers.")
        if shares.shape != values.shape or len(np.unique(values)) != len(values):
            raise InvalidParameterError(
                "Discrete takes different values, and one probability for each."
            )
        if not (shares >= 0).all() or abs(shares.sum() - 1.0) > 1e-9:
            raise InvalidParameterError(
                "Discrete.probabilities must be non-negative numbers that sum to 1, "
                f"got {self.probabilities!r}."
            )
        order = np.argsort(values)
        object.__setattr__(self, "values", tuple(values[order].tolist()))
        object.__setattr__(self, "probabilities", tuple(shares[order].tolist()))

    @classmethod
    def uniform(cls, values: Any) -> Self:
        """Return the law under which all values are equally probable."""
        taken = tuple(float(value) for value in values)
        return cls(taken, (1.0 / len(taken),) * len(taken) if taken else ())

    def covers(self, y: Vector) -> Mask:
        return np.isin(y, self.values)

    def _log_density(self, y: Vector) -> Vector:
        with np.errstate(divide="ignore"):
            logs = np.log(np.array(self.probabilities))
        return np.asarray(logs[np.searchsorted(self.values, y)])

    @property
    def mean(self) -> float:
        return float(np.dot(self.values, self.probabilities))

    @property
    def variance(self) -> float:
        apart = np.array(self.values) - self.mean
        return float(apart**2 @ np.array(self.probabilities))

    @property
    def ends(self) -> tuple[float, float]:
        return self.values[0], self.values[-1]

    def atoms(self, beyond: float = 0.0) -> Vector:
        return np.array(self.values)[np.array(self.probabilities) > beyond]

    def _below(self, y: Any, inside: Any, low: float) -> Vector:
        sums = np.append(0.0, np.minimum(np.cumsum(self.probabilities), 1.0))
        given = numbers("Discrete", y)
        found = sums[np.searchsorted(self.values, given, side="right")]
        found = np.where(given >= self.values[-1], 1.0, found)
        found = np.where(np.isnan(given), np.nan, found)
        return np.asarray(1.0 - found if low else found)

    def _quantile(self, q: Vector) -> Vector:
        sums = np.cumsum(self.probabilities)
        places = np.searchsorted(sums, q - 1e-15)
        return np.array(self.values)[np.minimum(places, len(self.values) - 1)]

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        from infimum.distributions.sampling import AliasTable

        places = AliasTable(self.probabilities).draw(n, rng)
        return np.asarray(np.array(self.values)[places])

    def _characteristic(self, omega: Vector) -> NDArray[np.complex128]:
        waves = np.exp(1j * np.multiply.outer(omega, np.array(self.values)))
        return np.asarray(waves @ np.array(self.probabilities), dtype=np.complex128)

    def to_scipy(self) -> Any:
        from scipy import stats

        return stats.rv_discrete(values=(self.values, self.probabilities))

    @classmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        values, places = np.unique(y, return_inverse=True)
        counts = np.bincount(places, weights)
        shares = counts / counts.sum()
        return cls(tuple(values.tolist()), tuple(shares.tolist()))
