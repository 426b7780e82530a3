"""Exact intervals for an error rate that was measured on independent test rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import beta

from infimum.errors import DataError
from infimum.parameters import check_domain, opened, whole

__all__ = ["BinomialInterval", "clopper_pearson", "error_limit"]


class BinomialInterval(NamedTuple):
    """An error rate and what it proves about the true one.

    `low` and `high` enclose the true rate together; `upper` alone bounds it from above.
    Each of the two statements holds with probability at least `confidence`.
    """

    estimate: float
    low: float
    high: float
    upper: float
    confidence: float


def clopper_pearson(errors: int, n: int, confidence: float = 0.95) -> BinomialInterval:
    r"""Return the exact binomial interval for the true error rate.

    If each of `n` independent rows is wrong with probability :math:`p`, the number of
    errors is binomial, and inverting its tail gives quantiles of the beta distribution:

    .. math:: p \le B^{-1}(1-\delta;\ k+1,\ n-k)
        \quad\text{with probability at least } 1-\delta.

    No normal approximation is made, so it holds for 0 errors and for 10 rows.

    Examples
    --------
    No error among 59 rows proves, at 95 %, that at most 5 % of all rows are errors.

    >>> from infimum.evaluation import clopper_pearson
    >>> round(clopper_pearson(0, 59).upper, 3)
    0.05

    References
    ----------
    C. Clopper and E. Pearson (1934), The use of confidence or fiducial limits
    illustrated in the case of the binomial, Biometrika 26.
    """
    check_domain("clopper_pearson's n", n, whole(1))
    check_domain("clopper_pearson's errors", errors, whole(0, n))
    check_domain("clopper_pearson's confidence", confidence, opened(0, 1))
    tail = (1 - confidence) / 2
    return BinomialInterval(
        estimate=errors / n,
        low=_lower(errors, n, tail),
        high=_upper(errors, n, tail),
        upper=_upper(errors, n, 1 - confidence),
        confidence=confidence,
    )


def error_limit(
    sizes: ArrayLike, coverage: float = 0.9, confidence: float = 0.95
) -> float | None:
    """Return a size that a share `coverage` of all future errors stays below.

    It is the smallest observed error size whose exceedances, counted on the test rows,
    prove by `clopper_pearson` that at most ``1 - coverage`` of the population exceeds
    it. The k-th smallest of n values is such a limit exactly if the binomial
    distribution with n trials and success rate `coverage` stays below k with
    probability `confidence`, whatever the distribution of the errors. None means that
    there are too few rows for any limit.
    """
    ordered = np.sort(np.abs(np.asarray(sizes, dtype=float)))
    if len(ordered) == 0:
        raise DataError("error_limit needs at least one error, got none.")
    exceeding = np.arange(len(ordered) - 1, -1, -1)
    bounds = beta.ppf(confidence, exceeding + 1, len(ordered) - exceeding)
    enough = np.asarray(bounds <= 1 - coverage)
    return float(ordered[enough.argmax()]) if enough.any() else None


def _lower(errors: int, n: int, tail: float) -> float:
    return 0.0 if errors == 0 else float(beta.ppf(tail, errors, n - errors + 1))


def _upper(errors: int, n: int, tail: float) -> float:
    return 1.0 if errors == n else float(beta.ppf(1 - tail, errors + 1, n - errors))
