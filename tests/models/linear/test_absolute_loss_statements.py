"""Least absolute deviations: Laplace noise, the median, and outliers."""

import numpy as np
import pytest
from scipy import optimize, stats

from infimum.losses import Absolute
from infimum.models.linear import LinearRegression, QuantileRegressor, RiskMinimizer


def linear_program(X, y):
    """Return the least mean absolute deviation and its weights, by HiGHS."""
    n, d = X.shape
    cost = np.concatenate([np.zeros(d + 1), np.full(2 * n, 1 / n)])
    rows = np.hstack([X, np.ones((n, 1)), np.eye(n), -np.eye(n)])
    bounds = [(None, None)] * (d + 1) + [(0, None)] * (2 * n)
    found = optimize.linprog(cost, A_eq=rows, b_eq=y, bounds=bounds)
    return found.fun, found.x[: d + 1]


@pytest.fixture
def line(rng):
    X = rng.standard_normal((40, 2))
    return X, X @ [1.5, -1.0] + 0.5 + rng.laplace(0, 0.3, 40)


@pytest.mark.syllabus("S4A-082")
def test_the_absolute_loss_is_minimised_like_a_linear_program(line):
    X, y = line
    least, weights = linear_program(X, y)
    for model in (
        QuantileRegressor(quantile=0.5, alpha=0.0),
        RiskMinimizer("absolute", "none", tol=1e-8),
    ):
        model.fit(X, y)
        assert Absolute().value(y, model.predict(X)).mean() == pytest.approx(least)
        found = [*model.coef_, model.intercept_]
        assert found == pytest.approx(weights, abs=1e-4)


@pytest.mark.syllabus("S4A-082")
def test_the_absolute_loss_is_the_likelihood_of_laplace_noise(line, rng):
    X, y = line
    loss, width = Absolute(), 0.3
    for w in rng.standard_normal((5, 2)):
        f = X @ w
        logs = stats.laplace.logpdf(y, f, width)
        # -log p = |y - f|/τ + log 2τ: same minimiser, whatever the width.
        assert -logs == pytest.approx(loss.value(y, f) / width + np.log(2 * width))


@pytest.mark.syllabus("S4A-082")
def test_one_wild_outlier_moves_least_squares_and_not_least_deviations(line):
    X, y = line
    spoiled = y.copy()
    spoiled[7] += 1e4
    models = QuantileRegressor(alpha=0.0), LinearRegression()
    moved = [
        np.abs(model.fit(X, spoiled).coef_ - model.fit(X, y).coef_).max()
        for model in models
    ]
    assert moved[0] < 0.2
    assert moved[1] > 10
