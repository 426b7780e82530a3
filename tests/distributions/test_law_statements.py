"""Random variables, their laws and what one computes from them, as the texts say it."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import dblquad, quad

from infimum.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Discrete,
    Exponential,
    Gamma,
    Logistic,
    Maximum,
    Mixture,
    MultivariateNormal,
    Normal,
    Poisson,
    Sum,
    Transformed,
    Uniform,
)
from infimum.errors import InvalidParameterError
from infimum.models.clustering import GaussianMixture

DIE = Discrete.uniform(range(1, 7))
COIN = Discrete.uniform([-1, 1])


@pytest.mark.syllabus("S0A-023", "S0A-024")
def test_a_fair_die_and_a_fair_coin():
    assert DIE.density([1, 2, 3, 4, 5, 6]) == pytest.approx(1 / 6)
    assert DIE.density([0, 7, 1.5]).tolist() == [0, 0, 0]
    assert COIN.density([-1, 1]).tolist() == [0.5, 0.5]
    assert sum(DIE.probabilities) == pytest.approx(1)
    for wrong in ((0.5, 0.4), (1.2, -0.2)):
        with pytest.raises(InvalidParameterError, match="sum to 1"):
            Discrete((0.0, 1.0), wrong)


@pytest.mark.syllabus("S0A-025", "S4B-277")
def test_the_uniform_law():
    law = Uniform(-1.0, 1.0)
    assert law.density([-1.0, 0.3, 1.0]).tolist() == [0.5, 0.5, 0.5]
    assert law.density([-1.1, 1.1]).tolist() == [0.0, 0.0]
    assert Uniform().probability(0.2, 0.7) == pytest.approx(0.5)
    assert Uniform().probability(-3.0, 0.25) == pytest.approx(0.25)


@pytest.mark.syllabus("S0A-026", "S0A-071", "S4B-278")
def test_the_normal_density_and_its_moments():
    law = Normal(1.5, 4.0)
    x = np.linspace(-6, 9, 31)
    by_hand = np.exp(-((x - 1.5) ** 2) / 8.0) / np.sqrt(2 * np.pi * 4.0)
    assert law.density(x) == pytest.approx(by_hand)
    assert law.expect(lambda y: y) == pytest.approx(1.5)
    assert law.moment(2, central=True) == pytest.approx(4.0)


@pytest.mark.syllabus("S0A-027", "S4B-276")
def test_range_queries_by_the_distribution_function():
    law = Gamma(2.0, 1.5)
    inside = quad(lambda t: float(law.density([t])[0]), 1.0, 4.0)[0]
    assert law.probability(1.0, 4.0) == pytest.approx(inside)
    assert law.cdf(4.0) - law.cdf(1.0) == pytest.approx(inside)
    step = 1e-6
    slope = (law.cdf(2.0 + step) - law.cdf(2.0 - step)) / (2 * step)
    assert slope == pytest.approx(law.density([2.0])[0], rel=1e-6)
    # The left end of a discrete range belongs to it.
    assert DIE.probability(2, 4) == pytest.approx(0.5)
    assert Binomial(0.5, 3).probability(1, 2) == pytest.approx(0.75)


@pytest.mark.syllabus("S0A-028")
def test_quantiles_and_the_median():
    assert DIE.quantile([0.1, 0.5, 0.9]).tolist() == [1, 3, 6]
    for q in (0.1, 0.5, 0.9):
        x = float(DIE.quantile(q))
        assert DIE.cdf(x) - DIE.density([x])[0] <= q + 1e-12
        assert DIE.survival(x) <= 1 - q + 1e-12
    assert Normal().quantile([0.1, 0.9]) == pytest.approx(stats.norm.ppf([0.1, 0.9]))
    assert Exponential(2.0).median == pytest.approx(math.log(2) / 2)


@pytest.mark.syllabus("S0A-029", "S0A-030", "S4B-281")
def test_expectation_and_variance():
    assert DIE.mean == 3.5
    assert DIE.variance == pytest.approx(35 / 12)
    assert DIE.expect(lambda y: y**2) == pytest.approx(91 / 6)
    square = DIE.expect(lambda y: (y**2 - 91 / 6) ** 2)
    assert square == pytest.approx(np.var(np.arange(1, 7) ** 2))
    assert DIE.deviation == pytest.approx(1.7078, abs=1e-4)
    value, error = Beta(2.0, 3.0).expect(np.sqrt, return_error=True)
    exact = math.gamma(2.5) * math.gamma(5) / (math.gamma(2) * math.gamma(5.5))
    assert abs(value - exact) <= max(error, 1e-9)


@pytest.mark.syllabus("S0A-067", "S0A-187")
def test_means_and_variances_of_sums():
    total = Sum((DIE, DIE, Binomial(0.3, 4)))
    assert total.mean == pytest.approx(3.5 + 3.5 + 1.2)
    assert total.variance == pytest.approx(35 / 6 + 0.84)
    assert total.expect(lambda y: y) == pytest.approx(total.mean)
    assert total.moment(2, central=True) == pytest.approx(total.variance)
    for law in (DIE, Gamma(3.0, 0.5), Normal(2.0, 5.0)):
        assert law.moment(2) - law.moment(1) ** 2 == pytest.approx(law.variance)
    # Far from 0 the difference of the two moments has no digit left.
    far = Normal(1e9, 1.0)
    assert abs(far.moment(2) - far.moment(1) ** 2 - 1.0) > 1.0
    assert far.moment(2, central=True) == pytest.approx(1.0)


@pytest.mark.syllabus("S0A-068")
def test_the_larger_of_two_dice():
    larger = Maximum(DIE, 2)
    faces = np.arange(1, 7)
    assert larger.density(faces) == pytest.approx((2 * faces - 1) / 36)
    assert larger.cdf(faces) == pytest.approx(DIE.cdf(faces) ** 2)
    y = np.linspace(0.1, 4, 9)
    assert Maximum(Gamma(2.0), 2).cdf(y) == pytest.approx(Gamma(2.0).cdf(y) ** 2)


@pytest.mark.syllabus("S0A-070")
def test_how_many_draws_exceed_a_quantile():
    assert Maximum.draws_needed(0.95, 0.95) == 59
    assert 1 - 0.95**59 >= 0.95 > 1 - 0.95**58
    slowest = Maximum(Exponential(1.0), 1000)
    share = float(Exponential(1.0).cdf(slowest.median))
    assert share == pytest.approx(0.5 ** (1 / 1000))
    assert share == pytest.approx(0.99931, abs=1e-5)


@pytest.mark.syllabus("S0A-138", "S4B-262", "S4B-263", "S4B-261")
def test_many_rare_trials_are_a_poisson_count():
    k, rate = np.arange(60), 2.5
    distances = []
    for n in (10, 100, 1000):
        apart = Binomial(rate / n, n).density(k) - Poisson(rate).density(k)
        distances.append(0.5 * np.abs(apart).sum())
        assert distances[-1] <= rate**2 / n
    assert distances[0] > 5 * distances[1] > 25 * distances[2]
    ways = [math.comb(7, j) * 0.3**j * 0.7 ** (7 - j) for j in range(8)]
    assert Binomial(0.3, 7).density(np.arange(8)) == pytest.approx(ways)
    assert (Binomial(0.3, 7).mean, Bernoulli(0.3).mean) == pytest.approx((2.1, 0.3))
    assert Binomial(0.3, 7).variance == pytest.approx(1.47)
    assert Bernoulli(0.3).variance == pytest.approx(0.21)
    assert Poisson(2.5).mean == Poisson(2.5).variance == 2.5


@pytest.mark.syllabus("S0A-174", "S0A-208")
def test_the_density_of_a_function_of_a_variable():
    income = Transformed(Normal(0.3, 0.49), np.exp, np.log)
    x = np.linspace(0.05, 8, 40)
    reference = stats.lognorm(s=0.7, scale=np.exp(0.3))
    assert income.density(x) == pytest.approx(reference.pdf(x), rel=1e-6)
    assert income.cdf(x) == pytest.approx(reference.cdf(x))
    assert income.mean == pytest.approx(reference.mean(), rel=1e-6)
    # A map may be one to one and fall: the density then takes the absolute slope.
    falling = Transformed(Exponential(1.0), lambda y: -y, lambda x: -x)
    assert falling.density([-2.0]) == pytest.approx(np.exp(-2.0))
    assert falling.cdf([-2.0]) == pytest.approx(np.exp(-2.0))
    assert falling.ends == (-np.inf, 0.0)


@pytest.mark.syllabus("S0A-188")
def test_the_normal_distribution_function_and_the_error_function():
    x = np.linspace(-3, 3, 13)
    by_erf = [0.5 * (1 + math.erf(t / math.sqrt(2))) for t in x]
    assert Normal().cdf(x) == pytest.approx(by_erf)
    area = 2 / math.sqrt(math.pi) * quad(lambda t: math.exp(-t * t), 0, 0.8)[0]
    assert 2 * Normal().cdf(0.8 * math.sqrt(2)) - 1 == pytest.approx(area)
    assert 2 * Normal().cdf(1.96) - 1 == pytest.approx(0.95, abs=1e-4)
    assert Normal().survival(20.0) == pytest.approx(stats.norm.sf(20.0), rel=1e-10)


@pytest.mark.syllabus("S0A-200", "S4B-279", "S0A-213")
def test_the_multivariate_normal_law(rng):
    covariance = np.array([[2.0, 0.6], [0.6, 0.5]])
    law = MultivariateNormal([1.0, -1.0], covariance)
    total = dblquad(lambda b, a: law.density([a, b]).item(), -9, 11, -6, 4)[0]
    assert total == pytest.approx(1, abs=1e-6)
    y = rng.normal(size=(6, 2))
    reference = stats.multivariate_normal([1.0, -1.0], covariance)
    assert law.log_density(y) == pytest.approx(reference.logpdf(y))
    lengths, axes = law.axes()
    assert covariance @ axes == pytest.approx(axes * lengths)
    second = law.marginal([1])
    assert second.density([[0.2]])[0] == pytest.approx(
        Normal(-1.0, 0.5).density([0.2])[0]
    )
    given = law.conditional([0], [2.0])
    assert given.location == pytest.approx([-1.0 + 0.3])
    assert given.covariance == pytest.approx(np.array([[0.5 - 0.18]]))
    drawn = law.sample(50_000, random_state=1)
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.04)
    for wrong in ([[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]):
        with pytest.raises(InvalidParameterError, match="positive definite"):
            MultivariateNormal([0.0, 0.0], wrong)


@pytest.mark.syllabus("S4B-280")
def test_a_mixture_of_normal_laws(rng):
    laws = (
        MultivariateNormal([0.0, 0.0], np.eye(2)),
        MultivariateNormal([4.0, 1.0], [[1.0, 0.7], [0.7, 2.0]]),
    )
    law = Mixture(laws, (0.25, 0.75))
    X = law.sample(20_000, random_state=0)
    assert X.mean(axis=0) == pytest.approx(law.mean, abs=0.08)
    assert np.cov(X.T) == pytest.approx(law.variance, abs=0.15)
    by_hand = 0.25 * laws[0].density(X[:9]) + 0.75 * laws[1].density(X[:9])
    assert law.density(X[:9]) == pytest.approx(by_hand)
    fitted = GaussianMixture(2, random_state=0).fit(X[:500])
    same = Mixture(
        tuple(map(MultivariateNormal, fitted.means_, fitted.covariances_)),
        tuple(fitted.weights_.tolist()),
    )
    assert same.log_density(X[:50]) == pytest.approx(fitted.score_samples(X[:50]))


@pytest.mark.syllabus("S0A-205")
def test_the_logistic_law_and_its_inverse():
    z = np.linspace(0.05, 0.95, 19)
    assert Logistic().quantile(z) == pytest.approx(np.log(z / (1 - z)))
    x = np.linspace(-4, 4, 17)
    assert Logistic().cdf(x) == pytest.approx(1 / (1 + np.exp(-x)))
    assert Logistic(1.0, 2.0).cdf(x) == pytest.approx(stats.logistic(1, 2).cdf(x))


@pytest.mark.syllabus("S0A-209", "S0A-139")
def test_the_mode_of_a_beta_law_moves_to_the_origin():
    grid = np.linspace(1e-4, 1 - 1e-4, 20_001)
    modes = []
    for b in (1.5, 2, 3, 5, 7):
        law = Beta(2.0, b)
        modes.append(law.mode)
        assert law.mode == pytest.approx((2 - 1) / (2 + b - 2))
        assert grid[np.argmax(law.density(grid))] == pytest.approx(law.mode, abs=1e-4)
    assert (np.diff(modes) < 0).all()
    x = np.linspace(0.1, 0.9, 9)
    by_hand = x * (1 - x) ** 4 * math.gamma(7) / (math.gamma(2) * math.gamma(5))
    assert Beta(2.0, 5.0).density(x) == pytest.approx(by_hand)
