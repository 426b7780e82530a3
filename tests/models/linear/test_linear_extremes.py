"""Linear models on tables of every bad kind: finite predictions, or one sentence."""

import inspect
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier

from infimum.errors import DataError, InfimumError
from infimum.models import linear
from infimum.models.linear import LassoCV, LogisticRegression, Ridge, RiskMinimizer
from infimum.models.warnings import UncertifiedWarning

BASE = np.clip(np.random.default_rng(0).normal(size=(24, 3)), -1.0, 1.0)
SIDES = np.where(np.arange(24) % 2, 1.0, -1.0)[:, None]
#: What each table is, and whether every model must refuse it.
TABLES = {
    "denormal": BASE * 1e-310,
    "tiny": BASE * 1e-200,
    "1e-8": BASE * 1e-8,
    "1e+8": BASE * 1e8,
    "mixed units": BASE * [1e-8, 1.0, 1e8],
    "constant": np.ones((24, 3)),
    "zero": np.zeros((24, 3)),
    "collinear": BASE[:, [0, 0, 1]],
    "separable": SIDES * (1.0 + np.abs(BASE)),
}
REFUSED = {
    "1e155": BASE * 1e155,
    "1e200": BASE * 1e200,
    "1e308": BASE * 1e308,
    "one huge column": BASE * [1.0, 1.0, 1e200],
    "missing": np.where(BASE > 0.9, np.nan, BASE),
    "infinite": np.where(BASE > 0.9, np.inf, BASE),
    "no samples": np.zeros((0, 3)),
    "no features": np.zeros((24, 0)),
    "words": np.array([["a", "b", "c"]] * 24, dtype=object),
}
ESTIMATORS = [
    getattr(linear, name)
    for name in linear.__all__
    if inspect.isclass(getattr(linear, name))
    and issubclass(getattr(linear, name), BaseEstimator)
]
NEEDED = {
    "ElasticNetCV": {"alphas": 3},
    "GroupLassoClassifier": {"groups": [0, 0, 1]},
    "GroupLassoRegressor": {"groups": [0, 0, 1]},
    "LassoCV": {"alphas": 3},
    "LogisticRegressionCV": {"Cs": 2},
    "MultiTaskElasticNetCV": {"alphas": 3},
    "MultiTaskLassoCV": {"alphas": 3},
    "TheilSenRegressor": {"max_subpopulation": 50},
}


def made(kind):
    return kind(**NEEDED.get(kind.__name__, {}))


def targets(estimator, X, size=1.0):
    count = len(X)
    if is_classifier(estimator):
        return np.arange(count) % 2
    y = BASE[:count, 0] * size
    if X.dtype.kind == "f" and X.size and np.isfinite(X).all():
        y = y + X[:, 1] / max(np.abs(X).max(), 1e-300)
    positive = estimator.__sklearn_tags__().target_tags.positive_only
    y = np.abs(y) / 4.0 + size / 4.0 if positive else y
    if type(estimator).__name__.startswith("MultiTask"):
        return np.column_stack([y, y[::-1]])
    return y


def predictions(estimator, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UncertifiedWarning)
        return estimator.fit(X, y).predict(X)


def answered(estimator, X, y):
    """Return the predictions, or the words of a refusal."""
    try:
        return predictions(estimator, X, y)
    except InfimumError as refusal:
        return str(refusal)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_what_can_be_fitted_ends_in_finite_numbers_or_one_sentence(kind, table):
    estimator, X = made(kind), TABLES[table]
    found = answered(estimator, X, targets(estimator, X))
    if isinstance(found, str):
        assert "\n" not in found
        assert found.endswith(".")
    else:
        assert found.dtype.kind not in "fc" or np.isfinite(found).all()


@pytest.mark.parametrize("table", REFUSED)
@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_what_cannot_be_fitted_is_refused_in_one_sentence(kind, table):
    estimator, X = made(kind), REFUSED[table]
    with pytest.raises((ValueError, TypeError)) as refusal:
        predictions(estimator, X, targets(estimator, X))
    assert "\n" not in str(refusal.value)
    if table.startswith("1e"):
        assert "takes numbers in X up to" in str(refusal.value)


@pytest.mark.parametrize("size", [1e155, 1e200, 1e308])
@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_targets_too_large_for_squares_end_likewise(kind, size):
    estimator = made(kind)
    y, words = targets(estimator, BASE, size), "takes numbers in y up to"
    if is_classifier(estimator):
        y, words = np.where(y > 0, size, -size), "expects discrete classes"
    with pytest.raises(ValueError, match=words):
        predictions(estimator, BASE, y)


@pytest.mark.parametrize("hold", [sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_sparse_numbers_too_large_are_refused_likewise(kind, hold):
    estimator = made(kind)
    with pytest.raises((DataError, TypeError)):
        predictions(estimator, hold(BASE * 1e200), targets(estimator, BASE))


def test_a_single_huge_number_among_many_rows_is_found(rng):
    X = rng.normal(size=(5000, 4))
    X[1234, 2] = 1e300
    for model in (Ridge(), LogisticRegression(), RiskMinimizer("huber", "lasso")):
        with pytest.raises(DataError, match=r"numbers in X up to 1e\+150"):
            predictions(model, X, np.arange(5000) % 2)


def test_new_samples_too_large_are_told_at_prediction(rng):
    X = rng.normal(size=(30, 2))
    for model in (Ridge(), LogisticRegression(), LassoCV(alphas=3)):
        model.fit(X, np.arange(30) % 2)
        far = np.full((1, 2), 1e308) * np.where(model.coef_ > 0, 1.0, -1.0)
        model.coef_ = 4.0 * np.where(model.coef_ > 0, 1.0, -1.0)
        with pytest.raises(DataError, match="takes numbers in X up to"):
            model.predict(far.reshape(1, 2))


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_a_failed_fit_leaves_the_old_model(kind):
    estimator = made(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        estimator.fit(BASE, targets(estimator, BASE))
    before = estimator.predict(BASE)
    wide = np.hstack([BASE, BASE]) * 1e200
    with pytest.raises((ValueError, TypeError)):
        estimator.fit(wide, targets(estimator, BASE))
    np.testing.assert_array_equal(estimator.predict(BASE), before)
