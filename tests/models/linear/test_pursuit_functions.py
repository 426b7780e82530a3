"""Orthogonal matching pursuit as functions, and with its length chosen by folds."""

import numpy as np
import pytest
import sklearn.linear_model as theirs

from infimum.errors import InvalidParameterError
from infimum.models.linear import (
    OrthogonalMatchingPursuit,
    OrthogonalMatchingPursuitCV,
    orthogonal_mp,
    orthogonal_mp_gram,
)


@pytest.fixture
def table(rng):
    X = rng.normal(size=(80, 12))
    X /= np.linalg.norm(X, axis=0)
    y = 3 * X[:, 2] - 2 * X[:, 5] + X[:, 7] + 0.05 * rng.normal(size=80)
    return X, np.column_stack([y, X[:, 1] + 0.1 * rng.normal(size=80)])


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_nonzero_coefs": 4},
        {"tol": 0.5},
        {"n_nonzero_coefs": 4, "return_path": True},
    ],
    ids=["plain", "four", "tolerance", "path"],
)
@pytest.mark.parametrize("several", [False, True])
def test_coefficients_are_those_of_scikit_learn(table, settings, several):
    X, both = table
    y = both if several else both[:, 0]
    asked = settings | {"return_n_iter": True}
    found, counts = orthogonal_mp(X, y, **asked)
    wanted, numbers = theirs.orthogonal_mp(X, y, **asked)
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert counts == numbers
    known = {"norms_squared": (y**2).sum(axis=0)} if "tol" in settings else {}
    again, counts = orthogonal_mp_gram(X.T @ X, X.T @ y, **asked, **known)
    np.testing.assert_allclose(again, wanted, atol=1e-10)
    assert counts == numbers


def test_the_number_of_columns_is_chosen_as_by_scikit_learn(table):
    X, both = table
    found = OrthogonalMatchingPursuitCV().fit(X, both[:, 0])
    wanted = theirs.OrthogonalMatchingPursuitCV().fit(X, both[:, 0])
    assert found.n_nonzero_coefs_ == wanted.n_nonzero_coefs_ == 3
    np.testing.assert_allclose(found.coef_, wanted.coef_, atol=1e-12)
    assert found.intercept_ == pytest.approx(wanted.intercept_)
    assert found.mse_path_.shape == (5, 5)
    assert np.argmin(found.mse_path_.mean(axis=1)) == 2
    alone = OrthogonalMatchingPursuit(n_nonzero_coefs=3).fit(X, both[:, 0])
    np.testing.assert_allclose(found.predict(X), alone.predict(X))


def test_units_of_columns_do_not_change_the_choice(table):
    X, both = table
    units = 10.0 ** np.arange(12)
    plain = orthogonal_mp(X, both[:, 0], n_nonzero_coefs=3)
    scaled = orthogonal_mp(X * units, both[:, 0], n_nonzero_coefs=3)
    np.testing.assert_allclose(scaled * units, plain, atol=1e-9)


def test_a_target_that_is_explained_early_keeps_its_coefficients(table):
    X, _ = table
    both = np.column_stack([X[:, 3], X[:, 1] + X[:, 2] - X[:, 9]])
    path, counts = orthogonal_mp(
        X, both, n_nonzero_coefs=3, return_path=True, return_n_iter=True
    )
    assert counts == [1, 3]
    np.testing.assert_allclose(path[:, 0, -1], np.eye(12)[3], atol=1e-12)


@pytest.mark.parametrize("shape", [(3,), (3, 2)], ids=str)
@pytest.mark.parametrize("tol", [None, 0.1])
def test_products_that_are_all_0_have_no_coefficients(shape, tol):
    known = {"tol": tol, "norms_squared": np.ones(shape[1:])}
    coef, counts = orthogonal_mp_gram(
        np.zeros((3, 3)), np.zeros(shape), return_n_iter=True, **known
    )
    np.testing.assert_array_equal(coef, np.zeros(shape))
    assert not np.any(counts)


def test_settings_out_of_range_are_refused(table):
    X, both = table
    with pytest.raises(InvalidParameterError, match="n_nonzero_coefs must be"):
        orthogonal_mp(X, both, n_nonzero_coefs=13)
    with pytest.raises(InvalidParameterError, match="norms_squared must be given"):
        orthogonal_mp_gram(X.T @ X, X.T @ both, tol=0.1)
    with pytest.raises(InvalidParameterError, match="max_iter must be"):
        OrthogonalMatchingPursuitCV(max_iter=99).fit(X, both[:, 0])
