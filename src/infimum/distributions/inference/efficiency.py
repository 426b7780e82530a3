"""How good an estimator can be: bias, information, efficiency, asymptotic intervals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import family, function, generator, numbers
from infimum.distributions._given import law as given
from infimum.distributions.exponential_family import ExponentialFamily
from infimum.errors import DataError
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Matrix, Vector

__all__ = ["EstimatorStudy", "asymptotic_interval", "efficiency", "study_estimator"]


def efficiency(information: ArrayLike, covariance: ArrayLike) -> float:
    """Return 1/det(IB) of an unbiased estimator of covariance B; at most 1.

    That it cannot exceed 1 is the theorem of Cramér and Rao.

    Examples
    --------
    >>> efficiency(4.0, 0.5)
    0.5
    """
    left = np.atleast_2d(numbers("efficiency.information", information))
    right = np.atleast_2d(numbers("efficiency.covariance", covariance))
    if left.shape != right.shape or left.shape[0] != left.shape[-1]:
        raise DataError(
            f"efficiency takes two square matrices of one size, got the shapes "
            f"{left.shape} and {right.shape}."
        )
    product = float(np.linalg.det(left @ right))
    if not product > 0:
        raise DataError("efficiency takes matrices that are positive definite.")
    return 1.0 / product


def asymptotic_interval(law: ExponentialFamily, n: int, level: float = 0.95) -> Matrix:
    """Return intervals for the natural parameters of a law fitted to n values.

    √n(θ̂ - θ) tends to a normal law whose covariance is the inverse of the second
    derivatives of A.

    Examples
    --------
    >>> from infimum.distributions import Poisson
    >>> asymptotic_interval(Poisson(4.0), 100).round(3)
    array([[1.288, 1.484]])
    """
    check_domain("asymptotic_interval.level", level, opened(0, 1))
    check_domain("asymptotic_interval.n", n, whole(1))
    family("asymptotic_interval.law", law)
    covariance = np.linalg.inv(law.fisher_information(n))
    half = ndtri(0.5 + 0.5 * level) * np.sqrt(np.diag(covariance))
    return np.column_stack([law.natural - half, law.natural + half])


@dataclass(frozen=True, eq=False)
class EstimatorStudy:
    """How an estimate varies over repeated samples.

    Attributes
    ----------
    estimates : ndarray of shape (repetitions, k)
    truth : ndarray of shape (k,)
    """

    estimates: Matrix
    truth: Vector

    @property
    def bias(self) -> Vector:
        """The mean of the estimates minus the truth."""
        return np.asarray(self.estimates.mean(axis=0) - self.truth)

    @property
    def bias_error(self) -> Vector:
        """The standard error of the bias."""
        return np.asarray(self.estimates.std(axis=0) / np.sqrt(len(self.estimates)))

    @property
    def covariance(self) -> Matrix:
        """The covariance of the estimates."""
        return np.atleast_2d(np.cov(self.estimates.T))

    @property
    def squared_error(self) -> float:
        """The mean squared distance to the truth."""
        return float(((self.estimates - self.truth) ** 2).sum(axis=1).mean())


def study_estimator(
    law: Distribution,
    estimator: Callable[[Any], Any],
    truth: ArrayLike,
    n: int,
    repetitions: int = 1000,
    random_state: Any = None,
) -> EstimatorStudy:
    """Estimate from many samples of n values of a law whose parameter is known.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.distributions import Normal
    >>> found = study_estimator(Normal(0.0, 1.0), np.var, 1.0, 5, 20_000, 0)
    >>> round(found.bias[0], 1)
    np.float64(-0.2)
    """
    check_domain("study_estimator.n", n, whole(1))
    check_domain("study_estimator.repetitions", repetitions, whole(2))
    rng = generator("study_estimator", random_state)
    owner = "study_estimator"
    given(f"{owner}.law", law)
    function(f"{owner}.estimator", estimator)
    found = [
        np.atleast_1d(numbers(f"{owner}: the estimate", estimator(law.sample(n, rng))))
        for _ in range(int(repetitions))
    ]
    right = np.atleast_1d(numbers(f"{owner}.truth", truth))
    if {each.shape for each in found} != {right.shape}:
        raise DataError(
            f"{owner}: estimates must have the shape of the truth, {right.shape}."
        )
    return EstimatorStudy(np.array(found), right)
