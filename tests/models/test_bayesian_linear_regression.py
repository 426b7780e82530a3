"""Bayesian linear regression against grids, integrals and simulation."""

import numpy as np
import pytest
from scipy import stats
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import Ridge
from infimum.models.probabilistic import BayesianLinearRegression


def table(rng, n=40, d=3, noise=0.3):
    X = rng.normal(size=(n, d))
    return X, X @ rng.normal(size=d) + 1.0 + np.sqrt(noise) * rng.normal(size=n)


@pytest.mark.syllabus("S1-175")
def test_the_posterior_of_the_coefficients(rng):
    X, y = table(rng, d=2)
    s2 = 0.3
    model = BayesianLinearRegression(noise=s2, fit_intercept=False).fit(X, y)
    covariance = np.linalg.inv(X.T @ X / s2 + np.eye(2))
    assert model.covariance_ == pytest.approx(covariance)
    assert model.coef_ == pytest.approx(covariance @ X.T @ y / s2)
    # On a grid: the density is that of the normal law, its mode is its mean.
    side = [np.linspace(m - 0.6, m + 0.6, 201) for m in model.coef_]
    W = np.stack(np.meshgrid(*side, indexing="ij"), axis=-1)
    logs = -((W @ X.T - y) ** 2).sum(axis=2) / (2 * s2) - (W**2).sum(axis=2) / 2
    density = np.exp(logs - logs.max())
    density /= density.sum()
    mean = np.einsum("ij,ijk->k", density, W)
    assert model.coef_ == pytest.approx(mean, abs=1e-4)
    peak = W[np.unravel_index(np.argmax(logs), logs.shape)]
    assert model.coef_ == pytest.approx(peak, abs=0.004)
    # It is ridge regression of strength σ²/n in the mean objective.
    ridge = Ridge(alpha=s2, fit_intercept=False).fit(X, y)
    assert model.coef_ == pytest.approx(ridge.coef_)


@pytest.mark.syllabus("S1-176")
@pytest.mark.parametrize("noise", [0.3, None])
def test_the_evidence_is_the_integral_of_the_likelihood(rng, noise):
    X, y = table(rng, n=12, d=2)
    plain = {"fit_intercept": False, "prior_precision": 0.7}
    settings = {"noise": noise, "noise_shape": 2.0, "noise_rate": 1.5, **plain}
    model = BayesianLinearRegression(**settings).fit(X, y)
    if noise:
        law = stats.multivariate_normal(np.zeros(12), X @ X.T / 0.7 + 0.3 * np.eye(12))
    else:
        shape = (X @ X.T / 0.7 + np.eye(12)) * 1.5 / 2.0
        law = stats.multivariate_t(np.zeros(12), shape, df=4.0)
    assert model.log_evidence_ == pytest.approx(law.logpdf(y))
    # One value after the other: the evidence is the product of the predictions.
    step, total = BayesianLinearRegression(**settings), 0.0
    for x, target in zip(X, y, strict=True):
        seen = hasattr(step, "n_seen_")
        law = step.predict_law(x) if seen else step.prior_predictive(x)
        total += float(law.log_density([target])[0])
        step.partial_fit(x[None], [target])
    assert total == pytest.approx(model.log_evidence_)
    assert step.coef_ == pytest.approx(model.coef_)


@pytest.mark.parametrize("noise", [0.3, None])
def test_batches_weights_and_copies_give_one_posterior(rng, noise):
    X, y = table(rng)
    model = BayesianLinearRegression(noise=noise).fit(X, y)
    parts = BayesianLinearRegression(noise=noise)
    for part in np.array_split(np.arange(40), 3):
        parts.partial_fit(X[part], y[part])
    for name in ("coef_", "intercept_", "covariance_", "log_evidence_", "noise_"):
        assert getattr(parts, name) == pytest.approx(getattr(model, name), rel=1e-9)
    counts = rng.integers(0, 3, size=40)
    weighted = BayesianLinearRegression(noise=noise).fit(X, y, counts)
    copied = BayesianLinearRegression(noise=noise).fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    for name in ("coef_", "covariance_", "log_evidence_"):
        assert getattr(weighted, name) == pytest.approx(getattr(copied, name))
    shifted = BayesianLinearRegression(noise=noise).fit(X + 1e3, y + 50.0)
    assert shifted.coef_ == pytest.approx(model.coef_, rel=1e-6)
    assert shifted.predict(X + 1e3) == pytest.approx(model.predict(X) + 50.0)


