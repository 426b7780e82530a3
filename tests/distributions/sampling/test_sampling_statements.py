"""How to draw, as the text says it, each way against the law it claims."""

import numpy as np
import pytest
from scipy import optimize, stats

from infimum.distributions import (
    Beta,
    Cauchy,
    Discrete,
    Exponential,
    Gamma,
    Laplace,
    Logistic,
    MultivariateNormal,
    Normal,
    Poisson,
    Uniform,
)
from infimum.distributions.sampling import (
    AliasTable,
    CumulativeTable,
    disc_by_rejection,
    envelope_constant,
    reject,
    reject_adaptively,
    restrict,
    uniform_disc,
    uniform_ellipse,
)
from infimum.errors import DataError


def follows(draws, law):
    return stats.kstest(draws, law.cdf).pvalue > 1e-3


@pytest.mark.syllabus("S0A-171")
@pytest.mark.parametrize(
    "draw",
    [
        lambda seed: Poisson(3.0).sample(9, seed),
        lambda seed: AliasTable([0.2, 0.8]).draw(9, seed),
        lambda seed: CumulativeTable([0.2, 0.8]).draw(9, seed),
        lambda seed: reject(Beta(2, 2), Uniform(), 1.5, 9, seed).values,
        lambda seed: uniform_disc(9, seed),
    ],
)
def test_the_same_seed_gives_the_same_stream(draw):
    assert np.array_equal(draw(3), draw(3))
    assert not np.array_equal(draw(3), draw(4))


@pytest.mark.syllabus("S0A-175")
@pytest.mark.parametrize("law", [Exponential(2.0), Laplace(), Logistic(), Cauchy()])
def test_uniform_numbers_through_the_quantiles_follow_the_law(law):
    z = np.random.default_rng(0).uniform(size=5000)
    assert follows(law.quantile(z), law)
    assert law.cdf(law.quantile(z)) == pytest.approx(z)


@pytest.mark.syllabus("S0A-206")
def test_the_double_exponential_by_inversion():
    z, rate = np.array([0.1, 0.4, 0.6, 0.95]), 1.7
    told = np.where(z < 0.5, np.log(2 * z) / rate, -np.log(2 * (1 - z)) / rate)
    assert Laplace(0.0, 1 / rate).quantile(z) == pytest.approx(told)


@pytest.mark.syllabus("S0A-176")
def test_a_discrete_law_by_cumulative_steps_and_by_aliases():
    p = np.array([0.3, 0.2, 0.1, 0.15, 0.25])
    z = np.random.default_rng(1).uniform(size=20_000)
    assert np.array_equal(CumulativeTable(p).at(z), np.searchsorted(np.cumsum(p), z))
    assert AliasTable(p).probabilities == pytest.approx(p)
    for table in (CumulativeTable(p), AliasTable(p)):
        counts = np.bincount(table.draw(20_000, 2), minlength=5)
        assert stats.chisquare(counts, 20_000 * p).pvalue > 1e-3
    many = np.random.default_rng(3).dirichlet(np.ones(1000))
    assert AliasTable(many).probabilities == pytest.approx(many)
    only = Discrete((2.0, 5.0, 7.0), (0.0, 1.0, 0.0)).sample(100, 0)
    assert (only == 5.0).all()
    with pytest.raises(DataError, match="sum to 1"):
        AliasTable([0.5, 0.6])


@pytest.mark.syllabus("S0A-179", "S0A-214")
def test_uniform_points_of_a_disc_and_an_ellipse():
    points = uniform_disc(5000, random_state=0)
    squares = (points**2).sum(axis=1)
    assert stats.kstest(squares, "uniform").pvalue > 1e-3
    angles = (np.arctan2(points[:, 1], points[:, 0]) + np.pi) / (2 * np.pi)
    assert stats.kstest(angles, "uniform").pvalue > 1e-3
    points = uniform_ellipse(3.0, 0.5, 20_000, random_state=1)
    size = (points[:, 0] / 3) ** 2 + (points[:, 1] / 0.5) ** 2
    assert size.max() <= 1
    # As many points as area: a square inside has 4·w·h/(π·a·b) of them.
    share = np.mean((np.abs(points[:, 0]) < 1) & (np.abs(points[:, 1]) < 0.3))
    area = 2 * 0.6 / (np.pi * 1.5)
    assert share == pytest.approx(area, abs=0.015)


@pytest.mark.syllabus("S0A-180")
def test_a_law_inside_a_set():
    found = restrict(Normal(), lambda y: (y > 0.5) & (y < 2.0), 4000, random_state=0)
    low, high = Normal().cdf([0.5, 2.0])
    assert abs(found.acceptance - (high - low)) <= 4 * found.acceptance_error
    inside = lambda y: (Normal().cdf(y) - low) / (high - low)  # noqa: E731
    assert stats.kstest(found.values, inside).pvalue > 1e-3


