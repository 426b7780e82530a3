"""Exponential families: laws that are log-linear in what they retain of the data."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import numbers
from infimum.errors import DataError, InvalidParameterError
from infimum.typing import Matrix, Vector

__all__ = ["ExponentialFamily"]

NEWTON_STEPS = 200
#: How far, relative to their size, matched mean statistics may be from those asked for.
MISMATCH = 1e-6
#: How far rounding may move a mean statistic, relative to its size.
ROUNDING = 1e-15


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

    def fisher_information(self, n: int = 1) -> Matrix:
        """Return the information of n values about η: n times the covariance of T."""
        return n * self.statistics_covariance(self.natural)

    def moment_residual(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the largest gap between E[T] and the average of T over a sample.

        It is 0 at the likeliest law, whoever found it.
        """
        gap = self.mean_statistics(self.natural) - self.averaged(y, sample_weight)[0]
        return float(np.abs(gap).max())

    def averaged(
        self, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Vector, float]:
        """Return the average of T over a sample of the support, and its size.

        Examples
        --------
        >>> from infimum.distributions import Poisson
        >>> Poisson().averaged([1, 2, 6])
        (array([3.]), 3.0)
        """
        values, weights = self._accepted(y, sample_weight)
        if not self.covers(values).all():
            raise DataError(f"{type(self).__name__} reads values in {self.support}.")
        size = len(values) if sample_weight is None else np.sum(sample_weight)
        return np.asarray(weights @ self.statistics(values)), float(size)

    def of_natural(self, eta: ArrayLike) -> Self:
        """Return the law with natural parameters `eta`, which must be in the domain."""
        point = numbers(f"{type(self).__name__}.of_natural", eta)
        if point.shape != self.natural.shape or not np.isfinite(point).all():
            raise InvalidParameterError(
                f"{type(self).__name__} takes {len(self.natural)} finite natural "
                f"parameters, got {eta!r}."
            )
        if not np.isfinite(self.log_partition(point)):
            raise InvalidParameterError(
                f"{type(self).__name__}: the natural parameter {point.tolist()} is "
                "outside the domain of the log-partition function."
            )
        return self.from_natural(point)

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
        and descend. Where no law has them, that is told.
        """
        eta = np.array(self.natural, dtype=np.float64)
        average = np.atleast_1d(numbers(f"{type(self).__name__}.matching", average))
        if average.shape != eta.shape:
            raise DataError(
                f"{type(self).__name__} takes {len(eta)} mean statistics, got "
                f"{average.tolist()}."
            )
        value = self.negative_log_likelihood(eta, average)
        for _ in range(NEWTON_STEPS):
            slope = self.mean_statistics(eta) - average
            move = -_solved(self.statistics_covariance(eta), slope)
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
        gaps = np.abs(self.mean_statistics(eta) - average)
        spread = np.diag(self.statistics_covariance(eta))
        # At the edge of what laws have, gap and variance shrink together for ever.
        edge = gaps > np.maximum(0.1 * spread, ROUNDING * np.abs(average))
        if edge.any() or not gaps.max() <= MISMATCH * (1.0 + np.abs(average).max()):
            raise DataError(
                f"{type(self).__name__}: no law of the domain has the mean statistics "
                f"{np.asarray(average).tolist()}."
            )
        return self.from_natural(eta)


def _solved(matrix: Matrix, right: Vector) -> Vector:
    """Solve a positive semi-definite system; along its null space nothing moves."""
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(matrix, right, rcond=None)[0])
