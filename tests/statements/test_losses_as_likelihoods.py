"""Maximum likelihood: losses as negative log-likelihoods, and Bayes' rule."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, stats

from infimum.data import linear_regression, poisson_counts, two_gaussians
from infimum.data.designs import as_design
from infimum.distributions import Bernoulli, Normal
from infimum.distributions import Poisson as PoissonLaw
from infimum.losses import Absolute, Logistic, Poisson, Softmax, Squared
from infimum.models.linear import (
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
)
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty
from infimum.study.convexity import NewtonMethod, Oracle

#: Each loss with the logarithm of the density whose parameter it estimates.
LIKELIHOODS = [
    (Squared(), stats.norm.logpdf),
    (Absolute(), stats.laplace.logpdf),
    (Poisson(), lambda y, f: stats.poisson.logpmf(y, np.exp(f))),
    (Logistic(), lambda y, f: stats.bernoulli.logpmf(y > 0, 1 / (1 + np.exp(-f)))),
]
each_law = pytest.mark.parametrize(
    "loss, log_density", LIKELIHOODS, ids=["Gauss", "Laplace", "Poisson", "Bernoulli"]
)


def draw(loss, rng, n):
    if loss.target == "count":
        return rng.poisson(3.0, n).astype(float)
    if loss.target == "sign":
        return np.where(rng.random(n) < 0.7, 1.0, -1.0)
    return rng.standard_normal(n) + 2.0


@pytest.mark.syllabus("S1-168")
@each_law
def test_the_least_total_loss_is_the_greatest_likelihood(loss, log_density, rng):
    y = draw(loss, rng, 51)
    # Loss and negative log-likelihood differ by a number that the parameter leaves be.
    f = rng.standard_normal((2, 51))
    change = loss.value(y, f[0]) - loss.value(y, f[1])
    assert change == pytest.approx(log_density(y, f[1]) - log_density(y, f[0]))
    grid = np.linspace(-4, 4, 8001)
    likelihood = [log_density(y, theta).sum() for theta in grid[::10]]
    best = loss.best_constant(y)
    assert best == pytest.approx(grid[::10][np.argmax(likelihood)], abs=0.02)
    assert log_density(y, best).sum() >= max(likelihood) - 1e-9


@pytest.mark.syllabus("S1-168")
@pytest.mark.parametrize(
    "law, names",
    [
        (Normal(1.3, 0.8), ("location", "spread")),
        (PoissonLaw(3.4), ("rate",)),
        (Bernoulli(0.3), ("p",)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_fitted_law_has_the_greatest_likelihood_of_its_family(law, names, rng):
    sample = law.sample(300, 7)
    fitted = type(law).fit(sample)
    best = fitted.log_likelihood(sample)
    assert best == pytest.approx(np.sum(fitted.log_density(sample)))
    for name in names:
        value = getattr(fitted, name)
        for other in (0.97 * value, 1.03 * value):
            near = replace(fitted, **{name: other})
            assert near.log_likelihood(sample) < best
        # As the sample grows the estimate settles at the truth.
        assert value == pytest.approx(getattr(law, name), abs=0.2)


@pytest.mark.syllabus("S1-169", "S1-171")
def test_the_mean_maximises_the_gaussian_likelihood(rng):
    x = rng.standard_normal(40) + 1.5
    mean = Squared().best_constant(x)
    assert mean == pytest.approx(x.sum() / 40)

    def log_likelihood(center):
        return stats.norm.logpdf(x, center).sum()

    constant = -20 * np.log(2 * np.pi)
    squares = Squared().value(x, np.full(40, 0.3)).sum()
    assert log_likelihood(0.3) == pytest.approx(constant - squares)
    found = optimize.minimize_scalar(lambda center: -log_likelihood(center))
    assert mean == pytest.approx(found.x, abs=1e-6)
    # The same in several dimensions: without features, least squares is the mean.
    X = rng.normal([1.0, 0.0, -2.0], 1.0, (40, 3))
    center = LinearRegression().fit(np.zeros((40, 1)), X).intercept_
    assert center == pytest.approx(X.mean(axis=0))
    best = stats.multivariate_normal.logpdf(X, center, np.eye(3)).sum()
    for other in center + 0.1 * rng.standard_normal((30, 3)):
        assert stats.multivariate_normal.logpdf(X, other, np.eye(3)).sum() < best


@pytest.mark.syllabus("S1-172")
def test_other_families_are_fitted_by_the_same_principle(rng):
    counts = rng.poisson(4.0, 60).astype(float)
    assert np.exp(Poisson().best_constant(counts)) == pytest.approx(counts.mean())
    labels = rng.integers(0, 3, 90).astype(float)
    scores = Softmax(3).best_constant(labels)
    shares = np.exp(scores) / np.exp(scores).sum()
    assert shares == pytest.approx(np.bincount(labels.astype(int)) / 90)
    # Exponential waiting times, in θ = log rate: minus log-likelihood is convex.
    times = rng.exponential(0.5, 80)
    law = Oracle(
        lambda t: -float(stats.expon.logpdf(times, scale=np.exp(-t[0])).sum()),
        lambda t: np.array([times.sum() * np.exp(t[0]) - 80]),
        lambda t: np.array([[times.sum() * np.exp(t[0])]]),
    )
    rate = np.exp(NewtonMethod().minimize(law, np.zeros(1)).point[0])
    assert rate == pytest.approx(1 / times.mean())
    # And with features: the likelihood of a whole regression is maximised.
    toy = poisson_counts(300, random_state=0)
    model = PoissonRegressor(alpha=0.0, tol=1e-6).fit(toy.X, toy.y)
    best = stats.poisson.logpmf(toy.y, model.predict(toy.X)).sum()
    truth = np.exp(toy.X @ toy.coefficients + toy.intercept)
    assert best >= stats.poisson.logpmf(toy.y, truth).sum()
    for change in 0.05 * rng.standard_normal((20, 2)):
        rates = np.exp(toy.X @ (model.coef_ + change) + model.intercept_)
        assert stats.poisson.logpmf(toy.y, rates).sum() < best


@pytest.mark.syllabus("S1-173")
@pytest.mark.parametrize("noise", [0.3, 2.0])
def test_least_squares_maximises_the_likelihood_under_gaussian_noise(noise, rng):
    toy = linear_regression(50, noise=noise, random_state=4)
    w = LinearRegression(fit_intercept=False).fit(toy.X, toy.y).coef_
    problem = as_design(toy.X), toy.y, Squared(), NoPenalty()
    risk = LinearRisk(*problem, intercept=False)

    def log_likelihood(v):
        return stats.norm.logpdf(toy.y, toy.X @ v, noise).sum()

    for v in w + rng.standard_normal((30, 3)):
        gap = risk.value(np.append(v, 0.0)) - risk.value(np.append(w, 0.0))
        lost = log_likelihood(w) - log_likelihood(v)
        assert lost == pytest.approx(50 * gap / noise**2)  # whatever the noise level
        assert lost > 0


@pytest.mark.syllabus("S1-174")
@pytest.mark.parametrize("prior", [0.5, 0.2])
def test_bayes_rule_turns_class_densities_into_class_probabilities(prior):
    toy = two_gaussians(4000, scale=0.8, prior=prior, random_state=2)
    covariance = 0.64 * np.eye(2)
    low, high = (
        stats.multivariate_normal.pdf(toy.X, mean, covariance)
        for mean in ([-1.0, 0.0], [1.0, 0.0])
    )
    evidence = prior * high + (1 - prior) * low
    posterior = prior * high / evidence
    assert posterior + (1 - prior) * low / evidence == pytest.approx(1)
    odds = np.exp(toy.X @ toy.coefficients + toy.intercept)
    assert odds / (1 + odds) == pytest.approx(posterior)
    learnt = LogisticRegression(C=100.0).fit(toy.X, toy.y).predict_proba(toy.X)[:, 1]
    assert np.abs(learnt - posterior).mean() < 0.02
    # The more probable class after seeing x is the best guess.
    errors = np.mean((posterior > 0.5) != toy.y)
    assert errors == pytest.approx(toy.bayes_risk, abs=0.02)
