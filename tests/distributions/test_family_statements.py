"""Exponential families, row by row of the table, and how to fit them."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import gammaln

from infimum.distributions import (
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    Exponential,
    Gamma,
    Geometric,
    InverseChiSquared,
    InverseGaussian,
    LogSeries,
    MultivariateNormal,
    Normal,
    NumericalFamily,
    Poisson,
    Wishart,
    maximum_entropy,
)
from infimum.errors import DataError, InvalidParameterError


def column(y):
    return y[:, None]


@pytest.mark.syllabus("S0A-132")
@pytest.mark.parametrize(
    ("closed", "domain", "base"),
    [
        (Bernoulli(0.3), [0, 1], None),
        (Poisson(2.0), range(120), lambda y: np.exp(-gammaln(y + 1))),
        (Geometric(0.4), range(400), None),
        (LogSeries(0.5), range(1, 400), lambda y: 1 / y),
        (Exponential(1.4), (0, np.inf), None),
        (Gamma(2.2, 0.7), (0, np.inf), lambda y: 1 / y),
        (Beta(2.2, 0.7), (0, 1), lambda y: 1 / (y * (1 - y))),
        (Normal(0.4, 2.0), (-np.inf, np.inf), None),
        (InverseGaussian(2.0, 3.0), (0, np.inf), lambda y: y**-1.5),
        (InverseChiSquared(5.0), (0, np.inf), lambda y: np.exp(-0.5 / y)),
    ],
    ids=lambda case: type(case).__name__,
)
def test_a_numerical_log_partition_is_the_closed_one(closed, domain, base):
    if isinstance(domain, tuple):
        family = NumericalFamily.on_interval(*domain, closed.statistics, base)
    else:
        family = NumericalFamily.on_values(domain, closed.statistics, base)
    eta = closed.natural
    law = family.of_natural(eta)
    constant = 0.5 * np.log(2 * np.pi) if isinstance(closed, Normal) else 0.0
    told = closed.log_partition(eta) + constant
    assert law.log_partition(eta) == pytest.approx(told, abs=1e-7)
    assert law.mean_statistics(eta) == pytest.approx(
        closed.mean_statistics(eta), rel=1e-6
    )
    assert law.statistics_covariance(eta) == pytest.approx(
        closed.statistics_covariance(eta), rel=1e-5
    )
    y = closed.sample(9, random_state=0)
    assert law.log_density(y) == pytest.approx(closed.log_density(y), abs=1e-6)
    q = np.array([0.2, 0.6])
    assert law.cdf(closed.quantile(q)) == pytest.approx(
        closed.cdf(closed.quantile(q)), abs=0.02 if not law.finite else 1e-9
    )


@pytest.mark.syllabus("S0A-133")
def test_the_binary_model():
    law, eta = Bernoulli(), np.array([1.3])
    odds = np.exp(1.3)
    assert law.of_natural(eta).p == pytest.approx(odds / (1 + odds))
    assert law.log_partition(eta) == pytest.approx(np.log(1 + odds))
    assert law.mean_statistics(eta)[0] == pytest.approx(odds / (1 + odds))
    assert law.statistics_covariance(eta)[0, 0] == pytest.approx(odds / (1 + odds) ** 2)
    assert law.log_partition(np.array([800.0])) == 800.0
    assert law.log_partition(np.array([-800.0])) == 0.0


@pytest.mark.syllabus("S0A-135")
def test_the_multivariate_normal_family(rng):
    S = np.array([[2.0, 0.6], [0.6, 0.5]])
    law = MultivariateNormal([1.0, -1.0], S)
    precision = np.linalg.inv(S)
    assert law.natural[:2] == pytest.approx(precision @ [1.0, -1.0])
    assert law.natural[2:] == pytest.approx(precision.ravel())
    m = np.array([1.0, -1.0])
    told = 0.5 * m @ precision @ m + 0.5 * np.log(np.linalg.det(S))
    assert law.log_partition(law.natural) == pytest.approx(told)
    again = law.of_natural(law.natural)
    assert (again.location, again.covariance) == (
        pytest.approx(m),
        pytest.approx(S),
    )


@pytest.mark.syllabus("S0A-136", "S0A-154")
def test_adding_a_constant_to_log_probabilities_changes_nothing():
    law, eta = Categorical((0.2, 0.3, 0.5)), np.array([0.1, 2.0, -1.0])
    shifted = law.from_natural(eta + 900.0)
    assert shifted.probabilities == pytest.approx(law.from_natural(eta).probabilities)
    assert law.log_partition(eta + 900.0) == pytest.approx(law.log_partition(eta) + 900)
    counted = Categorical.fit([0, 0, 3, 1, 0])
    assert counted.probabilities == pytest.approx([0.6, 0.2, 0.0, 0.2])
    # What never occurred has the natural parameter -inf.
    assert counted.natural[2] == -np.inf


@pytest.mark.syllabus("S0A-137", "S0A-153")
def test_the_poisson_family_and_its_likeliest_rate():
    y = np.array([2.0, 0.0, 5.0, 1.0])
    best = Poisson.fit(y)
    assert best.natural[0] == pytest.approx(np.log(y.sum()) - np.log(len(y)))
    eta = np.array([0.4])
    assert Poisson().log_partition(eta) == pytest.approx(np.exp(0.4))
    assert Poisson().of_natural(eta).rate == pytest.approx(np.exp(0.4))


@pytest.mark.syllabus("S0A-140", "S0A-201")
def test_the_discrete_exponential_law_is_geometric():
    eta = np.array([-0.7])
    law = Geometric().of_natural(eta)
    assert law.p == pytest.approx(1 - np.exp(-0.7))
    k = np.arange(9)
    assert law.density(k) == pytest.approx(stats.geom(law.p).pmf(k + 1))
    assert law.log_partition(eta) == pytest.approx(-np.log(1 - np.exp(-0.7)))
    with pytest.raises(InvalidParameterError, match="outside the domain"):
        Geometric().of_natural([0.0])


@pytest.mark.syllabus("S0A-141", "S0A-177")
def test_the_one_sided_row_of_the_table_is_exponential():
    law = Exponential().of_natural([-2.5])
    x = np.linspace(0, 4, 9)
    assert law.density(x) == pytest.approx(stats.expon(scale=1 / 2.5).pdf(x))
    assert law.cdf(x) == pytest.approx(1 - np.exp(-2.5 * x))
    assert law.log_partition(np.array([-2.5])) == pytest.approx(-np.log(2.5))
    drawn = law.sample(20_000, random_state=0)
    assert drawn.mean() == pytest.approx(0.4, abs=5 * 0.4 / np.sqrt(20_000))
    assert np.isfinite(law.quantile([1e-300, 1 - 1e-16])).all()


@pytest.mark.syllabus("S0A-142")
def test_the_normal_row():
    theta = np.array([0.8, 1.7])  # of x and -x²/2
    law = Normal().of_natural(theta * [1.0, -0.5])
    x = np.linspace(-3, 3, 13)
    told = np.log(2 * np.pi) / 2 - np.log(theta[1]) / 2 + theta[0] ** 2 / (2 * theta[1])
    by_hand = theta[0] * x - theta[1] * x**2 / 2 - told
    assert law.log_density(x) == pytest.approx(by_hand)


@pytest.mark.syllabus("S0A-143")
def test_the_inverse_normal_row():
    theta = np.array([0.8, 1.7])
    told = 0.5 * np.log(np.pi) - 2 * np.sqrt(0.8 * 1.7) - 0.5 * np.log(1.7)
    assert InverseGaussian().log_partition(theta) == pytest.approx(told)
    law = InverseGaussian().of_natural(theta)
    reference = stats.invgauss(law.location / law.shape, scale=law.shape)
    x = np.linspace(0.1, 5, 9)
    assert law.density(x) == pytest.approx(reference.pdf(x))


@pytest.mark.syllabus("S0A-144")
def test_the_gamma_row():
    theta = np.array([2.3, 0.6])  # of log x and -x
    eta = theta * [1, -1]
    told = gammaln(2.3) - 2.3 * np.log(0.6)
    assert Gamma().log_partition(eta) == pytest.approx(told)
    x = np.linspace(0.1, 9, 9)
    reference = stats.gamma(2.3, scale=1 / 0.6)
    assert Gamma().of_natural(eta).density(x) == pytest.approx(reference.pdf(x))


@pytest.mark.syllabus("S0A-145")
def test_the_wishart_row():
    scale = np.array([[1.0, 0.3], [0.3, 2.0]])
    law = Wishart(4.4, scale)
    assert law.natural[0] == 2.2
    assert law.natural[1:] == pytest.approx(np.linalg.inv(scale).ravel())
    X = law.sample(5, random_state=0)
    reference = stats.wishart(4.4, scale)
    assert law.log_density(X) == pytest.approx([reference.logpdf(x) for x in X])
    drawn = law.sample(20_000, random_state=1)
    assert drawn.mean(axis=0) == pytest.approx(4.4 * scale, abs=0.15)
    with pytest.raises(InvalidParameterError, match="outside the domain"):
        law.of_natural(np.concatenate([[0.4], np.eye(2).ravel()]))


@pytest.mark.syllabus("S0A-146", "S0A-151")
def test_the_dirichlet_row_and_its_likeliest_concentration():
    alpha = np.array([0.8, 2.5, 4.0])
    told = gammaln(alpha).sum() - gammaln(alpha.sum())
    assert Dirichlet(alpha).log_partition(alpha) == pytest.approx(told)
    X = Dirichlet(alpha).sample(4000, random_state=0)
    best = Dirichlet.fit(X)
    assert best.concentration == pytest.approx(alpha, rel=0.1)
    assert best.moment_residual(X) < 1e-10
    # The generic minimiser finds what programs of their own find.
    y = Gamma(1.7, 2.0).sample(500, random_state=1)
    shape, _, scale = stats.gamma.fit(y, floc=0)
    found = Gamma(1.0, 1.0).matching(Gamma().statistics(y).mean(axis=0))
    assert (found.shape, found.scale) == pytest.approx((shape, scale), rel=1e-4)


@pytest.mark.syllabus("S0A-147")
def test_the_inverse_chi_squared_row():
    theta = 3.4
    law = InverseChiSquared().of_natural([theta])
    assert law.degrees == pytest.approx(2 * (theta - 1))
    told = (theta - 1) * np.log(2) + gammaln(theta - 1)
    assert law.log_partition(np.array([theta])) == pytest.approx(told)
    area = quad(lambda x: np.exp(-0.5 / x - theta * np.log(x)), 0, np.inf)[0]
    assert np.log(area) == pytest.approx(told)
    with pytest.raises(InvalidParameterError, match="outside the domain"):
        law.of_natural([1.0])


@pytest.mark.syllabus("S0A-148")
def test_the_logarithmic_row():
    theta = np.array([-0.4])
    law = LogSeries().of_natural(theta)
    k = np.arange(1, 12)
    assert law.density(k) == pytest.approx(stats.logser(np.exp(-0.4)).pmf(k))
    told = np.log(-np.log(1 - np.exp(-0.4)))
    assert law.log_partition(theta) == pytest.approx(told)


@pytest.mark.syllabus("S0A-203")
def test_the_law_of_greatest_entropy_is_the_family_that_matches():
    die = NumericalFamily.on_values(range(1, 7), column)
    law = maximum_entropy(die, [4.5])
    assert law.mean == pytest.approx(4.5)
    by_hand = np.exp(law.natural[0] * np.arange(1, 7))
    assert law.density(np.arange(1, 7)) == pytest.approx(by_hand / by_hand.sum())
    # Every other law with this mean has less entropy.
    move = np.array([1.0, -2.0, 1.0, 0, 0, 0])
    for step in (0.02, -0.02):
        other = law.shares + step * move
        assert other @ np.arange(1, 7) == pytest.approx(4.5)
        assert -(other * np.log(other)).sum() < law.entropy()
    # Its dual is maximum likelihood.
    assert die.likeliest([4, 5]).natural == pytest.approx(law.natural)
    with pytest.raises(DataError, match="no law of the domain"):
        maximum_entropy(die, [6.5])
