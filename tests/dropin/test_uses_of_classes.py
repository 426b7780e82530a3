"""The order of arguments, warnings of what will not be done, and small numbers."""

import inspect
import warnings

import numpy as np
import pytest
import sklearn.cluster
import sklearn.covariance
import sklearn.cross_decomposition
import sklearn.ensemble
import sklearn.linear_model
import sklearn.neighbors
import sklearn.svm
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.datasets import make_friedman1
from sklearn.exceptions import DataConversionWarning
from sklearn.feature_selection import RFECV

from infimum.dropin import (
    cluster,
    covariance,
    cross_decomposition,
    ensemble,
    linear_model,
    neighbors,
    svm,
    tree,
)
from infimum.models.kernel.support_vectors import _score_calibration as calibration
from tests.dropin import alike

CLASSES = alike.classes()
#: A method here, a function there: docs/dropin.md has the row.
OTHERWISE = {"path"}
POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def positions(function):
    known = inspect.signature(function).parameters.values()
    return [each.name for each in known if each.kind in POSITIONAL]


@pytest.mark.parametrize("name", CLASSES)
def test_arguments_stand_where_scikit_learn_has_them(name):
    ours, theirs = CLASSES[name]
    for method in ("__init__", *dir(theirs)):
        known = getattr(theirs, method, None)
        public = method == "__init__" or not method.startswith(("_", "set_"))
        if not public or method in OTHERWISE or not inspect.isfunction(known):
            continue
        wanted = positions(known)
        assert positions(getattr(ours, method))[: len(wanted)] == wanted, method


def tables():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    return X, (X[:, 0] > 0).astype(int)


#: Room, class, settings, what it learns from, and the warning; None for silence.
WARNED = {
    "centres and starts": ("cluster", "KMeans", {"n_init": 5}, "init", RuntimeWarning),
    "centres in batches": (
        "cluster", "MiniBatchKMeans", {"n_init": 5}, "init", RuntimeWarning
    ),
    "centres": ("cluster", "KMeans", {"n_init": 1}, "init", None),
    "one sample": ("covariance", "EmpiricalCovariance", {}, "one", UserWarning),
    "one sample, drawn in": ("covariance", "LedoitWolf", {}, "one", UserWarning),
    "one sample, shrunk": ("covariance", "OAS", {}, "one", UserWarning),
    "two samples": ("covariance", "OAS", {}, "two", None),
    "a mode for dense rows": (
        "linear_model", "RidgeCV", {"gcv_mode": "svd"}, "sparse", FutureWarning
    ),
    "that mode": ("linear_model", "RidgeCV", {"gcv_mode": "svd"}, "both", None),
    "odd priors": (
        "neighbors", "NearestCentroid", {"priors": [2, 4]}, "both", UserWarning
    ),
    "priors": ("neighbors", "NearestCentroid", {"priors": [0.2, 0.8]}, "both", None),
    "more than there are": (
        "ensemble", "IsolationForest", {"max_samples": 99}, "X", UserWarning
    ),
    "as many as there are": ("ensemble", "IsolationForest", {}, "X", None),
    "truths": ("cluster", "OPTICS", {"metric": "rogerstanimoto"}, "truths", None),
    "numbers for truths": (
        "cluster", "OPTICS", {"metric": "rogerstanimoto"}, "X", DataConversionWarning
    ),
}  # fmt: skip
ROOMS = {
    "cluster": (cluster, sklearn.cluster),
    "covariance": (covariance, sklearn.covariance),
    "ensemble": (ensemble, sklearn.ensemble),
    "linear_model": (linear_model, sklearn.linear_model),
    "neighbors": (neighbors, sklearn.neighbors),
}


@pytest.mark.parametrize("case", WARNED)
@pytest.mark.parametrize("side", [0, 1])
def test_what_will_not_be_done_is_told_as_scikit_learn_tells_it(case, side):
    room, name, settings, what, category = WARNED[case]
    X, y = tables()
    given = {
        "X": (X,), "init": (X,), "one": (X[:1],), "two": (X[:2],), "both": (X, y),
        "sparse": (sparse.csr_array(X), y), "truths": (X > 0,),
    }[what]  # fmt: skip
    if what == "init":
        settings = {**settings, "n_clusters": 2, "init": X[:2]}
    model = getattr(ROOMS[room][side], name)(**settings)
    with pytest.warns(category) if category else warnings.catch_warnings():
        if category is None:
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "divide by zero")  # theirs, equal rows
        model.fit(*given)


def test_a_forest_that_has_all_its_trees_says_so():
    X, y = tables()
    model = ensemble.RandomForestClassifier(3, warm_start=True, random_state=0)
    before = model.fit(X, y).predict_proba(X)
    with pytest.warns(UserWarning, match="all 3 trees are there"):
        model.fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_weights_by_position_count():
    X, _ = tables()
    weights = np.r_[np.zeros(20), np.ones(20)]
    for model in (cluster.KMeans(2, random_state=0), cluster.DBSCAN(eps=0.8)):
        by_name = model.fit(X, sample_weight=weights).labels_.copy()
        np.testing.assert_array_equal(model.fit_predict(X, None, weights), by_name)
        assert (model.fit_predict(X) != by_name).any()


