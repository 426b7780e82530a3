"""Rows that count differently: how many equal ones they are worth, and shares of them.

What is proved about rows that each count once does not carry over to weighted averages.
The usual way out is the effective sample size: as many rows of equal weight as would
scatter as much.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from infimum.theory.intervals import BinomialInterval
from infimum.typing import Vector

__all__ = [
    "effective_rows",
    "share_among",
    "weighted_limit",
    "weighted_quantiles",
    "weighted_share",
]


def effective_rows(weights: Vector) -> float:
    r"""Return how many rows of equal weight scatter as much as these.

    .. math:: n^* = \Bigl(\sum_i w_i\Bigr)^2 \Big/ \sum_i w_i^2

    Examples
    --------
    >>> round(effective_rows(np.array([1.0, 1.0, 1.0])), 3)
    3.0
    >>> round(effective_rows(np.array([3.0, 1.0])), 3)
    1.6

    References
    ----------
    L. Kish (1965), Survey Sampling.
    """
    scaled = weights / weights.max()
    return float(scaled.sum() ** 2 / np.square(scaled).sum())


def weighted_share(
    happened: NDArray[Any], weights: Vector, confidence: float = 0.95
) -> BinomialInterval:
    """Return a weighted share and the interval at the effective number of rows.

    The formula of Clopper and Pearson, with numbers that are no longer whole: an
    approximation, since the weights are taken as having nothing to do with what
    happened.

    Examples
    --------
    >>> from infimum.evaluation import clopper_pearson
    >>> flags = np.array([True, False, False, False])
    >>> found = weighted_share(flags, np.ones(4))
    >>> bool(np.allclose(found, clopper_pearson(1, 4)))
    True

    References
    ----------
    E. Korn and B. Graubard (1998), Confidence intervals for proportions with small
    expected number of positive counts estimated from survey data, Survey Methodology.
    """
    share = float(np.average(happened, weights=weights))
    return share_among(share, effective_rows(weights), confidence)


def share_among(share: float, n: float, confidence: float = 0.95) -> BinomialInterval:
    """Return a share of so many rows, which need not be whole, with its interval.

    Examples
    --------
    >>> from infimum.evaluation import clopper_pearson
    >>> bool(np.allclose(share_among(0.25, 4.0), clopper_pearson(1, 4)))
    True
    """
    tail = (1 - confidence) / 2
    return BinomialInterval(
        estimate=share,
        low=0.0 if share <= 0 else float(beta.ppf(tail, share * n, n - share * n + 1)),
        high=_above(share, n, tail),
        upper=_above(share, n, 1 - confidence),
        confidence=confidence,
    )


def weighted_limit(
    sizes: Vector, weights: Vector, coverage: float = 0.9, confidence: float = 0.95
) -> float | None:
    """Return a size that a share `coverage` of all future errors stays below.

    Errors count by their weights; the bound of the share beyond is that at the
    effective number of rows. None means that there are too few rows for any limit.

    Examples
    --------
    >>> from infimum.evaluation import error_limit
    >>> sizes = np.linspace(0.0, 1.0, 101)
    >>> weighted_limit(sizes, np.full(101, 3.0)) == error_limit(sizes)
    True
    """
    order, n = np.argsort(sizes, kind="stable"), effective_rows(weights)
    ordered, counts = sizes[order], weights[order]
    # Errors of the same size are beyond it together, or not at all.
    last = np.searchsorted(ordered, ordered, side="right") - 1
    within = n * np.minimum(np.cumsum(counts)[last] / counts.sum(), 1.0)
    bounds = beta.ppf(confidence, n - within + 1, np.maximum(within, 1e-300))
    enough = np.flatnonzero(bounds <= 1 - coverage)
    return float(ordered[enough[0]]) if len(enough) else None


def weighted_quantiles(values: Vector, weights: Vector, shares: Any) -> list[float]:
    """Return the least values below or at which lie these shares of the weight.

    Examples
    --------
    >>> weighted_quantiles(np.array([1.0, 2.0, 9.0]), np.array([1.0, 1.0, 2.0]), [0.5])
    [2.0]
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    places = np.searchsorted(reached, np.asarray(shares) - 1e-12)
    return [float(each) for each in values[order][places.clip(0, len(values) - 1)]]


def _above(share: float, n: float, tail: float) -> float:
    if share >= 1:
        return 1.0
    return float(beta.ppf(1 - tail, share * n + 1, n - share * n))
