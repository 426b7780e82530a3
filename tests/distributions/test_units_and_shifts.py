"""Laws of values in any unit, and far from 0."""

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import (
    Beta,
    Cauchy,
    Exponential,
    Gamma,
    InverseGaussian,
    Laplace,
    Logistic,
    Maximum,
    Mixture,
    MultivariateNormal,
    Normal,
    StudentT,
    Sum,
    Uniform,
)
from infimum.distributions.sampling import Metropolis

LEVELS = np.array([0.05, 0.3, 0.5, 0.9])
PLACED = [Normal, Logistic, Laplace, Cauchy, StudentT, Uniform]
SCALED = [Gamma, Exponential, InverseGaussian]
FAR = 1e10
SHIFTED = [
    (Normal(FAR, 1.0), stats.norm(FAR, 1)),
    (Uniform(FAR, FAR + 1.0), stats.uniform(FAR, 1)),
    (Laplace(FAR, 1.0), stats.laplace(FAR, 1)),
    (StudentT(5.0, FAR, 1.0), stats.t(5, FAR, 1)),
    (Logistic(FAR, 1.0), stats.logistic(FAR, 1)),
]


@pytest.mark.parametrize("kind", PLACED)
@pytest.mark.parametrize("unit", [-1.0, 1e-8, 1e-150, 1e150])
def test_a_fitted_law_has_the_unit_of_its_values(kind, unit):
    y = np.random.default_rng(0).standard_t(4, size=301)
    plain = kind.fit(y).quantile(LEVELS if unit > 0 else 1.0 - LEVELS)
    assert kind.fit(unit * y).quantile(LEVELS) / unit == pytest.approx(plain, abs=1e-5)


@pytest.mark.parametrize("kind", SCALED)
@pytest.mark.parametrize("unit", [1e-8, 1e-100, 1e100])
def test_a_fitted_law_of_positive_values_has_their_unit(kind, unit):
    y = np.random.default_rng(0).gamma(2.0, size=301)
    found = kind.fit(unit * y).quantile(LEVELS) / unit
    assert found == pytest.approx(kind.fit(y).quantile(LEVELS), rel=1e-6)


@pytest.mark.parametrize("kind", PLACED)
def test_a_fitted_law_moves_with_its_values(kind):
    y = np.random.default_rng(1).standard_t(4, size=301)
    moved = kind.fit(y + FAR).quantile(LEVELS) - FAR
    assert moved == pytest.approx(kind.fit(y).quantile(LEVELS), abs=1e-4)


@pytest.mark.parametrize(
    ("law", "reference"), SHIFTED, ids=lambda law: type(law).__name__
)
def test_expectations_far_from_0(law, reference):
    assert law.expect(np.ones_like) == pytest.approx(1.0, abs=1e-6)
    assert law.expect(lambda y: y) == pytest.approx(FAR, rel=1e-7)
    assert law.moment(2, central=True) == pytest.approx(law.variance, rel=1e-4)
    assert law.entropy() == pytest.approx(float(reference.entropy()), rel=1e-9)


def test_compositions_far_from_0():
    spread = Maximum(Normal(FAR, 1.0), 5).variance
    assert spread == pytest.approx(Maximum(Normal(), 5).variance, rel=1e-4)
    total = Sum((Normal(FAR, 1.0), Uniform()))
    assert total.expect(np.ones_like) == pytest.approx(1.0, abs=1e-4)
    assert total.cdf([FAR + 0.5]) == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("width", [1e-12, 1e-5, 1.0, 1e10])
def test_metropolis_measures_a_law_of_any_width(width):
    def logs(x):
        return -0.5 * ((x / width) ** 2).sum(axis=1)

    sampler = Metropolis(draws=4000, warmup=1000)
    found = sampler.sample(logs, np.zeros((4, 2)), random_state=0)
    assert found.summary().deviation == pytest.approx([width, width], rel=0.15)
    assert (found.acceptance > 0.1).all()
    assert (found.acceptance < 0.6).all()


@pytest.mark.parametrize(
    "laws",
    [
        (Normal(0.0, 1e-12), Normal(1e6, 1.0)),
        (Beta(0.05, 0.05), Uniform()),
        (Normal(), Normal(1e8, 1.0)),
    ],
)
def test_expectations_under_mixtures_of_unlike_laws(laws):
    law = Mixture(laws, (1.0 - 1e-6, 1e-6))
    assert law.expect(np.ones_like) == pytest.approx(1.0, abs=1e-7)
    assert law.expect(lambda y: y) == pytest.approx(law.mean, rel=1e-6, abs=1e-9)
    assert law.sample(0).shape == (0,)


def test_entropies_of_extreme_laws():
    for law, reference in [
        (Gamma(1e-4, 3.0), stats.gamma(1e-4, scale=3.0)),
        (Beta(0.01, 50.0), stats.beta(0.01, 50.0)),
        (StudentT(0.1), stats.t(0.1)),
        (StudentT(1e8), stats.norm()),
        (StudentT(1e15, 0.0, 2.0), stats.norm(0.0, 2.0)),
    ]:
        assert law.entropy() == pytest.approx(float(reference.entropy()), rel=1e-6)
    plane = MultivariateNormal(np.zeros(2), np.eye(2))
    assert Mixture((plane, plane), (0.5, 0.5)).sample(0).shape == (0, 2)
