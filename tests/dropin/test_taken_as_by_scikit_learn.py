"""What scikit-learn's classes take, ours take, and what they answer with."""

import warnings

import numpy as np
import pytest
import sklearn
import sklearn.ensemble
import sklearn.manifold
from scipy import sparse
from sklearn.inspection import partial_dependence

from infimum.dropin import (
    ensemble,
    kernel_approximation,
    linear_model,
    manifold,
    neighbors,
    random_projection,
    svm,
)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_infinite_numbers_are_the_farthest_of_an_isolation_forest(rng, kind, form):
    X = rng.normal(size=(300, 4)).astype(kind)
    model = ensemble.IsolationForest(random_state=0)
    known = model.fit(X).score_samples(X)
    strange = X.copy()
    strange[0, 0], strange[1, 1] = np.inf, -np.inf
    assert (model.predict(form(strange))[:2] == -1).all()
    np.testing.assert_array_equal(model.score_samples(form(strange))[2:], known[2:])
    scores = model.fit(form(strange)).score_samples(form(strange))
    assert np.isfinite(scores).all()
    assert set(np.argsort(scores)[:2]) == {0, 1}


def test_bagging_may_draw_more_rows_than_there_are(rng):
    X, y = rng.normal(size=(20, 2)), rng.integers(0, 2, 20)
    model = ensemble.BaggingClassifier(max_samples=100, random_state=0).fit(X, y)
    assert {len(rows) for rows in model.estimators_samples_} == {100}
    with pytest.raises(ValueError, match="at most 20"):
        model.set_params(bootstrap=False).fit(X, y)


def test_an_elastic_net_of_no_given_ratio_is_refused(rng):
    X, y = rng.normal(size=(20, 2)), rng.integers(0, 2, 20)
    model = linear_model.LogisticRegression(penalty="elasticnet", l1_ratio=None)
    with pytest.raises(ValueError, match="l1_ratio"):
        model.fit(X, y)


@pytest.mark.parametrize("interface", ["spmatrix", "sparray"])
def test_sparse_answers_are_of_the_kind_that_scikit_learn_is_set_to(rng, interface):
    X = sparse.random_array((30, 6), density=0.5, format="csr", rng=rng)
    y = rng.integers(0, 2, 30)
    with sklearn.config_context(sparse_interface=interface):
        machine = svm.SVC(kernel="linear").fit(X, y)
        linear = linear_model.LogisticRegression().fit(X, y)
        answers = [
            machine.support_vectors_,
            machine.dual_coef_,
            machine.coef_,
            linear.sparsify().coef_,
            linear_model.Lasso().fit(X, y).sparse_coef_,
            linear_model.MultiTaskLasso().fit(X.toarray(), X.toarray()).sparse_coef_,
            kernel_approximation.AdditiveChi2Sampler().fit_transform(X),
            random_projection.SparseRandomProjection(2).fit_transform(X),
        ]
        expected = interface == "spmatrix"
        assert [sparse.isspmatrix(each) for each in answers] == [expected] * 8
        scores = machine.decision_function(X)
        dense = svm.SVC(kernel="linear").fit(X.toarray(), y)
        np.testing.assert_allclose(
            scores, dense.decision_function(X.toarray()), atol=2e-3
        )


def test_members_that_are_fitted_already_are_stacked_as_they_are(rng):
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    near = neighbors.KNeighborsClassifier().fit(X[:30], y[:30])
    line = linear_model.LogisticRegression().fit(X[:30], y[:30])
    members = [("near", near), ("line", line)]
    model = ensemble.StackingClassifier(members, cv="prefit").fit(X[30:], y[30:])
    assert model.estimators_ == [near, line]
    theirs = sklearn.ensemble.StackingClassifier(members, cv="prefit")
    np.testing.assert_allclose(
        model.predict_proba(X), theirs.fit(X[30:], y[30:]).predict_proba(X), atol=1e-3
    )
    with pytest.raises(ValueError, match="cv must be"):
        model.set_params(cv="prefitted").fit(X, y)


def test_a_radius_of_nothing_joins_single_samples(rng):
    X = rng.normal(size=(40, 5))
    model = manifold.Isomap(n_neighbors=None, radius=0).fit(X)
    assert model.n_connected_components_ == 40
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it speaks of parts, and of sparse tables
        theirs = sklearn.manifold.Isomap(n_neighbors=None, radius=0).fit(X)
    np.testing.assert_allclose(np.abs(model.embedding_), np.abs(theirs.embedding_))


def test_partial_dependence_of_weighted_rows_is_that_of_their_copies(rng):
    X, weights = rng.normal(size=(200, 3)), rng.integers(1, 4, 200)
    y, copies = X[:, 0] ** 2 + X[:, 1], np.repeat(np.arange(200), weights)
    kind = ensemble.HistGradientBoostingRegressor
    model = kind(max_iter=9, early_stopping=False).fit(X, y, sample_weight=weights)
    other = kind(max_iter=9, early_stopping=False).fit(X[copies], y[copies])
    asked = {"X": X, "features": [0], "method": "recursion", "grid_resolution": 9}
    found, expected = (
        partial_dependence(model, **asked),
        partial_dependence(other, **asked),
    )
    np.testing.assert_allclose(found["average"], expected["average"], atol=1e-12)
    assert np.ptp(found["average"]) > 0.5
