"""One decomposition agrees with ridge regression on every kind of data."""

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import InvalidParameterError
from infimum.models.linear import LinearRegression, Ridge, RidgeSpectrum


@pytest.mark.parametrize("shape", [(30, 6), (6, 30), (8, 8)])
@pytest.mark.parametrize("intercept", [True, False])
def test_every_strength_agrees_with_ridge(shape, intercept, rng):
    X, y = rng.standard_normal(shape) + 2.0, rng.standard_normal(shape[0])
    spectrum = RidgeSpectrum.of(X, y, fit_intercept=intercept)
    for strength in (1e-3, 0.1, 10.0):
        w, b = spectrum.solve(strength)
        model = Ridge(alpha=shape[0] * strength, fit_intercept=intercept).fit(X, y)
        assert w == pytest.approx(model.coef_, abs=1e-8)
        assert b == pytest.approx(model.intercept_, abs=1e-8)


def test_weights_mean_repetition_and_sparse_data_mean_the_same(rng):
    X = np.where(rng.random((25, 4)) < 0.5, rng.standard_normal((25, 4)), 0.0)
    y, weight = rng.standard_normal(25), rng.integers(0, 3, 25)
    w, b = RidgeSpectrum.of(X, y, weight).solve(0.1)
    copies = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    for data in (
        (*copies,),
        (sparse.csr_array(copies[0]), copies[1]),
        (sparse.csc_matrix(X), y, weight),
    ):
        again = RidgeSpectrum.of(*data).solve(0.1)
        assert again[0] == pytest.approx(w)
        assert again[1] == pytest.approx(b)


def test_at_strength_zero_the_shortest_least_squares_solution_is_found(rng):
    X, y = rng.standard_normal((20, 4)), rng.standard_normal(20)
    X = np.column_stack([X, X[:, 0]])
    w, b = RidgeSpectrum.of(X, y).solve(0.0)
    plain = LinearRegression().fit(X, y)
    assert w == pytest.approx(plain.coef_)
    assert b == pytest.approx(plain.intercept_)


def test_degrees_of_freedom_are_the_trace_of_the_hat_matrix(rng):
    X, y = rng.standard_normal((20, 4)), rng.standard_normal(20)
    spectrum = RidgeSpectrum.of(X, y, fit_intercept=False)
    for strength in (0.0, 0.1, 3.0):
        system = X.T @ X + 20 * strength * np.eye(4)
        hat = X @ np.linalg.solve(system, X.T)
        assert spectrum.degrees_of_freedom(strength) == pytest.approx(np.trace(hat))
    with pytest.raises(InvalidParameterError, match="strength"):
        spectrum.solve(-0.1)
