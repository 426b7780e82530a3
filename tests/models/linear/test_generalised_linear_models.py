"""Generalised linear models: likelihoods, links, offsets, exposures and counts."""

import numpy as np
import pytest
import sklearn.linear_model
from scipy import optimize, sparse, stats
from scipy.special import expit, log_ndtr, ndtr
from sklearn.metrics import log_loss

from infimum.distributions import Bernoulli, Categorical, Normal, Poisson
from infimum.errors import DataError, InvalidParameterError
from infimum.losses import Softmax
from infimum.models.linear import (
    GammaRegressor,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    ProbitRegression,
    RiskMinimizer,
    counted_rows,
)

W = np.array([0.6, -0.4])


@pytest.fixture
def X(rng):  # noqa: N802
    return rng.normal(size=(200, 2))


@pytest.fixture
def labels(X, rng):
    return (rng.uniform(size=200) < expit(X @ W + 0.3)).astype(int)


@pytest.fixture
def counts(X, rng):
    return rng.poisson(np.exp(X @ W + 0.5)).astype(float)


TRANSFERS = {
    "logistic": (LogisticRegression(C=np.inf, tol=1e-8), expit),
    "normal": (ProbitRegression(C=np.inf, tol=1e-8), ndtr),
}


@pytest.mark.syllabus("S3-105", "S3-106")
@pytest.mark.parametrize("transfer", TRANSFERS)
def test_bernoulli_regression_sends_a_linear_score_through_a_transfer(
    transfer, X, labels
):
    model, f = TRANSFERS[transfer]
    model.fit(X, labels)
    theta = f(X @ model.coef_[0] + model.intercept_[0])
    assert model.predict_proba(X)[:, 1] == pytest.approx(theta)
    assert ((theta >= 0) & (theta <= 1)).all()
    if transfer == "logistic":
        scores = model.decision_function(X)
        assert theta == pytest.approx(1 / (1 + np.exp(-scores)))


@pytest.mark.syllabus("S3-108")
@pytest.mark.parametrize("transfer", TRANSFERS)
def test_the_fit_minimises_the_bernoulli_negative_log_likelihood(transfer, X, labels):
    model, f = TRANSFERS[transfer]
    model.fit(X, labels)
    ones = np.column_stack([X, np.ones(len(X))])

    def price(point):
        theta = f(ones @ point)
        return -(labels * np.log(theta) + (1 - labels) * np.log(1 - theta)).sum()

    best = np.append(model.coef_[0], model.intercept_)
    chance = model.predict_proba(X)
    assert price(best) == pytest.approx(200 * log_loss(labels, chance))
    by_laws = -sum(
        Bernoulli(float(p)).log_likelihood([y])
        for p, y in zip(chance[:, 1], labels, strict=True)
    )
    assert price(best) == pytest.approx(by_laws)
    slope = optimize.approx_fprime(best, price, 1e-7)
    assert slope == pytest.approx(0, abs=1e-3)
    found = optimize.minimize(price, np.zeros(3), options={"gtol": 1e-8})
    assert best == pytest.approx(found.x, abs=1e-5)


@pytest.mark.syllabus("S3-109")
def test_poisson_regression_maximises_a_concave_likelihood(X, counts):
    model = PoissonRegressor(alpha=0.0, tol=1e-8).fit(X, counts)
    rates = model.predict(X)
    assert rates == pytest.approx(np.exp(X @ model.coef_ + model.intercept_))
    assert X.T @ (counts - rates) == pytest.approx(0, abs=1e-5)  # the gradient
    assert rates.sum() == pytest.approx(counts.sum())
    theirs = sklearn.linear_model.PoissonRegressor(alpha=0.0, tol=1e-10).fit(X, counts)
    assert model.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    height = stats.poisson(rates).logpmf(counts).sum()
    by_laws = sum(
        Poisson(float(rate)).log_likelihood([y])
        for rate, y in zip(rates, counts, strict=True)
    )
    assert height == pytest.approx(by_laws)
    for move in np.random.default_rng(0).normal(size=(10, 2)):
        other = stats.poisson(np.exp(X @ (model.coef_ + 0.1 * move) + model.intercept_))
        assert other.logpmf(counts).sum() < height


@pytest.mark.syllabus("S3-112")
def test_multinomial_regression_is_softmax_and_two_classes_are_logistic(X, rng, labels):
    y = (X @ rng.normal(size=(2, 3)) + rng.gumbel(size=(200, 3))).argmax(axis=1)
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert model.predict_proba(X) == pytest.approx(shares)
    by_laws = -sum(
        Categorical(tuple(p)).log_likelihood([label])
        for p, label in zip(shares.tolist(), y, strict=True)
    )
    assert 200 * model.certificate_.primal == pytest.approx(by_laws)
    theirs = sklearn.linear_model.LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    assert model.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-5)
    # With two classes only the difference of the weights counts.
    two = LogisticRegression(C=np.inf, tol=1e-8).fit(X, labels)
    joint = RiskMinimizer(Softmax(2), "none", tol=1e-14).fit(X, labels)
    assert joint.coef_.shape == (2, 2)
    assert joint.coef_[1] - joint.coef_[0] == pytest.approx(two.coef_[0], abs=1e-5)
    assert np.ptp(joint.intercept_) == pytest.approx(abs(two.intercept_[0]), abs=1e-5)