def test_all_present_values_lie_below_a_threshold_in_single_precision_too():
    rounded_up = 0
    for seed in range(60):
        X = np.random.default_rng(seed).random((9, 1))
        X[:4] = np.nan
        y = np.isnan(X[:, 0]).astype(int)
        found = tree.ExtraTreeClassifier(max_depth=1, random_state=seed).fit(X, y).tree_
        if found.node_count == 1 or not X[4:].max() <= found.threshold[0]:
            continue
        assert X[4:].astype(np.float32).max() <= found.threshold[0]
        rounded_up += found.threshold[0] > X[4:].max()
    assert rounded_up > 5


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_sigmoid_is_found_in_a_few_steps(monkeypatch, rng, scale):
    scores = scale * rng.normal(size=240)
    signs = np.where(scores / scale + 0.5 * rng.normal(size=240) > 0, 1.0, -1.0)
    counted, once = [], calibration._deviance
    monkeypatch.setattr(
        calibration, "_deviance", lambda *given: counted.append(0) or once(*given)
    )
    slope, offset = calibration.platt(scores, signs, np.ones(240))
    assert len(counted) < 15  # it was a thousand: rounding hid the last falls
    up, down = (signs > 0).sum(), (signs < 0).sum()
    target = np.where(signs > 0, (up + 1) / (up + 2), 1 / (down + 2))
    away = expit(slope * scores + offset) - target
    assert abs(away.sum()) < 1e-7
    assert abs(away @ scores) < 1e-7 * scale


@pytest.mark.parametrize("kind", ["CCA", "PLSRegression", "PLSCanonical", "PLSSVD"])
@pytest.mark.parametrize("scale", [True, False])
def test_tall_tables_give_the_directions_of_scikit_learn(rng, kind, scale):
    X = rng.normal(size=(4000, 8)) @ rng.normal(size=(8, 8))
    X[:, 1], X[:, 2] = X[:, 0], 0.1
    Y = X[:, :3] @ rng.normal(size=(3, 3)) + rng.normal(size=(4000, 3))
    ours = getattr(cross_decomposition, kind)(scale=scale).fit(X, Y)
    theirs = getattr(sklearn.cross_decomposition, kind)(scale=scale).fit(X, Y)
    assert np.abs(ours.transform(X)) == pytest.approx(
        np.abs(theirs.transform(X)), abs=1e-8
    )
    if kind != "PLSSVD":
        assert ours.predict(X) == pytest.approx(theirs.predict(X), abs=1e-8)


@pytest.mark.parametrize("kind", ["CCA", "PLSRegression", "PLSCanonical", "PLSSVD"])
def test_a_second_table_must_be_there(rng, kind):
    with pytest.raises(ValueError, match="needs a second table"):
        getattr(cross_decomposition, kind)(1).fit(rng.normal(size=(9, 3)), None)


class Penalised(RegressorMixin, BaseEstimator):
    """A machine whose intercept is one more coefficient, as in LIBLINEAR."""

    def fit(self, X, y):
        machine = svm.LinearSVR(fit_intercept=False, tol=1e-8, max_iter=100_000)
        found = machine.fit(np.column_stack([X, np.ones(len(X))]), y).coef_
        self.coef_, self.intercept_ = found[:-1], found[-1]
        return self

    def predict(self, X):
        return X @ self.coef_ + self.intercept_


def test_the_intercept_alone_makes_other_features_be_chosen():
    X, y = make_friedman1(n_samples=50, n_features=10, random_state=0)
    theirs = sklearn.svm.LinearSVR(tol=1e-8, max_iter=200_000, random_state=0)
    scores = []
    for machine in (Penalised(), theirs):
        chosen = RFECV(machine).fit(X, np.log(y))
        scores.append(chosen.cv_results_["mean_test_score"])
        kept = chosen.n_features_
    assert scores[0] == pytest.approx(scores[1], abs=2e-3)
    free = RFECV(svm.LinearSVR()).fit(X, np.log(y))
    assert free.cv_results_["mean_test_score"].max() > scores[1].max()
    assert free.n_features_ != kept


def derived(kind, **settings):
    """Return a class of somebody's own, which has one setting and no others."""

    class Own(kind):
        def __init__(self, extra=1):
            super().__init__(**settings)
            self.extra = extra

    return Own


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (linear_model.LogisticRegression, {"C": 2.0}),
        (linear_model.Lasso, {"alpha": 0.1}),
        (linear_model.HuberRegressor, {}),
        (linear_model.Ridge, {}),
        (svm.LinearSVC, {}),
        (svm.SVC, {"probability": True, "random_state": 0}),
    ],
)
def test_a_class_derived_from_ours_may_have_other_settings(kind, settings):
    X, y = tables()
    usual = kind(**settings).fit(X, y)
    own = clone(derived(kind, **settings)(extra=3)).fit(X, y)
    assert own.get_params() == {"extra": 3}
    np.testing.assert_array_equal(own.predict(X), usual.predict(X))
    if hasattr(usual, "predict_proba"):
        np.testing.assert_array_equal(own.predict_proba(X), usual.predict_proba(X))
    assert own.certify(X, y).closed == usual.certify(X, y).closed


def test_a_derived_learner_takes_one_sample_and_a_derived_tree_is_pruned():
    X, y = tables()
    learner = derived(linear_model.SGDClassifier, random_state=0)()
    learner.partial_fit(X, y, classes=[0, 1]).learn_one(X[0], y[0])
    assert learner.t_ == len(X) + 2
    whole = tree.DecisionTreeClassifier(random_state=0)
    path = whole.cost_complexity_pruning_path(X, y)
    own = derived(tree.DecisionTreeClassifier, random_state=0, ccp_alpha=0.5)()
    found = own.cost_complexity_pruning_path(X, y)
    np.testing.assert_array_equal(found.ccp_alphas, path.ccp_alphas)
    assert own.ccp_alpha == 0.5
    assert not hasattr(own, "tree_")
