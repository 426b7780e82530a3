"""Concentration against the texts: their examples, their numbers, simulation."""

import numpy as np
import pytest
from scipy.stats import binom, expon, norm

from infimum.dropin.random_projection import GaussianRandomProjection
from infimum.errors import DataError, InvalidParameterError
from infimum.theory import (
    Bernstein,
    Chebyshev,
    ExactBinomial,
    Hoeffding,
    Markov,
    McDiarmid,
    NormalApproximation,
    UnionBound,
    bounded_differences,
    max_variance,
    mean_path,
    round_at_random,
)


@pytest.mark.syllabus("S0A-077")
def test_eleven_sixes_or_fewer_in_a_hundred_throws():
    found = ExactBinomial(1 / 6, "below").probability(100, 1 / 6 - 0.11)
    assert round(found, 5) == 0.07772
    assert found == pytest.approx(binom.cdf(11, 100, 1 / 6))


@pytest.mark.syllabus("S0A-094", "S4B-270")
def test_markov_bounds_the_tail_of_what_is_not_negative():
    law = Markov(mean=2.0)
    for t in (0.5, 2.5, 10.0, 40.0):
        assert expon(scale=2.0).sf(t) <= law.probability(1, t)
        assert law.probability(1, t) == pytest.approx(min(1.0, 2.0 / t))
    assert law.sample_size(10.0, 0.1) == np.inf
    assert law.sample_size(50.0, 0.1) == 1


@pytest.mark.syllabus("S0A-095", "S4B-270")
def test_chebyshev_is_an_equality_for_two_points_and_holds_for_the_normal():
    # ±1 with probability 1/2 each: the deviation is always 1 = σ.
    assert Chebyshev(1.0).probability(1, 1.0) == 1.0
    for t in (1.1, 2.0, 3.7):
        assert 2 * norm.sf(t) <= Chebyshev(1.0).probability(1, t)
        assert Chebyshev(1.0).probability(1, t) == pytest.approx(1 / t**2)


@pytest.mark.syllabus("S0A-096")
def test_chebyshev_for_means_is_solved_for_each_of_its_three_numbers():
    law = Chebyshev(2.5)
    assert law.probability(1000, 0.3) == pytest.approx(2.5 / (1000 * 0.09))
    assert law.radius(1000, 0.02) == pytest.approx(np.sqrt(2.5 / (1000 * 0.02)))
    assert law.sample_size(0.3, 0.02) == np.ceil(2.5 / (0.02 * 0.09))


@pytest.mark.syllabus("S0A-097")
def test_mcdiarmid_of_a_mean_is_hoeffding_and_differences_are_found_by_trying():
    mean, ends = McDiarmid(scale=4.0), [(-1, 0.5, 3)] * 4
    assert mean.probability(30, 0.7) == Hoeffding(width=4.0).probability(30, 0.7)
    c = bounded_differences(lambda *x: sum(x) / 4, ends)
    assert c == pytest.approx(np.ones(4))
    found = McDiarmid.from_differences(c).probability(4, 1.5)
    assert found == pytest.approx(2 * np.exp(-2 * 1.5**2 / 4))
    largest = bounded_differences(lambda a, b: max(a, 3 * b), [(0, 1), (0, 1, 2)])
    assert largest.tolist() == [1.0, 6.0]


@pytest.mark.syllabus("S0A-098", "S2-097", "S4B-064")
def test_hoeffding_bounds_exact_tails_and_its_sum_is_finite(rng):
    law = Hoeffding()
    assert law.probability(200, 0.1) == pytest.approx(2 * np.exp(-2 * 200 * 0.01))
    for rate in (0.1, 0.5, 0.83):
        exact = ExactBinomial(rate)
        for n in (10, 100, 500):
            for epsilon in (0.05, 0.1, 0.21):
                assert exact.probability(n, epsilon) <= law.probability(n, epsilon)
    terms = 2 * np.exp(-2 * np.arange(1, 20_000) * 0.05**2)
    assert law.summed_probability(0.05) == pytest.approx(terms.sum())
    means = rng.uniform(-2, 2, (4000, 30)).mean(axis=1)
    assert np.mean(np.abs(means) >= 0.5) <= Hoeffding(width=4).probability(30, 0.5)


@pytest.mark.syllabus("S0A-099")
def test_ten_times_the_precision_costs_a_hundred_times_the_rows():
    law = Hoeffding(width=3.0)
    assert law.radius(500, 0.1) == pytest.approx(3 * np.sqrt(np.log(20) / 1000))
    ratio = law.sample_size(0.01, 0.05) / law.sample_size(0.1, 0.05)
    assert ratio == pytest.approx(100, rel=1e-3)


@pytest.mark.syllabus("S0A-102", "S0A-103", "S0A-104", "S0A-105")
def test_how_many_wafers_tell_two_processes_apart():
    assert max_variance(0, 400, 200) == 40_000
    assert max_variance(0, 400, 300) == 30_000
    assert Chebyshev(max_variance(0, 400)).sample_size(20, 0.05) == 2000
    assert Chebyshev(max_variance(0, 400, 300)).sample_size(20, 0.05) == 1500
    assert Hoeffding(400.0).sample_size(20, 0.05) == 738
    assert NormalApproximation(40_000.0).sample_size(20, 0.05) == 385
    assert NormalApproximation(2500.0).sample_size(20, 0.05) == 25
    # The text's 876 belongs to 2.96 standard deviations, which are not 95 %.
    other = 2 * norm.sf(2.96)
    assert other < 0.004
    assert NormalApproximation(40_000.0).sample_size(20, other) == 877