@pytest.mark.syllabus("S3-114")
def test_maximum_likelihood_is_empirical_risk_minimisation(X, rng):
    y = X @ W + 1.0 + rng.normal(size=200)
    model = LinearRegression().fit(X, y)

    def risk(point):
        means = X @ point[:2] + point[2]
        return -np.mean(
            [Normal(m, 1.0).log_density([t])[0] for m, t in zip(means, y, strict=True)]
        )

    best = np.append(model.coef_, model.intercept_)
    likelihood = np.exp(-50 * (risk(best) - risk(best + 0.05)))
    assert likelihood > 1  # the smaller risk has the larger likelihood
    found = optimize.minimize(risk, np.zeros(3), method="BFGS", options={"gtol": 1e-7})
    assert found.x == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize(
    "holder", [np.asarray, sparse.csr_array], ids=["dense", "sparse"]
)
def test_exposure_is_the_offset_of_its_logarithm_and_a_weighted_rate(holder, X, rng):
    exposure = rng.uniform(0.2, 5.0, size=200)
    y = rng.poisson(exposure * np.exp(X @ W)).astype(float)
    held = holder(X)
    fit = PoissonRegressor(alpha=0.0, tol=1e-8).fit
    model = fit(held, y, exposure=exposure)
    assert model.certificate_.closed
    coef, intercept = model.coef_.copy(), model.intercept_
    recheck = model.certify(held, y, exposure=exposure)
    assert recheck.relative_gap <= 1e-12
    predicted = model.predict(held, exposure=exposure)
    assert predicted == pytest.approx(exposure * model.predict(held))
    assert predicted.sum() == pytest.approx(y.sum())
    same = fit(held, y, offset=np.log(exposure))
    assert same.coef_ == pytest.approx(coef, abs=1e-7)
    # Counts with exposures are rates with weights.
    rates = fit(held, y / exposure, sample_weight=exposure)
    assert rates.coef_ == pytest.approx(coef, abs=1e-6)
    assert rates.intercept_ == pytest.approx(intercept, abs=1e-6)


def test_offsets_follow_their_samples_when_weights_are_zero(X, counts, rng):
    offset, weights = rng.normal(size=200), rng.integers(0, 3, size=200)
    rows = np.repeat(np.arange(200), weights)
    weighted = PoissonRegressor(tol=1e-8).fit(X, counts, weights, offset=offset)
    repeated = PoissonRegressor(tol=1e-8).fit(
        X[rows], counts[rows], offset=offset[rows]
    )
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=1e-7)


def test_exposures_that_are_none_are_refused(X, counts):
    model = PoissonRegressor()
    with pytest.raises(DataError, match="one finite offset for each of the 200"):
        model.fit(X, counts, offset=[1.0])
    with pytest.raises(DataError, match="exposures above 0, the least is -1"):
        model.fit(X, counts, exposure=-np.ones(200))


@pytest.mark.parametrize("alpha", [0.0, 0.1, 2.0])
def test_gamma_regression_agrees_with_scikit_learn(alpha, X, rng):
    y = rng.gamma(2.0, np.exp(X @ W) / 2.0)
    ours = GammaRegressor(alpha=alpha, tol=1e-7).fit(X, y)
    theirs = sklearn.linear_model.GammaRegressor(alpha=alpha, tol=1e-10).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-6)
    assert ours.certificate_.closed
    exposed = GammaRegressor(alpha=alpha, tol=1e-7).fit(
        X, 3 * y, exposure=np.full(200, 3)
    )
    assert exposed.coef_ == pytest.approx(ours.coef_, abs=1e-6)
    with pytest.raises(DataError, match=r"needs targets in \(0, inf\)"):
        GammaRegressor().fit(X, np.zeros(200))


@pytest.mark.syllabus("S3-107")
def test_probit_regression_has_a_normal_transfer(X, labels):
    model = ProbitRegression(C=2.0, tol=1e-8).fit(X, labels)
    sign = 2.0 * labels - 1.0

    def price(point):
        margins = sign * (X @ point[:2] + point[2])
        return -2.0 * log_ndtr(margins).sum() + 0.5 * point[:2] @ point[:2]

    found = optimize.minimize(price, np.zeros(3), options={"gtol": 1e-9})
    assert np.append(model.coef_, model.intercept_) == pytest.approx(found.x, abs=1e-5)
    assert model.predict_proba(X)[:, 1] == pytest.approx(
        stats.norm.cdf(model.decision_function(X))
    )
    logistic = LogisticRegression(C=np.inf).fit(X, labels).coef_
    ratio = logistic / ProbitRegression(C=np.inf).fit(X, labels).coef_
    assert ((ratio > 1.5) & (ratio < 1.9)).all()
    with pytest.raises(InvalidParameterError, match=r"ProbitRegression\.C must be"):
        ProbitRegression(C=0).fit(X, labels)


def test_counts_of_labels_are_weighted_rows(X, rng):
    trials = rng.integers(1, 9, size=200)
    successes = rng.binomial(trials, expit(X @ W))
    rows, y, weights = counted_rows(X, np.column_stack([trials - successes, successes]))
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(rows, y, weights)
    chance = model.predict_proba(X)[:, 1]
    # The gradient of the binomial likelihood.
    assert X.T @ (successes - trials * chance) == pytest.approx(0, abs=1e-5)
    assert weights.sum() == trials.sum()
    held, _, _ = counted_rows(sparse.csr_array(X), np.ones((200, 3)))
    assert held.shape == (600, 2)
    with pytest.raises(DataError, match="finite and not negative"):
        counted_rows(X, -np.ones((200, 2)))
    with pytest.raises(DataError, match="one row for each of the 200"):
        counted_rows(X, np.ones((3, 2)))
