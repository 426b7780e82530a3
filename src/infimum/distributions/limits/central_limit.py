"""The central limit theorem as numbers: standardised sums, and how far from normal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import function as known
from infimum.distributions._given import generator, numbers
from infimum.distributions._given import laws as given
from infimum.distributions.multivariate_normal import MultivariateNormal
from infimum.distributions.normal import Normal
from infimum.distributions.sum import Sum
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["delta_method", "normal_distance", "standardised_sums"]


def standardised_sums(
    laws: Sequence[Distribution], n: int, random_state: Any = None
) -> Vector:
    """Draw n sums of independent variables, centred and divided by their deviation.

    The laws may differ; their means and variances must be finite.

    Examples
    --------
    >>> from infimum.distributions import Exponential, Uniform
    >>> z = standardised_sums([Exponential(), Uniform()] * 20, 10_000, random_state=0)
    >>> abs(z.mean()) < 0.05, abs(z.std() - 1) < 0.05
    (np.True_, np.True_)
    """
    check_domain("standardised_sums.n", n, whole(1))
    n, rng = int(n), generator("standardised_sums", random_state)
    mean, variance = _moments(laws)
    total = sum((law.sample(n, rng) for law in laws), np.zeros(n))
    return np.asarray((total - mean) / np.sqrt(variance))


def normal_distance(laws: Sequence[Distribution]) -> float:
    """Return the largest difference between the exact cdf of a sum and the normal one.

    Examples
    --------
    >>> from infimum.distributions import Uniform
    >>> normal_distance([Uniform()] * 4) < normal_distance([Uniform()] * 2) < 0.06
    True
    """
    mean, variance = _moments(laws)
    total, normal = Sum(tuple(laws)), Normal(mean, variance)
    if not total.discrete:
        grid = normal.quantile(np.linspace(1e-4, 1 - 1e-4, 4001))
        return float(np.abs(total.cdf(grid) - normal.cdf(grid)).max())
    low, high = np.floor(normal.quantile([1e-9, 1.0 - 1e-9])).tolist()
    values = np.arange(low, high + 2.0)
    at, before = total.cdf(values), total.cdf(values - 1.0)
    exact = normal.cdf(values)
    return float(max(np.abs(at - exact).max(), np.abs(before - exact).max()))


def delta_method(
    function: Callable[[Vector], Any],
    point: ArrayLike,
    covariance: ArrayLike,
) -> MultivariateNormal:
    """Return the limit law of g(X) when X is nearly normal around a point.

    If aₙ(X - b) tends to N(0, Σ), then aₙ(g(X) - g(b)) tends to N(0, JΣJᵀ), J the
    derivatives of g at b, taken here by difference quotients. The law returned has
    mean g(b) and that covariance.

    Examples
    --------
    >>> import numpy as np
    >>> delta_method(np.log, [2.0], [[0.04]]).covariance.round(4)
    array([[0.01]])
    """
    b = np.atleast_1d(numbers("delta_method.point", point))
    spread = np.atleast_2d(numbers("delta_method.covariance", covariance))
    if spread.shape != (len(b), len(b)):
        raise DataError(f"delta_method.covariance must be {len(b)} × {len(b)}.")
    known("delta_method.function", function)
    slopes = jacobian(function, b)
    return MultivariateNormal(
        np.atleast_1d(np.asarray(function(b), dtype=np.float64)),
        slopes @ spread @ slopes.T,
    )


def jacobian(function: Callable[[Vector], Any], point: Vector) -> Matrix:
    """Return the derivatives of a function by central differences."""
    columns = []
    for k in range(len(point)):
        step = np.zeros(len(point))
        step[k] = 6e-6 * max(1.0, abs(float(point[k])))
        ahead = np.atleast_1d(np.asarray(function(point + step), dtype=np.float64))
        behind = np.atleast_1d(np.asarray(function(point - step), dtype=np.float64))
        columns.append((ahead - behind) / (2.0 * step[k]))
    return np.column_stack(columns)


def _moments(laws: Sequence[Distribution]) -> tuple[float, float]:
    given("central limit: the laws", list(laws or ()), scalar=True)
    mean = float(sum(float(law.mean) for law in laws))
    variance = float(sum(float(law.variance) for law in laws))
    if not (np.isfinite(mean) and np.isfinite(variance) and variance > 0):
        raise DataError(
            "The central limit theorem needs finite means and variances, not all 0."
        )
    return mean, variance
