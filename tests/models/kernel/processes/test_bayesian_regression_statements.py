"""Bayesian linear regression: its evidence, and how sure it is of what it learnt."""

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.base import clone

from infimum.kernels import Gaussian, Linear
from infimum.models.kernel import GaussianProcessRegressor

SIGMA = 0.7


def fitted(X, y):
    """Return the posterior of w ~ N(0, I), y = Xw + N(0, σ²), as a Gaussian process."""
    model = GaussianProcessRegressor(Linear(), alpha=SIGMA**2, optimizer=None)
    return model.fit(X, y)


@pytest.mark.syllabus("S1-176")
def test_the_marginal_likelihood_is_the_likelihood_averaged_over_the_prior(rng):
    X, y = rng.standard_normal((6, 1)), rng.standard_normal(6)
    evidence = fitted(X, y).log_marginal_likelihood_value_

    def joint(w):
        return stats.norm.pdf(w) * np.prod(stats.norm.pdf(y, X[:, 0] * w, SIGMA))

    total, _ = integrate.quad(joint, -12, 12, epsabs=0, epsrel=1e-10)
    assert evidence == pytest.approx(np.log(total), abs=1e-6)
    covariance = X @ X.T + SIGMA**2 * np.eye(6)
    law = stats.multivariate_normal(np.zeros(6), covariance)
    assert evidence == pytest.approx(law.logpdf(y), abs=1e-6)
    # Several coefficients: the same normal law, with XXᵀ of all columns.
    X = rng.standard_normal((6, 3))
    law = stats.multivariate_normal(np.zeros(6), X @ X.T + SIGMA**2 * np.eye(6))
    found = fitted(X, y).log_marginal_likelihood_value_
    assert found == pytest.approx(law.logpdf(y), abs=1e-6)


@pytest.mark.syllabus("S1-178")
def test_the_posterior_contracts_and_its_intervals_cover(rng):
    spreads = []
    for n in (5, 20, 80):
        X = rng.standard_normal((n, 3))
        y = X @ rng.standard_normal(3) + SIGMA * rng.standard_normal(n)
        _, covariance = fitted(X, y).predict(np.eye(3), return_cov=True)
        # At the unit vectors the values are the coefficients themselves.
        exact = np.linalg.inv(X.T @ X / SIGMA**2 + np.eye(3))
        assert covariance == pytest.approx(exact, abs=1e-6)
        spreads.append(np.trace(covariance))
    assert spreads[0] > 2 * spreads[1] > 4 * spreads[2]
    covered, rounds = 0, 400
    for _ in range(rounds):
        X, w = rng.standard_normal((8, 2)), rng.standard_normal(2)
        y = X @ w + SIGMA * rng.standard_normal(8)
        mean, spread = fitted(X, y).predict(np.eye(2), return_std=True)
        covered += int((np.abs(w - mean) <= 1.96 * spread)[0])
    margin = 4 * np.sqrt(0.95 * 0.05 / rounds)
    assert covered / rounds == pytest.approx(0.95, abs=margin)


def test_ranks_of_the_truth_among_drawn_functions_are_uniform(rng):
    kernel, places = Gaussian(width=0.8), np.array([[0.3], [1.7], [5.0]])
    X = np.linspace(0.0, 3.0, 5)[:, None]
    model = GaussianProcessRegressor(kernel, alpha=SIGMA**2, optimizer=None)
    every = np.vstack([X, places])
    ranks = []
    for truth in model.sample_y(every, 400, random_state=7).T:
        y = truth[:5] + SIGMA * rng.standard_normal(5)
        drawn = (
            clone(model)
            .fit(X, y)
            .sample_y(places, 19, random_state=int(rng.integers(1e9)))
        )
        ranks.append((drawn < truth[5:, None]).sum(axis=1))
    for column in np.array(ranks).T:
        counts = np.bincount(column, minlength=20)
        assert stats.chisquare(counts).pvalue > 1e-3
