"""Conjugate priors of any family, their normalisers, updates and predictions."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import betaln, gammaln

from infimum.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    ConjugatePrior,
    Exponential,
    Gamma,
    Geometric,
    InverseChiSquared,
    InverseGaussian,
    LogSeries,
    MultivariateNormal,
    NegativeBinomial,
    Normal,
    Poisson,
)
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.study.probability import posterior

PRIORS = [
    ConjugatePrior(Bernoulli(), 3.0, [0.4]),
    ConjugatePrior(Binomial(0.5, 4), 2.0, [1.3]),
    ConjugatePrior(Poisson(), 3.0, [0.7]),
    ConjugatePrior(Exponential(), 4.0, [0.9]),
    ConjugatePrior(Geometric(), 4.0, [1.9]),
    ConjugatePrior(LogSeries(), 5.0, [1.9]),
    ConjugatePrior(InverseChiSquared(), 6.0, [1.2]),
    ConjugatePrior(Normal(), 6.0, [0.4, 1.7]),
    ConjugatePrior(Gamma(), 8.0, Gamma(2.0, 1.5).mean_statistics(np.array([2, -0.67]))),
    ConjugatePrior(Beta(), 8.0, Beta().mean_statistics(np.array([2.0, 3.0]))),
    ConjugatePrior(InverseGaussian(), 8.0, [-1.5, -1.2]),
]
EACH = pytest.mark.parametrize("prior", PRIORS, ids=lambda p: type(p.family).__name__)


@pytest.mark.syllabus("S0A-162", "S0A-149")
@EACH
def test_a_conjugate_prior_is_normalised_and_an_exponential_family(prior):
    if len(prior.nu) == 1:
        high = (
            0.0 if isinstance(prior.family, Exponential | Geometric | LogSeries) else 60
        )
        low = 1.0 if isinstance(prior.family, InverseChiSquared) else -60
        area = quad(
            lambda t: np.exp(prior.log_density(t)),
            low,
            high,
            points=prior.mode().natural,
            limit=400,
        )[0]
        assert area == pytest.approx(1, abs=1e-5)
    theta = prior.mode().natural * 1.05
    told = prior.statistics(theta) @ prior.natural - prior.log_normaliser()
    assert prior.log_density(theta) == pytest.approx(told)
    assert prior.log_normaliser() == pytest.approx(
        prior.numerical_log_normaliser(), abs=2e-4
    )
    # h is convex in (nν, n).
    ends = [ConjugatePrior(prior.family, n, prior.nu) for n in (prior.n, 1.2 * prior.n)]
    middle = ConjugatePrior(prior.family, 1.1 * prior.n, prior.nu)
    above = 0.5 * sum(end.log_normaliser() for end in ends)
    assert middle.log_normaliser() <= above + 1e-6


@pytest.mark.syllabus("S0A-163")
@EACH
def test_one_value_at_a_time_or_all_at_once(prior):
    y = prior.mode().sample(6, random_state=0)
    batch, step = prior.update(y), prior
    for value in y:
        step = step.update([value])
    assert step.n == batch.n == prior.n + 6
    assert step.nu == pytest.approx(batch.nu)
    weighted = prior.update(y[:3], sample_weight=[2, 1, 3])
    assert weighted.nu == pytest.approx(prior.update(y[[0, 0, 1, 2, 2, 2]]).nu)
    assert prior.update([]) is prior


@pytest.mark.syllabus("S0A-164", "S0A-160")
@EACH
def test_the_predictive_law_is_normalised(prior):
    if prior.family.discrete:
        top = 400 if isinstance(prior.family, Geometric) else 60
        y = np.arange(0.0, top)
        assert prior.predictive(y).sum() == pytest.approx(1, abs=2e-2)
        return
    if len(prior.nu) == 1:
        y = prior.mode().quantile(np.linspace(0.0005, 0.9995, 150))
        area = np.trapezoid(prior.predictive(y), y)
        assert area == pytest.approx(0.98, abs=0.05)


@pytest.mark.syllabus("S0A-164", "S0A-160")
def test_predictive_laws_that_have_names():
    coin = ConjugatePrior(Bernoulli(), 3.0, [0.4]).update([1, 1, 0, 1])
    assert coin.predictive([1.0])[0] == pytest.approx((3 + 1.2) / (4 + 3))
    averaged = coin.law().expect(lambda p: p)
    assert coin.predictive([1.0])[0] == pytest.approx(averaged)
    words = ConjugatePrior(Categorical((0.2, 0.3, 0.5)), 2.0, [0.2, 0.3, 0.5])
    after = words.update([0, 0, 1])
    told = (np.array([2, 1, 0]) + 2.0 * words.nu) / 5
    assert after.predictive([0, 1, 2]) == pytest.approx(told)
    counts = ConjugatePrior(Poisson(), 3.0, [0.7])
    k = np.arange(12)
    reference = NegativeBinomial(3 * 0.7, 3 / 4)
    assert counts.predictive(k) == pytest.approx(reference.density(k))
    values = ConjugatePrior(Normal(), 5.0, [0.4, 1.7])
    x = np.linspace(-6, 7, 40)
    # Student with n + 3 degrees, in the measure dθ.
    scale = np.sqrt((1.7 - 0.16) * 6 / 8)
    student = stats.t(8, loc=0.4, scale=scale)
    assert values.predictive(x) == pytest.approx(student.pdf(x), rel=1e-9)
    assert coin.predictive([2.0])[0] == 0.0


@pytest.mark.syllabus("S0B-232", "S0A-162")
def test_the_beta_prior_of_a_coin_in_both_conventions():
    n, nu = 3.0, 0.4
    prior = ConjugatePrior(Bernoulli(), n, [nu])
    assert prior.log_normaliser() == pytest.approx(betaln(n * nu, n * (1 - nu)))
    area = quad(lambda z: z ** (n * nu) * (1 - z) ** (n * (1 - nu)), 0, 1)[0]
    assert prior.log_normaliser("mean") == pytest.approx(np.log(area))
    assert prior.log_normaliser("mean") == pytest.approx(
        gammaln(n * nu + 1) + gammaln(n * (1 - nu) + 1) - gammaln(n + 2)
    )
    assert prior.law("mean") == Beta(n * nu + 1, n * (1 - nu) + 1)
    assert prior.law() == Beta(n * nu, n * (1 - nu))
    y = [1, 0, 1, 1]
    after = prior.update(y)
    assert (after.n, after.nu[0]) == pytest.approx((7, (1.2 + 3) / 7))
    told = posterior(prior.law(), Bernoulli(), y)
    assert after.law().natural == pytest.approx(told.natural)


@pytest.mark.syllabus("S0B-233")
def test_the_dirichlet_prior_of_a_die():
    n, nu = 4.0, np.array([0.2, 0.3, 0.5])
    prior = ConjugatePrior(Categorical((0.2, 0.3, 0.5)), n, nu)
    alpha = n * nu + 1
    assert prior.law("mean").concentration == pytest.approx(alpha)
    told = gammaln(alpha).sum() - gammaln(n + 3)
    assert prior.log_normaliser("mean") == pytest.approx(told)
    z = np.array([0.1, 0.6, 0.3])
    assert prior.law("mean").density(z) == pytest.approx(stats.dirichlet.pdf(z, alpha))
    two = ConjugatePrior(Categorical((0.5, 0.5)), n, [0.4, 0.6])
    coin = ConjugatePrior(Bernoulli(), n, [0.4])
    assert two.log_normaliser() == pytest.approx(coin.log_normaliser())


@pytest.mark.syllabus("S0B-234")
def test_the_gamma_prior_of_a_rate():
    prior = ConjugatePrior(Poisson(), 3.0, [0.4])
    assert np.exp(prior.log_normaliser()) == pytest.approx(0.245684, abs=1e-6)
    area = quad(lambda t: np.exp(1.2 * t - 3 * np.exp(t)), -60, 10)[0]
    assert np.exp(prior.log_normaliser()) == pytest.approx(area)
    law = prior.law()
    assert law == Gamma(3.0 * 0.4, 1 / 3.0)
    z = np.linspace(0.1, 3, 7)
    assert law.density(z) == pytest.approx(stats.gamma(a=1.2, scale=1 / 3).pdf(z))


def test_a_normal_vector_is_believed_in_as_normal_numbers_are():
    one = ConjugatePrior(Normal(), 6.0, [0.4, 1.7])
    same = ConjugatePrior(MultivariateNormal([0.0], [[1.0]]), 6.0, [0.4, -0.85])
    # dΛ/dη is 2 for numbers, whose second parameter is half as large.
    told = one.log_normaliser() + np.log(2.0)
    assert same.log_normaliser() == pytest.approx(told)
    x = np.linspace(-3, 4, 9)
    assert same.predictive(x[:, None]) == pytest.approx(one.predictive(x))
    centre, second = np.array([0.4, -1.0]), np.array([[1.7, -0.1], [-0.1, 2.0]])
    family = MultivariateNormal(np.zeros(2), np.eye(2))
    prior = ConjugatePrior(family, 5.0, np.append(centre, -0.5 * second))
    spread = second - np.outer(centre, centre)
    student = stats.multivariate_t(centre, spread * 6.0 / 8.0, df=8.0)
    points = np.random.default_rng(0).normal(size=(9, 2))
    assert prior.predictive(points) == pytest.approx(student.pdf(points))
    assert prior.update(points).n == 14.0
    with pytest.raises(InvalidParameterError, match="inside the range"):
        ConjugatePrior(family, 5.0, np.append(centre, 0.5 * second)).log_normaliser()


def test_what_a_conjugate_prior_refuses():
    with pytest.raises(IncompatibleError, match="Gamma has no exact draws"):
        ConjugatePrior(Gamma(), 8.0, [0.4, 3.0]).sample(1)
    with pytest.raises(InvalidParameterError, match="inside the range"):
        ConjugatePrior(Normal(), 1.0, [1.0, 0.5]).sample(1)
    with pytest.raises(InvalidParameterError, match=r"ConjugatePrior\.n must be"):
        ConjugatePrior(Poisson(), 0.0, [1.0])
    with pytest.raises(InvalidParameterError, match="inside the range"):
        ConjugatePrior(Bernoulli(), 1.0, [1.0]).log_normaliser()
    with pytest.raises(DataError, match="Poisson reads values"):
        ConjugatePrior(Poisson(), 1.0, [1.0]).update([0.5])
    with pytest.raises(IncompatibleError, match="no named law"):
        ConjugatePrior(Normal(), 1.0, [0.0, 1.0]).law()
