"""Bayesian logistic regression against integrals, grids and simulation."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import dblquad
from scipy.special import expit

from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import LogisticRegression
from infimum.models.probabilistic import BayesianLogisticRegression
from infimum.models.probabilistic._polya_gamma import polya_gamma


def table(rng, n=60, d=2, scale=1.0):
    X = rng.normal(size=(n, d))
    w = scale * rng.normal(size=d)
    return X, (rng.uniform(size=n) < expit(X @ w)).astype(int), w


def test_the_mode_is_certified_and_that_of_logistic_regression(rng):
    X, y, _ = table(rng)
    model = BayesianLogisticRegression(prior_precision=0.5).fit(X, y)
    assert model.certificate_.closed
    theirs = LogisticRegression(C=2.0, tol=1e-10).fit(X, y)
    assert model.coef_ == pytest.approx(theirs.coef_, abs=1e-4)
    counts = rng.integers(0, 3, size=len(y))
    weighted = BayesianLogisticRegression().fit(X, y, counts)
    copied = BayesianLogisticRegression().fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    assert weighted.covariance_ == pytest.approx(copied.covariance_, rel=1e-3)
    assert weighted.log_evidence_ == pytest.approx(copied.log_evidence_, rel=1e-5)


def test_the_evidence_lies_between_its_bounds(rng):
    for n in (1, 6, 25):
        X, y, _ = table(rng, n=n + 1)
        y[:2] = 0, 1
        model = BayesianLogisticRegression(fit_intercept=False).fit(X, y)

        def joint(b, a, X=X, y=y):
            logs = -np.logaddexp(0, -(2 * y - 1) * (X @ [a, b])).sum()
            return np.exp(logs - (a * a + b * b) / 2) / (2 * np.pi)

        exact = np.log(dblquad(joint, -8, 8, -8, 8)[0])
        low, high = model.log_evidence_bounds_
        assert low <= exact <= high
        assert model.log_evidence_ == pytest.approx(exact, abs=0.3)


@pytest.mark.parametrize("method", ["hamiltonian", "polya_gamma"])
def test_draws_follow_the_posterior(rng, method):
    X, y, _ = table(rng, n=25)
    model = BayesianLogisticRegression(fit_intercept=False).fit(X, y)
    found = model.sample_posterior(X, y, draws=1500, method=method, random_state=0)
    assert found.problems() == []
    side = np.linspace(-4, 5, 181)
    W = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1)
    margins = (2 * y - 1) * (W @ X.T)
    logs = -np.logaddexp(0, -margins).sum(axis=2) - (W**2).sum(axis=2) / 2
    density = np.exp(logs - logs.max())
    density /= density.sum()
    mean = np.einsum("ij,ijk->k", density, W)
    spread = np.einsum("ij,ijk->k", density, (W - mean) ** 2)
    summary = found.summary()
    assert (np.abs(summary.mean - mean) <= 4 * summary.mean_error + 1e-3).all()
    assert summary.deviation**2 == pytest.approx(spread, rel=0.15)


@pytest.mark.parametrize("method", ["hamiltonian", "polya_gamma"])
def test_ranks_of_the_truth_are_uniform(method):
    rng = np.random.default_rng(3)
    ranks = []
    for _ in range(120):
        X, y, w = table(rng, n=12)
        # Two rows of zeros say nothing about w, and bring both classes always.
        X, y = np.vstack([X, np.zeros((2, 2))]), np.append(y, [0, 1])
        model = BayesianLogisticRegression(fit_intercept=False).fit(X, y)
        found = model.sample_posterior(
            X, y, draws=20, warmup=60, chains=3, method=method, random_state=rng
        )
        thinned = found.values[:, ::7].reshape(-1, 2)  # nine draws
        ranks.extend((thinned < w).sum(axis=0))
    counts = np.bincount(ranks, minlength=10)
    assert stats.chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("z", [0.0, 0.7, 3.0, 12.0])
def test_polya_gamma_draws_have_the_moments_of_their_law(z):
    drawn = polya_gamma(np.full(40_000, z), np.random.default_rng(0))
    mean = 0.25 if z == 0 else np.tanh(z / 2) / (2 * z)
    variance = 1 / 24 if z == 0 else (np.sinh(z) - z) / (4 * z**3 * np.cosh(z / 2) ** 2)
    assert drawn.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / 40_000))
    assert drawn.var() == pytest.approx(variance, rel=0.06)
    # E[exp(-tω)] has a closed form, too.
    told = np.cosh(z / 2) / np.cosh(np.sqrt(0.5 * (z**2 / 2 + 1.0)))
    assert np.exp(-drawn).mean() == pytest.approx(told, abs=5e-3)


def test_probabilities_and_intervals(rng):
    X, y, _ = table(rng, n=200)
    model = BayesianLogisticRegression().fit(X, y)
    chances = model.predict_proba(X)[:, 1]
    low, high = model.predict_interval(X, 0.9).T
    plain = expit(model.decision_function(X))
    assert ((low < plain) & (plain < high)).all()
    # Averaging over what is not known moves probabilities towards one half.
    assert (np.abs(chances - 0.5) <= np.abs(plain - 0.5)).all()
    found = model.sample_posterior(X, y, draws=500, random_state=0).pooled
    averaged = expit(found[:, :-1] @ X[:20].T + found[:, -1:]).mean(axis=0)
    assert chances[:20] == pytest.approx(averaged, abs=0.03)


def test_what_bayesian_logistic_regression_refuses(rng):
    X, y, _ = table(rng)
    with pytest.raises(InvalidParameterError, match="prior_precision"):
        BayesianLogisticRegression(prior_precision=0.0).fit(X, y)
    with pytest.raises(DataError, match="Only binary"):
        BayesianLogisticRegression().fit(X, np.arange(60) % 3)
    model = BayesianLogisticRegression().fit(X, y)
    with pytest.raises(DataError, match="not those of fit"):
        model.sample_posterior(X, y + 5)
    with pytest.raises(DataError, match="equal weight"):
        model.sample_posterior(X, y, 1.0 + y, method="polya_gamma")
    with pytest.raises(InvalidParameterError, match="method"):
        model.sample_posterior(X, y, method="guess")
