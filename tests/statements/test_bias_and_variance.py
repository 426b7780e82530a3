"""The error of a learner in three parts, and the strength that balances them."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline

from infimum.data import linear_regression
from infimum.evaluation import bias_variance, cross_validate, folds
from infimum.models.linear import LinearRegression, Ridge
from infimum.study.features import PolynomialBasis

REPEATS, NOISE = 200, 0.3


def training_sets(X, truth, rng, repeats=REPEATS):
    """Draw fresh noise on fixed inputs, again and again."""
    for _ in range(repeats):
        yield X, truth + NOISE * rng.normal(size=len(X))


def squared(y, f):
    return float(((y - f) ** 2).mean())


@pytest.mark.syllabus("S2-016")
def test_noise_bias_and_variance_sum_to_the_expected_error(rng):
    X, w = rng.normal(size=(20, 2)), np.array([1.0, -1.0])
    points, model = rng.normal(size=(3, 2)), Ridge(alpha=5.0, fit_intercept=False)
    parts = bias_variance(
        model, training_sets(X, X @ w, rng), points, lambda at: at @ w, NOISE
    )
    # For ridge the parts have closed forms: ghat = S y is linear in the targets.
    S = points @ np.linalg.solve(X.T @ X + 5.0 * np.eye(2), X.T)
    bias, variance = S @ X @ w - points @ w, NOISE**2 * (S**2).sum(axis=1)
    # Over r draws the mean errs by about sqrt(v/r) and the variance by v·sqrt(2/r).
    error = np.sqrt(variance / REPEATS)
    assert np.all(np.abs(np.sqrt(parts.squared_bias) - np.abs(bias)) <= 4 * error)
    assert np.all(
        np.abs(parts.variance - variance) <= 4 * variance * np.sqrt(2 / REPEATS)
    )
    fresh = [
        (points @ w + NOISE * rng.normal(size=3) - model.fit(*drawn).predict(points))
        ** 2
        for drawn in training_sets(X, X @ w, rng)
    ]
    spread = np.std(fresh, axis=0) / np.sqrt(REPEATS)
    assert np.all(np.abs(np.mean(fresh, axis=0) - parts.error) <= 4 * spread)


@pytest.mark.syllabus("S2-017", "S3-029")
def test_bias_falls_and_variance_rises_with_the_degree(rng):
    X = np.linspace(-1, 1, 25)[:, None]
    grid = np.linspace(-0.9, 0.9, 15)[:, None]

    def truth(x):
        return np.sin(3 * x[:, 0])

    parts = [
        bias_variance(
            make_pipeline(PolynomialBasis(degree=degree), LinearRegression()),
            training_sets(X, truth(X), rng, 40),
            grid,
            truth,
            NOISE,
        )
        for degree in (1, 3, 5, 9)
    ]
    bias = [part.squared_bias.mean() for part in parts]
    variance = [part.variance.mean() for part in parts]
    assert bias[0] > 5 * bias[1] > 5 * bias[-1]
    assert np.all(np.diff(variance) > 0)
    errors = [part.error.mean() for part in parts]
    assert int(np.argmin(errors)) in {1, 2}  # neither the simplest nor the richest


@pytest.mark.syllabus("S2-018")
def test_cross_validation_chooses_a_strength_inside_the_grid():
    toy = linear_regression(
        40, coefficients=np.full(20, 0.3), intercept=2.0, noise=1.5, random_state=7
    )
    alphas = np.geomspace(1e-3, 1e5, 17)
    splits = list(folds(toy.y, 5, seed=1))
    table = cross_validate(
        [Ridge(alpha) for alpha in alphas], toy.X, toy.y, splits, squared
    )
    assert 0 < table.best < len(alphas) - 1
    peer = RidgeCV(alphas, cv=splits, scoring="neg_mean_squared_error")
    assert peer.fit(toy.X, toy.y).alpha_ == alphas[table.best]
    constant = Ridge(1e12).fit(toy.X, toy.y).predict(toy.X)
    np.testing.assert_allclose(constant, toy.y.mean(), atol=1e-6)
