"""The C from which a sparse linear classifier begins to use its features."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import l1_min_c as theirs

from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear import LinearSVC, LogisticRegression, l1_min_c


def data(rng, classes):
    X = rng.normal(size=(60, 5)) + 1.0
    scores = X[:, 0] - X[:, 1] + rng.normal(size=60)
    return X, np.digitize(scores, np.linspace(-1.0, 1.5, classes - 1))


def sparse_model(loss, C, *, fit_intercept):
    if loss == "log":
        return LogisticRegression(l1_ratio=1.0, C=C, fit_intercept=fit_intercept)
    return LinearSVC(penalty="l1", C=C, fit_intercept=fit_intercept)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("loss", ["squared_hinge", "log"])
def test_the_bound_is_exact(loss, classes, fit_intercept, rng):
    X, y = data(rng, classes)
    least = l1_min_c(X, y, loss=loss, fit_intercept=fit_intercept)
    below = sparse_model(loss, 0.999 * least, fit_intercept=fit_intercept).fit(X, y)
    above = sparse_model(loss, 1.01 * least, fit_intercept=fit_intercept).fit(X, y)
    assert not below.coef_.any()
    assert above.coef_.any()
    assert l1_min_c(
        sparse.csr_array(X), y, loss=loss, fit_intercept=fit_intercept
    ) == pytest.approx(least)


@pytest.mark.parametrize(
    ("loss", "classes"), [("squared_hinge", 2), ("squared_hinge", 4), ("log", 2)]
)
def test_without_an_intercept_it_is_scikit_learns(loss, classes, rng):
    X, y = data(rng, classes)
    ours = l1_min_c(X, y, loss=loss, fit_intercept=False)
    assert ours == pytest.approx(theirs(X, y, loss=loss, fit_intercept=False))


def test_features_that_tell_nothing_are_refused():
    X, y = np.full((6, 2), 3.7e8), [0, 1, 0, 1, 0, 1]
    with pytest.raises(DataError, match="no feature that separates the classes"):
        l1_min_c(X, y)
    X[:, 1] = np.array(y) * 1e-7
    assert l1_min_c(X, y) == pytest.approx(1 / (6 * 1e-7))


def test_numbers_too_large_for_their_squares_are_told(rng):
    X, y = data(rng, 2)
    with pytest.raises(DataError, match="takes numbers in X up to"):
        l1_min_c(1e200 * X, y)


@pytest.mark.parametrize(
    "wrong", [{"loss": "hinge"}, {"intercept_scaling": 0.0}], ids=repr
)
def test_wrong_settings_are_named(wrong, rng):
    with pytest.raises(InvalidParameterError, match=f"l1_min_c.{next(iter(wrong))}"):
        l1_min_c(*data(rng, 2), **wrong)