@pytest.mark.syllabus("S0A-181", "S0A-210")
def test_a_disc_by_rejection_from_a_square_and_a_hexagon():
    for around, rate in (("square", np.pi / 4), ("hexagon", np.pi / np.sqrt(12))):
        found = disc_by_rejection(20_000, around, random_state=0)
        assert abs(found.acceptance - rate) <= 4 * found.acceptance_error
        squares = (found.values**2).sum(axis=1)
        assert stats.kstest(squares, "uniform").pvalue > 1e-3
    assert 1 - np.pi / 4 == pytest.approx(0.2146, abs=1e-4)


@pytest.mark.syllabus("S0A-182", "S0A-183")
def test_a_beta_law_from_uniform_proposals():
    law = Beta(2.0, 5.0)
    constant, place = envelope_constant(law, Uniform(), 0.0, 1.0)
    assert (place, constant) == (pytest.approx(0.2, abs=1e-6), pytest.approx(2.4576))
    assert 1 / constant == pytest.approx(0.4069, abs=1e-4)
    found = reject(law, Uniform(), constant, 10_000, random_state=0)
    assert abs(found.acceptance - 1 / constant) <= 4 * found.acceptance_error
    assert follows(found.values, law)
    with pytest.raises(DataError, match=r"envelope is too low at 0\.\d+"):
        reject(law, Uniform(), 2.0, 10_000, random_state=0)
    with pytest.raises(DataError, match="at least 1"):
        reject(law, Uniform(), 0.5, 10)
    # Proposals that never come where the target lives show no point of it.
    with pytest.raises(DataError, match="envelope misses a part of the target"):
        reject(Normal(), Uniform(-1.0, 1.0), 2.0, 1000, random_state=0)


@pytest.mark.syllabus("S0A-184", "S0A-211")
def test_the_best_double_exponential_envelope_of_the_normal_law():
    def constant(rate):
        return np.sqrt(2 / np.pi) / rate * np.exp(rate**2 / 2)

    for rate in (0.6, 1.0, 1.7):
        told, _ = envelope_constant(Normal(), Laplace(0.0, 1 / rate), -6, 6)
        assert told == pytest.approx(constant(rate), rel=1e-6)
    best = optimize.minimize_scalar(constant, bounds=(0.2, 3), method="bounded")
    assert best.x == pytest.approx(1.0, abs=1e-4)
    assert 1 / best.fun == pytest.approx(0.7602, abs=1e-4)
    shifted, _ = envelope_constant(Normal(), Laplace(0.3, 1.0), -8, 8)
    assert shifted > best.fun
    found = reject(Normal(), Laplace(), best.fun, 5000, random_state=1)
    assert follows(found.values, Normal())
    assert abs(found.acceptance - 0.7602) <= 4 * found.acceptance_error


@pytest.mark.syllabus("S0A-185")
def test_rejection_is_hopeless_in_many_dimensions():
    for d in (1, 3):
        wide = MultivariateNormal(np.zeros(d), 1.01**2 * np.eye(d))
        narrow = MultivariateNormal(np.zeros(d), np.eye(d))
        touch = wide.log_density(np.zeros(d)) - narrow.log_density(np.zeros(d))
        assert np.exp(-touch) == pytest.approx(1.01**d)
    d = 1000
    wide = MultivariateNormal(np.zeros(d), 1.01**2 * np.eye(d))
    narrow = MultivariateNormal(np.zeros(d), np.eye(d))
    gap = narrow.log_density(np.zeros(d)) - wide.log_density(np.zeros(d))
    assert float(np.exp(gap)) == pytest.approx(20_959, abs=1)


@pytest.mark.parametrize(
    ("law", "points"),
    [
        (Normal(3.0, 2.0), [10.0, 11.0, 12.0]),
        (Gamma(3.0, 2.0), [1.0, 2.0, 4.0]),
        (Beta(2.0, 5.0), [0.1, 0.3, 0.9]),
        (Laplace(), [-1.0, 0.2, 3.0]),
        (Uniform(), [0.2, 0.5, 0.6]),
    ],
)
def test_a_log_concave_law_teaches_its_own_envelope(law, points):
    found = reject_adaptively(law, points, 20_000, random_state=0)
    assert follows(found.values, law)
    assert found.acceptance > 0.85
    again = reject_adaptively(law, points, 20_000, random_state=0)
    assert np.array_equal(again.values, found.values)


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (Cauchy(), "not concave"),
        (lambda x: x, "does not fall"),
        (lambda x: -x * np.nan, "NaN"),
        (Poisson(3.0), "with a density"),
    ],
)
def test_an_envelope_that_would_be_too_low_is_refused(target, told):
    with pytest.raises(DataError, match=told):
        reject_adaptively(target, [-1.0, 0.0, 1.0], 10_000, random_state=0)
