"""An exponential family of the user's own statistics, normalised by numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, softmax

from infimum.distributions._given import family as in_family
from infimum.distributions._given import function, numbers
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Mask, Matrix, Vector

__all__ = ["NumericalFamily", "maximum_entropy"]


#: How far a density, times the width of a cell, must have fallen at both ends, in logs.
FALL = 12.0


@dataclass(frozen=True, eq=False)
class NumericalFamily(ExponentialFamily):
    r"""A law p(y) = h(y) exp(⟨T(y), η⟩ - A(η)) with A computed by a sum.

    The sum runs over all values of a finite domain, and over the nodes of a quadrature
    on an interval. Make one with `on_values` or `on_interval`.

    Attributes
    ----------
    function : callable
        T: from n values to an array of shape (n, k).
    eta : ndarray of shape (k,)
        The natural parameters.
    points, log_weights : ndarray
        Where the sum is taken, and the logarithms of weight times base measure.
    base : callable or None
        h, on arrays; None means 1.
    finite : bool
        Whether the points are all values there are.

    Examples
    --------
    >>> die = NumericalFamily.on_values(range(1, 7), lambda y: y[:, None])
    >>> round(die.likeliest([4.0, 5.0]).mean, 6)
    4.5
    """

    function: Callable[[Vector], Matrix]
    eta: Vector
    points: Vector
    log_weights: Vector
    base: Callable[[Vector], Vector] | None = None
    finite: bool = True

    support: ClassVar[str] = "the given domain"

    def __post_init__(self) -> None:
        object.__setattr__(self, "discrete", self.finite)

    @classmethod
    def on_values(
        cls,
        values: Any,
        statistics: Callable[[Vector], Matrix],
        base: Callable[[Vector], Vector] | None = None,
    ) -> Self:
        """Return the family on finitely many numbers, at η = 0."""
        owner = "NumericalFamily.on_values"
        points = np.unique(numbers(owner, list(values)))
        if not len(points) or not np.isfinite(points).all():
            raise DataError(
                "NumericalFamily.on_values takes one finite number or more."
            )
        weights = np.zeros(len(points)) if base is None else np.log(base(points))
        eta = np.zeros(_width(owner, statistics, points))
        return cls(statistics, eta, points, weights, base)

    @classmethod
    def on_interval(
        cls,
        low: float,
        high: float,
        statistics: Callable[[Vector], Matrix],
        base: Callable[[Vector], Vector] | None = None,
        nodes: int = 2000,
    ) -> Self:
        """Return the family on an interval, whose ends may be infinite, at η = 0.

        The nodes are those of the double exponential rule. Where no end is infinite
        the law at η = 0 exists; otherwise ask for one with `of_natural` or `likeliest`.
        """
        owner = "NumericalFamily.on_interval"
        check_domain(f"{owner}.nodes", nodes, whole(20))
        ends = numbers(owner, [low, high])
        if not ends[0] < ends[1]:
            raise DataError(f"{owner} takes low below high, got {low!r} and {high!r}.")
        points, weights = _double_exponential(low, high, nodes)
        if base is not None:
            with np.errstate(divide="ignore"):
                weights = weights + np.log(base(points))
        kept = np.isfinite(weights)
        eta = np.zeros(_width(owner, statistics, points))
        return cls(statistics, eta, points[kept], weights[kept], base, finite=False)

    def covers(self, y: Vector) -> Mask:
        if self.finite:
            return np.isin(y, self.points)
        return np.asarray((y >= self.points[0]) & (y <= self.points[-1]))

    def _log_density(self, y: Vector) -> Vector:
        flat = np.ravel(y)
        logs = self.log_base(flat) + self.statistics(flat) @ self.eta
        return np.asarray(logs - self.log_partition(self.eta)).reshape(y.shape)

    @property
    def shares(self) -> Vector:
        """The probability of each point."""
        return np.asarray(softmax(self._table @ self.eta + self.log_weights))

    @property
    def mean(self) -> float:
        return float(self.shares @ self.points)

    @property
    def variance(self) -> float:
        return float(self.shares @ (self.points - self.mean) ** 2)

    @property
    def ends(self) -> tuple[float, float]:
        return float(self.points[0]), float(self.points[-1])

    def atoms(self, beyond: float = 0.0) -> Vector:
        return np.asarray(self.points)

    def _cdf(self, y: Vector) -> Vector:
        sums = np.minimum(np.cumsum(self.shares), 1.0)
        if self.finite:
            return np.asarray(sums[np.searchsorted(self.points, y, side="right") - 1])
        return np.asarray(np.interp(y, self.points, sums - 0.5 * self.shares))

    def _below(self, y: Any, inside: Any, low: float) -> Vector:
        given = np.asarray(y, dtype=np.float64)
        within = (given >= self.points[0]) & (given < self.points[-1])
        found = np.where(given < self.points[0], 0.0, 1.0)
        found[within] = self._cdf(given[within])
        found[np.isnan(given)] = np.nan
        return np.asarray(1.0 - found if low else found)

    def _sample(self, n: int, rng: np.random.Generator) -> Vector:
        spun = rng.uniform(size=n)
        sums = np.cumsum(self.shares)
        if self.finite:
            places = np.searchsorted(sums / sums[-1], spun)
            return np.asarray(self.points[places])
        return np.asarray(np.interp(spun, sums - 0.5 * self.shares, self.points))

    def likeliest(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> NumericalFamily:
        """Return the law of this family under which the values are most likely."""
        values, weights = self._accepted(y, sample_weight)
        if not self.covers(values).all():
            raise DataError("NumericalFamily.likeliest: a value is not in the domain.")
        return self.matching(weights @ self.statistics(values))

    @property
    def natural(self) -> Vector:
        return self.eta

    def from_natural(self, eta: Vector) -> Self:
        return replace(self, eta=np.asarray(eta, dtype=np.float64))

    def statistics(self, y: ArrayLike) -> Matrix:
        return np.asarray(self.function(np.asarray(y, dtype=np.float64)))

    def log_base(self, y: ArrayLike) -> Vector:
        values = np.asarray(y, dtype=np.float64)
        if self.base is None:
            return np.zeros(len(values))
        return np.asarray(np.log(self.base(values)))

    def log_partition(self, eta: Vector) -> float:
        terms = self._table @ eta + self.log_weights
        if not self.finite and terms.max() - max(terms[0], terms[-1]) < FALL:
            return np.inf  # what is cut off at an end is not small
        total = float(logsumexp(terms))
        return total if np.isfinite(total) else np.inf

    def mean_statistics(self, eta: Vector) -> Vector:
        return np.asarray(self.from_natural(eta).shares @ self._table)

    def statistics_covariance(self, eta: Vector) -> Matrix:
        shares = self.from_natural(eta).shares
        apart = self._table - shares @ self._table
        return np.asarray((shares[:, None] * apart).T @ apart)

    @property
    def _table(self) -> Matrix:
        return self.statistics(self.points)


def maximum_entropy(family: ExponentialFamily, targets: ArrayLike) -> Any:
    """Return the law of greatest entropy whose mean statistics are `targets`.

    It is the member of the exponential family that matches them: the dual of this
    problem is maximum likelihood.

    Examples
    --------
    >>> die = NumericalFamily.on_values(range(1, 7), lambda y: y[:, None])
    >>> maximum_entropy(die, [4.5]).density([1, 6]).round(4)
    array([0.0544, 0.3475])
    """
    known = in_family("maximum_entropy.family", family)
    return known.matching(numbers("maximum_entropy.targets", targets))


def _width(owner: str, statistics: Any, points: Vector) -> int:
    """Return how many statistics each value has, or refuse them."""
    found = np.shape(function(f"{owner}.statistics", statistics)(points))
    if len(found) != 2 or found[0] != len(points):  # noqa: PLR2004
        raise DataError(
            f"{owner}.statistics must return a row for each of {len(points)} values, "
            f"got the shape {found}."
        )
    return int(found[1])


def _double_exponential(low: float, high: float, nodes: int) -> tuple[Vector, Vector]:
    """Return the points of the double exponential rule and their log-weights."""
    t = np.linspace(-4.0, 4.0, nodes)
    bent = 0.5 * np.pi * np.sinh(t)
    slope = 0.5 * np.pi * np.cosh(t)
    if np.isfinite(low) and np.isfinite(high):
        half = 0.5 * (high - low)
        points = 0.5 * (low + high) + half * np.tanh(bent)
        logs = np.log(half * slope) - 2.0 * np.logaddexp(bent, -bent) + np.log(4.0)
    elif np.isfinite(low) or np.isfinite(high):
        side = 1.0 if np.isfinite(low) else -1.0
        points = (low if side > 0 else high) + side * np.exp(bent)
        logs = np.log(slope) + bent
    else:
        points, logs = np.sinh(bent), np.log(slope) + np.log(np.cosh(bent))
    order = np.argsort(points)
    points, logs = points[order], logs[order] + np.log(t[1] - t[0])
    inside = (points > low) & (points < high) & np.isfinite(logs)
    return points[inside], logs[inside]
