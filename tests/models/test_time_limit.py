"""Whatever iterates keeps a limit of time by itself and returns what it has."""

import time
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from infimum import LogisticRegression
from infimum.limits import end_of_time, time_is_up, time_limit
from infimum.models.clustering import (
    BayesianGaussianMixture,
    GaussianMixture,
    SphericalKMeans,
)
from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from infimum.models.factors import NMF, DictionaryLearning, FastICA
from infimum.models.linear import ARDRegression, BayesianRidge, HuberRegressor
from infimum.models.neural import MLPRegressor
from infimum.models.warnings import UncertifiedWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 8))
Y = np.sign(X[:, 0] + RNG.normal(size=400))


def test_limits_inside_limits_are_the_shorter_ones_and_end_with_their_block():
    with time_limit(100.0):
        outer = end_of_time()
        with time_limit(1000.0):
            assert end_of_time() == outer
        with time_limit(0.0):
            assert time_is_up()
        assert not time_is_up()
    assert end_of_time() == np.inf


def test_boosting_ends_after_the_round_at_work_with_the_trees_it_has():
    with time_limit(0.0):
        model = HistGradientBoostingClassifier(max_iter=50).fit(X, Y)
    assert model.n_iter_ == 1
    whole = HistGradientBoostingClassifier(max_iter=1).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


def test_a_forest_keeps_the_trees_that_were_grown():
    with time_limit(0.0):
        model = RandomForestClassifier(30, random_state=0).fit(X, Y)
    assert 1 <= len(model.trees_) < 30
    whole = RandomForestClassifier(len(model.trees_), random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


def test_a_solver_returns_its_best_point_with_its_gap():
    wide = RNG.normal(size=(300, 2000))
    with time_limit(0.0), warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        began = time.perf_counter()
        model = LogisticRegression(l1_ratio=1.0, C=10.0).fit(wide, Y[:300])
    assert time.perf_counter() - began < 30
    assert model.certificate_.reason == "time limit"
    assert np.isfinite(model.certificate_.primal)


@pytest.mark.parametrize("rounds", [1, 7, 20])
def test_a_boosted_model_is_known_as_it_was_after_any_round(rounds):
    given = {"random_state": 3, "max_features": 0.5}
    long = HistGradientBoostingRegressor(max_iter=20, **given).fit(X, X[:, 1] ** 2)
    short = HistGradientBoostingRegressor(max_iter=rounds, **given).fit(X, X[:, 1] ** 2)
    np.testing.assert_array_equal(long._after(rounds).predict(X), short.predict(X))
    assert long._after(rounds).n_iter_ == rounds


#: Fits with rounds of their own, none of which are the solvers'.
OWN_ROUNDS = [
    ARDRegression(tol=0.0),
    BayesianGaussianMixture(n_components=5, tol=0.0, random_state=0),
    BayesianRidge(tol=0.0),
    DictionaryLearning(4, tol=0.0, random_state=0),
    FastICA(3, tol=1e-30, random_state=0),
    GaussianMixture(5, tol=0.0, random_state=0),
    HuberRegressor(tol=1e-12),
    MLPRegressor(max_iter=50, random_state=0),
    NMF(3, tol=0.0, random_state=0),
    SphericalKMeans(7, n_init=1, random_state=0),
]


@pytest.mark.parametrize("model", OWN_ROUNDS, ids=lambda m: type(m).__name__)
def test_rounds_of_a_fit_end_with_the_time_of_the_block(model):
    table = np.abs(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = clone(model).fit(table, X[:, 0] ** 2)
        with time_limit(0.0):
            cut = clone(model).fit(table, X[:, 0] ** 2)
    assert np.max(cut.n_iter_) == 1 < np.max(whole.n_iter_)
    method = "transform" if hasattr(cut, "transform") else "predict"
    assert np.isfinite(getattr(cut, method)(table)).all()


def test_a_wide_robust_fit_ends_in_time_with_an_honest_gap():
    levels = RNG.integers(0, 700, 3000)
    wide = sparse.csr_array((np.ones(3000), (np.arange(3000), levels)), (3000, 700))
    y = RNG.normal(size=700)[levels] + RNG.standard_t(2, 3000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UncertifiedWarning)
        with time_limit(0.0):
            cut = HuberRegressor(tol=1e-3).fit(wide, y)
    whole = HuberRegressor(tol=1e-3).fit(wide, y)
    assert cut.certificate_.reason == "time limit"
    assert whole.certificate_.closed
    assert cut.certificate_.dual <= whole.certificate_.primal <= cut.certificate_.primal
