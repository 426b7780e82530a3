"""What every distribution of this room provides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domains
from infimum.typing import Mask, Matrix, Vector

__all__ = ["Distribution", "ExponentialFamily"]

NEWTON_STEPS = 200


class Distribution(ABC):
    """One law p(y; θ) of a parametric model {p(·; θ) : θ ∈ Θ}.

    Subclasses are frozen dataclasses whose fields are θ, checked against Θ. Densities
    are handled as logarithms: products of many probabilities underflow.
    """

    #: Where the density is positive, in words.
    support: ClassVar[str]

    def __post_init__(self) -> None:
        check_domains(self)

    @abstractmethod
    def covers(self, y: Vector) -> Mask:
        """Tell for each value whether it lies in the support."""

    @abstractmethod
    def _log_density(self, y: Vector) -> Vector:
        """Return log p(y; θ) on the support."""

    @property
    @abstractmethod
    def mean(self) -> Any:
        """The expectation of y."""

    @property
    @abstractmethod
    def variance(self) -> Any:
        """The variance of y."""

    @abstractmethod
    def sample(self, n: int, random_state: Any = None) -> Vector:
        """Draw n independent values; the same seed draws the same values."""

    @classmethod
    @abstractmethod
    def _most_likely(cls, y: Vector, weights: Vector) -> Self:
        """Return the law with the largest likelihood; the weights sum to 1."""

    @classmethod
    def fit(cls, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Return the law under which the values `y` are most likely.

        A weight of k means the same as k copies of the value.
        """
        values = np.asarray(y, dtype=np.float64)
        if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
            raise DataError(
                f"{cls.__name__}.fit takes a vector of finite numbers, got an array "
                f"of shape {values.shape}."
            )
        weights = np.ones(len(values))
        if sample_weight is not None:
            weights = np.asarray(sample_weight, dtype=np.float64)
            if weights.shape != values.shape or not weights.sum() > 0:
                raise DataError(
                    f"{cls.__name__}.fit takes one weight for each value, not all 0."
                )
        weights = weights / weights.sum()
        return cls._most_likely(values[weights > 0], weights[weights > 0])

    def log_density(self, y: ArrayLike) -> Vector:
        """Return log p(y; θ) of each value: -inf outside the support."""
        values = np.asarray(y, dtype=np.float64)
        inside = self.covers(values)
        out = np.full(values.shape, -np.inf)
        out[inside] = self._log_density(values[inside])
        return out

    def density(self, y: ArrayLike) -> Vector:
        """Return p(y; θ): a density, or a probability where y is discrete."""
        return np.exp(self.log_density(y))

    def log_likelihood(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return Σ log p(yᵢ; θ), the logarithm of the likelihood of the sample."""
        logs = self.log_density(y)
        if sample_weight is None:
            return float(logs.sum())
        weights = np.asarray(sample_weight, dtype=np.float64)
        return float(weights[weights > 0] @ logs[weights > 0])


class ExponentialFamily(Distribution):
    r"""A law whose density is log-linear in what it retains of the data.

    .. math:: p(y; \eta) = h(y) \exp\bigl(\langle T(y), \eta\rangle - A(\eta)\bigr)

    T are the sufficient statistics, η the natural parameters and A the log-partition
    function. A is convex; its gradient is the mean of T and its matrix of second
    derivatives the covariance of T, so that the likelihood is largest where the mean
    of T under the law equals its average over the sample.
    """

    @property
    @abstractmethod
    def natural(self) -> Vector:
        """The natural parameters η."""

    @abstractmethod
    def from_natural(self, eta: Vector) -> Self:
        """Return the law of the same family with natural parameters `eta`."""

    @abstractmethod
    def statistics(self, y: ArrayLike) -> Matrix:
        """Return T(y), one row for each value."""

    @abstractmethod
    def log_base(self, y: ArrayLike) -> Vector:
        """Return log h(y) for each value of the support."""

    @abstractmethod
    def log_partition(self, eta: Vector) -> float:
        """Return A(η); +inf outside its domain."""

    @abstractmethod
    def mean_statistics(self, eta: Vector) -> Vector:
        """Return the gradient of A: the mean of T(y)."""

    @abstractmethod
    def statistics_covariance(self, eta: Vector) -> Matrix:
        """Return the second derivatives of A: the covariance of T(y)."""

    def negative_log_likelihood(self, eta: Vector, average: Vector) -> float:
        """Return A(η) - ⟨η, average of T⟩: convex, and least at the likeliest law."""
        return self.log_partition(eta) - float(eta @ average)

    def matching(self, average: Vector) -> Self:
        """Return the law whose mean statistics equal `average`, by Newton's method.

        The search starts from this law; steps are halved until they stay in the domain
        and descend.
        """
        eta = np.array(self.natural, dtype=np.float64)
        value = self.negative_log_likelihood(eta, average)
        for _ in range(NEWTON_STEPS):
            slope = self.mean_statistics(eta) - average
            move = -np.linalg.solve(self.statistics_covariance(eta), slope)
            decrease = float(-slope @ move)
            length = 1.0
            while length > 1e-12:
                there = eta + length * move
                lower = self.negative_log_likelihood(there, average)
                if lower <= value - 0.25 * length * decrease:
                    break
                length *= 0.5
            if length <= 1e-12 or decrease <= 1e-28 * (1.0 + abs(value)):
                break
            eta, value = there, lower
        return self.from_natural(eta)
