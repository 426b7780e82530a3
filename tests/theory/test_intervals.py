"""Intervals for error rates keep their promise."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import clopper_pearson, error_limit


@pytest.mark.parametrize("errors, n", [(0, 20), (7, 30), (30, 30), (51, 476)])
def test_the_two_sided_interval_is_the_exact_binomial_one(errors, n):
    reference = binomtest(errors, n).proportion_ci(0.95, method="exact")
    ours = clopper_pearson(errors, n)
    np.testing.assert_allclose([ours.low, ours.high], reference, atol=1e-12)


@pytest.mark.parametrize("true_rate", [0.02, 0.2, 0.5])
def test_the_upper_bound_covers_the_true_rate_as_often_as_it_says(true_rate):
    n = 60
    counts = np.arange(n + 1)
    covered = [clopper_pearson(int(k), n).upper >= true_rate for k in counts]
    assert binom.pmf(counts, n, true_rate)[covered].sum() >= 0.95


def test_the_upper_bound_is_tighter_than_the_two_sided_end():
    interval = clopper_pearson(12, 100)
    assert interval.estimate < interval.upper < interval.high


@pytest.mark.parametrize("errors, n", [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(errors, n):
    with pytest.raises(InvalidParameterError, match="must be a whole number"):
        clopper_pearson(errors, n)


def test_the_error_limit_covers_the_promised_share_of_a_known_distribution(rng):
    # For uniform errors the limit is the share of the population below it.
    limits = [error_limit(rng.uniform(size=80)) for _ in range(800)]
    promise_kept = np.mean(np.array(limits) >= 0.9)
    assert promise_kept >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 800)


def test_the_error_limit_is_the_classical_order_statistic(rng):
    sizes = np.sort(rng.exponential(size=100))
    place = next(k for k in range(1, 101) if binom.cdf(k - 1, 100, 0.9) >= 0.95)
    assert error_limit(sizes) == sizes[place - 1]


def test_too_few_rows_allow_no_limit():
    assert error_limit(np.ones(28)) is None
    assert error_limit(np.ones(29)) == 1.0
    with pytest.raises(DataError, match="at least one"):
        error_limit([])
