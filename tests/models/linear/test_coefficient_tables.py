"""Standard errors against closed forms, finite differences and repetition."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from scipy.special import expit, ndtr

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.linear import (
    GammaRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    ProbitRegression,
    QuantileRegressor,
    Ridge,
    RiskMinimizer,
    coefficient_table,
)

TRUTH = np.array([0.5, -0.3, 0.0])


def design(rng, n=300):
    return rng.normal(size=(n, 3)) * [1.0, 3.0, 0.5] + [0.0, 5.0, -1.0]


def with_ones(X):
    return np.column_stack([X, np.ones(len(X))])


def information(negative_log_likelihood, point, step=1e-4):
    """Return the second derivatives by differences of function values."""
    size = len(point)
    moves = np.eye(size) * step
    out = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            corners = [
                a * b * negative_log_likelihood(point + a * moves[i] + b * moves[j])
                for a in (1, -1)
                for b in (1, -1)
            ]
            out[i, j] = sum(corners) / (4 * step**2)
    return out


def test_least_squares_has_the_textbook_errors(rng):
    X = design(rng, 60)
    y = X @ TRUTH + 2.0 + rng.normal(size=60)
    table = coefficient_table(LinearRegression().fit(X, y), X, y)
    A = with_ones(X)
    w = np.linalg.lstsq(A, y)[0]
    variance = ((y - A @ w) ** 2).sum() / (60 - 4)
    covariance = variance * np.linalg.inv(A.T @ A)
    errors = np.sqrt(np.diag(covariance))
    assert table.estimates == pytest.approx(w)
    assert table.errors == pytest.approx(errors)
    assert table.covariance == pytest.approx(covariance)
    assert table.dispersion == pytest.approx(variance)
    assert table.p_values == pytest.approx(2 * stats.t(56).sf(np.abs(w / errors)))
    reach = stats.t(56).ppf(0.975) * errors
    assert table.low == pytest.approx(w - reach)
    assert table.high == pytest.approx(w + reach)
    single = stats.linregress(X[:, 0], y)
    alone = coefficient_table(LinearRegression().fit(X[:, :1], y), X[:, :1], y)
    assert alone.errors == pytest.approx([single.stderr, single.intercept_stderr])
    assert alone.p_values[0] == pytest.approx(single.pvalue)


def test_intervals_hold_the_truth_as_often_as_they_say(rng):
    X = design(rng, 25)
    A, held = with_ones(X), 0
    truth = np.append(TRUTH, 2.0)
    for _ in range(150):
        y = A @ truth + rng.standard_normal(25)
        table = coefficient_table(LinearRegression().fit(X, y), X, y, confidence=0.8)
        held += int(table.low[0] <= TRUTH[0] <= table.high[0])
    # Exact: a binomial count with p = 0.8, five deviations wide.
    assert abs(held - 120) < 5 * np.sqrt(150 * 0.8 * 0.2)


GENERAL = {
    "logistic": (
        LogisticRegression(C=np.inf, tol=1e-8),
        lambda f, rng: (rng.uniform(size=len(f)) < expit(f)).astype(int),
        lambda y, f: np.logaddexp(0, -(2 * y - 1) * f).sum(),
    ),
    "probit": (
        ProbitRegression(C=np.inf, tol=1e-8),
        lambda f, rng: (rng.uniform(size=len(f)) < ndtr(f)).astype(int),
        lambda y, f: -stats.norm.logcdf((2 * y - 1) * f).sum(),
    ),
    "poisson": (
        PoissonRegressor(alpha=0.0, tol=1e-8),
        lambda f, rng: rng.poisson(np.exp(0.5 * f)).astype(float),
        lambda y, f: -stats.poisson(np.exp(f)).logpmf(y).sum(),
    ),
}


@pytest.mark.parametrize("kind", GENERAL)
def test_generalised_models_invert_the_observed_information(kind, rng):
    model, draw, price = GENERAL[kind]
    X = design(rng)
    y = draw(X @ TRUTH + 1.5, rng)
    table = coefficient_table(model.fit(X, y), X, y)
    A = with_ones(X)
    assert table.estimates == pytest.approx(
        np.append(np.ravel(model.coef_), model.intercept_)
    )
    observed = information(lambda w: price(y, A @ w), table.estimates)
    errors = np.sqrt(np.diag(np.linalg.inv(observed)))
    assert table.errors == pytest.approx(errors, rel=1e-4)
    assert table.p_values == pytest.approx(
        2 * stats.norm.sf(np.abs(table.estimates / errors)), rel=1e-2, abs=1e-12
    )
    assert table.dispersion == 1.0


def test_gamma_regression_estimates_its_dispersion(rng):
    X = design(rng)
    y = rng.gamma(4.0, np.exp(X @ TRUTH) / 4.0)
    model = GammaRegressor(alpha=0.0, tol=1e-8).fit(X, y)
    table = coefficient_table(model, X, y)
    A, mean = with_ones(X), model.predict(X)
    dispersion = (((y - mean) / mean) ** 2).sum() / (300 - 4)
    observed = (A.T * (y / mean)) @ A
    assert table.dispersion == pytest.approx(dispersion)
    assert table.errors == pytest.approx(
        np.sqrt(dispersion * np.diag(np.linalg.inv(observed)))
    )
    assert table.dispersion == pytest.approx(0.25, rel=0.3)  # 1/shape
    assert table.degrees == 296


def test_exposures_enter_the_information(rng):
    X, exposure = design(rng), rng.uniform(0.5, 4.0, size=300)
    y = rng.poisson(exposure * np.exp(0.3 * X[:, 0])).astype(float)
    model = PoissonRegressor(alpha=0.0, tol=1e-8).fit(X, y, exposure=exposure)
    table = coefficient_table(model, X, y, exposure=exposure)
    A = with_ones(X)
    rates = model.predict(X, exposure=exposure)
    observed = (A.T * rates) @ A
    assert table.errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(observed))))


@pytest.mark.parametrize("intercept", [True, False])
def test_weights_are_copies_and_sparse_tables_are_tables(intercept, rng):
    X = design(rng, 50)
    y = X @ TRUTH + rng.normal(size=50)
    counts = rng.integers(0, 3, size=50)
    rows = np.repeat(np.arange(50), counts)
    model = LinearRegression(fit_intercept=intercept)
    held = sparse.csr_array(X)
    one = coefficient_table(model.fit(held, y, counts), held, y, counts)
    two = coefficient_table(model.fit(X[rows], y[rows]), X[rows], y[rows])
    assert one.errors == pytest.approx(two.errors)
    assert one.p_values == pytest.approx(two.p_values)
    assert len(one.names) == 3 + intercept


def test_the_text_has_a_line_for_each_coefficient(rng):
    X = pd.DataFrame(design(rng, 40), columns=["age", "income", "height"])
    y = X["age"] + rng.normal(size=40)
    text = str(coefficient_table(LinearRegression().fit(X, y), X, y, confidence=0.9))
    lines = text.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [
        "age",
        "income",
        "height",
        "intercept",
    ]
    assert "90 % interval" in lines[0]
    assert len({line.index("[") for line in lines[1:]}) == 1


def test_models_without_a_theory_are_refused_in_a_sentence(rng):
    X = design(rng, 40)
    y = X @ TRUTH + rng.normal(size=40)
    for model, words in [
        (Lasso(), "Lasso was fitted with Lasso, which biases"),
        (Ridge(), "Ridge was fitted with Ridge, which biases"),
        (QuantileRegressor(alpha=0), "no classical standard errors for Quantile"),
        (RiskMinimizer("huber", "none"), "no classical standard errors for RiskMin"),
    ]:
        with pytest.raises(IncompatibleError, match=words):
            coefficient_table(model.fit(X, y), X, y)
    doubled = np.hstack([X, X[:, :1]])
    with pytest.raises(DataError, match="do not determine all coefficients"):
        coefficient_table(LinearRegression().fit(doubled, y), doubled, y)
    few = X[:4]
    with pytest.raises(DataError, match="leave nothing to estimate the noise"):
        coefficient_table(LinearRegression().fit(few, y[:4]), few, y[:4])
    with pytest.raises(InvalidParameterError, match="confidence must be"):
        coefficient_table(LinearRegression().fit(X, y), X, y, confidence=95)