@pytest.mark.syllabus("S1-178")
@pytest.mark.parametrize("noise", [0.5, None])
def test_intervals_hold_what_they_promise(noise):
    rng = np.random.default_rng(0)
    hits, new = [], []
    for _ in range(400):
        w = rng.normal(size=2) * (1.0 if noise else np.sqrt(0.5))
        X = rng.normal(size=(15, 2))
        y = X @ w + np.sqrt(0.5) * rng.normal(size=15)
        model = BayesianLinearRegression(noise=noise, fit_intercept=False).fit(X, y)
        low, high = model.credible_intervals(0.9).T
        hits.extend((low <= w) & (w <= high))
        x = rng.normal(size=(5, 2))
        y = x @ w + np.sqrt(0.5) * rng.normal(size=5)
        low, high = model.predict_interval(x, 0.9).T
        new.extend((low <= y) & (y <= high))
    assert np.mean(hits) == pytest.approx(0.9, abs=0.035)
    assert np.mean(new) == pytest.approx(0.9, abs=0.025)
    # The posterior contracts with the size of the sample.
    X, y = table(rng, n=400)
    some = BayesianLinearRegression(noise=0.3).fit(X[:50], y[:50])
    more = BayesianLinearRegression(noise=0.3).fit(X, y)
    assert np.trace(more.covariance_) < 0.3 * np.trace(some.covariance_)


@pytest.mark.syllabus("S1-179")
def test_any_features_may_come_before_it(rng):
    x = rng.uniform(-1, 1, size=(60, 1))
    y = 1 - 2 * x[:, 0] ** 2 + 0.1 * rng.normal(size=60)
    model = make_pipeline(PolynomialFeatures(3), BayesianLinearRegression(noise=0.01))
    model.fit(x, y)
    by_hand = np.hstack([x, x**2, x**3])
    direct = BayesianLinearRegression(noise=0.01).fit(by_hand, y)
    assert model.predict(x) == pytest.approx(direct.predict(by_hand), abs=1e-8)
    assert model[-1].coef_[1:] == pytest.approx(direct.coef_, abs=1e-8)


@pytest.mark.syllabus("S3-125", "S3-126", "S3-127")
def test_prior_and_posterior_predictive_laws(rng):
    X, y = table(rng, n=20, d=2)
    x = np.array([0.7, -1.2])
    plain = BayesianLinearRegression(
        noise=0.3, prior_precision=0.5, fit_intercept=False
    )
    before = plain.prior_predictive(x)
    assert before.variance == pytest.approx(x @ x / 0.5 + 0.3)
    W = rng.normal(size=(100_000, 2)) / np.sqrt(0.5)
    drawn = W @ x + np.sqrt(0.3) * rng.normal(size=100_000)
    assert drawn.var() == pytest.approx(before.variance, rel=0.03)
    after = plain.fit(X, y).predict_law(x)
    covariance = np.linalg.inv(X.T @ X / 0.3 + 0.5 * np.eye(2))
    assert after.mean == pytest.approx(x @ plain.coef_)
    assert after.variance == pytest.approx(x @ covariance @ x + 0.3)
    mean, std = plain.predict(x[None], return_std=True)
    assert (mean[0], std[0]) == pytest.approx((after.mean, after.deviation))
    unknown = BayesianLinearRegression().fit(X, y)
    told = unknown.predict_law(x)
    drawn = unknown.sample_predictive(x[None], 50_000, random_state=0)[:, 0]
    assert stats.kstest(drawn, told.cdf).pvalue > 1e-3
    # The mean answers the squared loss, the median the absolute one.
    risks = [told.expect(lambda t, a=a: (t - a) ** 2) for a in told.mean + np.r_[-1:2]]
    assert np.argmin(risks) == 1
    risks = [told.expect(lambda t, a=a: abs(t - a)) for a in told.median + np.r_[-1:2]]
    assert np.argmin(risks) == 1
    grid = np.linspace(told.mean - 2, told.mean + 2, 401)
    assert grid[np.argmax(told.density(grid))] == pytest.approx(told.mean, abs=0.01)


@pytest.mark.parametrize("noise", [0.5, None])
def test_ranks_of_the_truth_among_posterior_draws_are_uniform(noise):
    rng = np.random.default_rng(5)
    ranks = []
    for _ in range(500):
        s2 = 0.5 if noise else 1.5 / rng.gamma(3.0)
        w = rng.normal(size=2) * (1.0 if noise else np.sqrt(s2))
        X = rng.normal(size=(8, 2))
        y = X @ w + np.sqrt(s2) * rng.normal(size=8)
        model = BayesianLinearRegression(
            noise=noise, noise_shape=3.0, noise_rate=1.5, fit_intercept=False
        ).fit(X, y)
        drawn = model.sample_posterior(19, rng)
        truth = np.append(w, s2) if noise is None else w
        ranks.append((drawn[:, [0, 1, 3][: len(truth)]] < truth).sum(axis=0))
    for column in np.array(ranks).T:
        counts = np.bincount(column, minlength=20)
        assert stats.chisquare(counts).pvalue > 1e-3


def test_what_a_bayesian_regression_refuses(rng):
    X, y = table(rng)
    with pytest.raises(InvalidParameterError, match=r"noise must be"):
        BayesianLinearRegression(noise=0.0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="prior_precision"):
        BayesianLinearRegression(prior_precision=-1.0).fit(X, y)
    with pytest.raises(DataError, match="fit_intercept=False"):
        BayesianLinearRegression().prior_predictive([1.0])
    one = BayesianLinearRegression(noise=1.0).fit(X[:1], y[:1])
    assert one.predict(X[:1]) == pytest.approx(y[:1])