@pytest.mark.syllabus("S0A-106")
def test_an_estimated_variance_is_inflated():
    plain, safe = NormalApproximation(2500.0), NormalApproximation(2500.0, inflate=500)
    assert safe.sample_size(20, 0.05) == NormalApproximation(3000.0).sample_size(
        20, 0.05
    )
    assert safe.radius(100, 0.05) > plain.radius(100, 0.05)


@pytest.mark.syllabus("S0A-107")
def test_all_rows_grow_with_the_inverse_square_of_the_precision():
    fine, coarse = 0.001, 0.1
    for law in (Chebyshev(0.25), Hoeffding(), NormalApproximation(0.25)):
        ratio = law.sample_size(fine, 0.05) / law.sample_size(coarse, 0.05)
        slope = np.log(ratio) / np.log(fine / coarse)
        assert slope == pytest.approx(-2, abs=0.01)


@pytest.mark.syllabus("S0A-190")
def test_the_exponent_of_hoeffding_is_the_true_one_for_coins():
    epsilon = 0.05
    for n, within in ((400, 0.8), (40_000, 0.03)):
        exact = np.log(2) + binom.logsf(np.ceil(n * (0.5 + epsilon)) - 1, n, 0.5)
        exponent = -2 * n * epsilon**2
        assert exact / exponent == pytest.approx(1, abs=within)
        normal = NormalApproximation(0.25)._log_probability(n, epsilon)
        assert normal / exponent == pytest.approx(1, abs=within)


@pytest.mark.syllabus("S0A-191")
def test_chips_of_one_wafer_are_not_independent(rng):
    chips = Hoeffding().sample_size(0.05, 0.05)
    assert chips == 738  # two wafers of 400, if chips were independent
    whole = rng.random((2000, 2)) < 0.8  # all chips of a wafer work, or none
    means = whole.mean(axis=1)
    far = np.mean(np.abs(means - 0.8) >= 0.05)
    assert far > 0.05  # the bound for 800 independent chips is broken
    apart = rng.binomial(800, 0.8, 2000) / 800
    assert np.mean(np.abs(apart - 0.8) >= 0.05) <= 0.05


@pytest.mark.syllabus("S0A-192", "S2-100", "S4B-257")
def test_intervals_of_many_arms_hold_together(rng):
    k, n, delta = 20, 200, 0.1
    law = UnionBound(Hoeffding(), k)
    assert law.radius(n, delta) == pytest.approx(np.sqrt(np.log(2 * k / delta) / 400))
    rates = rng.random(k)
    means = rng.binomial(n, rates, (2000, k)) / n
    missed = np.any(np.abs(means - rates) >= law.radius(n, delta), axis=1)
    assert missed.mean() <= delta
    single = np.any(np.abs(means - rates) >= Hoeffding().radius(n, 0.5), axis=1)
    assert single.mean() > 0.5  # without the union bound they do not
    events = rng.random((5, 10_000)) < rng.random((5, 1)) / 4
    assert events.any(axis=0).mean() <= events.mean(axis=1).sum()


@pytest.mark.syllabus("S0A-193")
def test_rounding_at_random_keeps_sums(rng):
    x, a = rng.uniform(-3, 3, 60), rng.standard_normal(60)
    rounded = np.array([round_at_random(x, seed) for seed in range(3000)])
    assert np.all(np.abs(rounded - x) < 1)
    assert np.all(rounded == np.rint(rounded))
    assert rounded.mean(axis=0) == pytest.approx(x, abs=5 * 0.5 / np.sqrt(3000))
    law = McDiarmid.from_differences(np.abs(a))
    for delta in (0.5, 0.1):
        far = np.abs((rounded - x) @ a) >= law.radius(60, delta)
        assert far.mean() <= delta


@pytest.mark.syllabus("S0A-194")
def test_lengths_after_random_projections_concentrate(rng):
    x = rng.standard_normal((1, 400))
    spreads = []
    for d in (20, 320):
        seen = [
            GaussianRandomProjection(d, random_state=seed).fit_transform(x)
            for seed in range(200)
        ]
        lengths = np.array([np.sum(z**2) for z in seen]) / np.sum(x**2)
        # A chi square with d degrees divided by d has variance 2/d.
        assert lengths.mean() == pytest.approx(1, abs=5 * np.sqrt(2 / (200 * d)))
        far = np.mean(np.abs(lengths - 1) >= Chebyshev(2.0).radius(d, 0.2))
        assert far <= 0.2
        spreads.append(lengths.std())
    assert spreads[0] / spreads[1] == pytest.approx(4, rel=0.3)


@pytest.mark.syllabus("S4B-063", "S3-007")
def test_running_means_stay_in_a_band_that_shrinks(rng):
    left = 0
    for _ in range(300):
        path = mean_path(rng.random(2000) < 0.3, delta=0.1)
        left += bool(np.any(np.abs(path.means - 0.3) > path.radius))
    assert left <= 30
    assert path.radius[-1] < 0.07
    assert path.means[-1] == pytest.approx(0.3, abs=path.radius[-1])


def test_bernstein_uses_a_small_variance():
    law = Bernstein(variance=0.0099)
    value = 2 * np.exp(-500 * 0.02**2 / (2 * 0.0099 + 2 * 0.02 / 3))
    assert law.probability(500, 0.02) == pytest.approx(value)
    assert law.sample_size(0.01, 0.05) < Hoeffding().sample_size(0.01, 0.05) / 10


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InvalidParameterError, match="mean in between"):
        max_variance(0, 1, 2)
    with pytest.raises(DataError, match="16,777,216 times"):
        bounded_differences(lambda *_: 0.0, [(0, 1)] * 24)
    with pytest.raises(DataError, match="every domain"):
        bounded_differences(lambda *_: 0.0, [(), (1,)])
    with pytest.raises(DataError, match="vector"):
        mean_path([])
