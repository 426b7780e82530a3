"""Products of centred columns: taken after or before the means, the same answers."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression as TheirLinearRegression

from infimum.models.linear import Lars, LassoLarsCV, LassoLarsIC, Ridge, RidgeCV
from infimum.models.linear.greedy import _centred_table
from infimum.models.linear.greedy._centred_table import Centred
from infimum.models.linear.greedy._least_angle_cv import _mean_squares


@pytest.fixture
def table():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((200, 6)) @ rng.standard_normal((6, 6))
    y = X @ np.array([2.0, 0.0, -1.0, 0.0, 0.5, 0.0]) + rng.standard_normal(200)
    return X, y


@pytest.mark.parametrize("shift", [0.0, 3.0, 1e7])
def test_products_are_those_of_centred_columns(table, shift):
    X, y = table
    moved = X + shift * np.arange(1.0, 7.0)
    found = Centred.of(moved, y, intercept=True)
    left = moved - moved.mean(axis=0)
    # Larger means leave fewer digits of the columns themselves.
    share = 1e-11 if shift < 1e3 else 1e-6
    np.testing.assert_allclose(found.gram, left.T @ left / 200, rtol=share)


def test_wide_tables_have_no_products(table):
    X, y = table
    assert Centred.of(X[:4], y[:4], intercept=True).gram is None


@pytest.mark.parametrize("noise", [1.0, 1e-3, 1e-9])
def test_squares_left_are_those_of_differences(table, noise):
    X, _ = table
    y = X @ np.ones(6) + noise * np.random.default_rng(1).standard_normal(200)
    found = Centred.of(X, y, intercept=True)
    w = found.nearest()
    expected = TheirLinearRegression().fit(X, y)
    np.testing.assert_allclose(w, expected.coef_, rtol=1e-9)
    coefs = np.column_stack([w, 0.5 * w, np.zeros(6)])
    differences = found.targets[0][:, None] - found.A @ coefs
    squares = np.square(differences).sum(axis=0)
    np.testing.assert_allclose(found.squares_left(coefs), squares, rtol=1e-6)


def test_columns_that_depend_on_others_are_met_by_the_shortest_coefficients(table):
    X, y = table
    found = Centred.of(np.column_stack([X, X[:, 0]]), y, intercept=True)
    w = found.nearest()
    assert w[0] == pytest.approx(w[-1], rel=1e-6)
    alone = Centred.of(X, y, intercept=True)
    np.testing.assert_allclose(found.A @ w, alone.A @ alone.nearest(), atol=1e-10)


@pytest.mark.parametrize("model", [Lars(), LassoLarsIC(), LassoLarsCV()])
def test_paths_are_those_of_centred_columns(table, model, monkeypatch):
    X, y = table
    quick = model.fit(X, y).coef_.copy()
    monkeypatch.setattr(_centred_table, "NEAR", -1.0)
    monkeypatch.setattr(_centred_table, "TRUSTED", np.inf)
    monkeypatch.setattr(_centred_table, "INDEPENDENT", np.inf)
    np.testing.assert_allclose(quick, model.fit(X, y).coef_, rtol=1e-9, atol=1e-12)


def test_errors_between_corners_are_those_of_mixed_predictions():
    rng = np.random.default_rng(2)
    corners, errors = np.array([0.0, 0.5, 2.0]), rng.standard_normal((3, 40))
    alphas = np.array([-1.0, 0.0, 0.2, 0.5, 1.7, 2.0, 9.0])
    found = _mean_squares(alphas, corners, errors)
    for alpha, told in zip(alphas, found, strict=True):
        mixed = [np.interp(alpha, corners, column) for column in errors.T]
        assert told == pytest.approx(np.mean(np.square(mixed)), rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_the_fit_after_a_choice_is_that_of_the_strength_alone(table, weighted, shift):
    X, y = table
    weights = np.arange(200) % 4.0 if weighted else None
    chosen = RidgeCV((0.1, 1.0, 10.0)).fit(X, y + shift, weights)
    alone = Ridge(chosen.alpha_).fit(X, y + shift, weights)
    np.testing.assert_allclose(chosen.coef_, alone.coef_, rtol=1e-8)
    assert chosen.intercept_ == pytest.approx(alone.intercept_, rel=1e-9)
    assert chosen.certificate_.closed
