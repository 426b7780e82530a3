"""The one-class machine on a stream: scikit-learn's steps, and where they lead."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import SGDOneClassSVM as Peer

from infimum.errors import DataError, InvalidParameterError
from infimum.models.novelty import OneClassSVM
from infimum.models.online import SGDOneClassSVM


@pytest.fixture
def rows(rng):
    return rng.normal(3.0, 1.0, size=(200, 4))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"nu": 0.1, "average": True},
        {"average": 50},
        {"learning_rate": "invscaling", "eta0": 0.1},
        {"learning_rate": "constant", "nu": 1.0},
        {"fit_intercept": False},
    ],
    ids=repr,
)
def test_the_steps_are_those_of_scikit_learn(rows, settings):
    X = rows
    plain = {"max_iter": 3, "tol": None, "shuffle": False}
    ours = SGDOneClassSVM(**plain, **settings).fit(X)
    theirs = Peer(**plain, **settings).fit(X)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-10)
    assert ours.offset_ == pytest.approx(theirs.offset_, rel=1e-10)
    assert ours.t_ == theirs.t_
    new = 3.0 * np.eye(4)
    assert ours.decision_function(new) == pytest.approx(theirs.decision_function(new))
    assert ours.score_samples(new) == pytest.approx(theirs.score_samples(new))
    assert (ours.predict(new) == theirs.predict(new)).all()


def test_batches_single_rows_and_sparse_rows_end_in_the_same_model(rows):
    X = rows
    whole = SGDOneClassSVM(nu=0.2, average=True).partial_fit(X)
    batches = SGDOneClassSVM(nu=0.2, average=True)
    thin = SGDOneClassSVM(nu=0.2, average=True)
    for start in range(0, 200, 37):
        batches.partial_fit(X[start : start + 37])
        thin.partial_fit(sparse.csr_array(X[start : start + 37]))
    single = SGDOneClassSVM(nu=0.2, average=True)
    for row in X:
        single.learn_one(row)
    for model in (batches, thin, single):
        assert model.coef_ == pytest.approx(whole.coef_, rel=1e-10)
        assert model.offset_ == pytest.approx(whole.offset_, rel=1e-10)


def test_the_stream_leads_to_the_machine_that_sees_all_rows(rows):
    # Rows of length 1: far from the origin the weights and the level wait for each
    # other.
    X, nu = rows / np.linalg.norm(rows, axis=1, keepdims=True), 0.2
    proved = OneClassSVM(kernel="linear", nu=nu, tol=1e-8).fit(X)
    w = (proved.dual_coef_ @ proved.support_vectors_).ravel()
    w, rho = w / (nu * len(X)), float(proved.offset_[0]) / (nu * len(X))
    best = _objective(w, rho, X, nu)
    model = SGDOneClassSVM(
        nu=nu, average=200, max_iter=100, tol=None, random_state=0
    ).fit(X)
    found = _objective(model.coef_, float(model.offset_[0]), X, nu)
    assert best <= found + 1e-9
    assert found - best < 2e-3 * abs(best)
    assert np.mean(model.predict(X) < 0) == pytest.approx(nu, abs=0.03)


def _objective(w, rho, X, nu):
    lack = np.maximum(rho - X @ w, 0.0)
    return nu / 2 * (w @ w) - nu * rho + lack.mean()


def test_a_row_of_weight_0_is_not_there(rows, rng):
    X = rows
    weights = rng.integers(0, 2, len(X)).astype(float)
    plain = {"max_iter": 3, "tol": None, "shuffle": False}
    some = SGDOneClassSVM(**plain).fit(X, sample_weight=weights)
    rest = SGDOneClassSVM(**plain).fit(X[weights > 0])
    assert some.coef_ == pytest.approx(rest.coef_)
    assert some.offset_ == pytest.approx(rest.offset_)


def test_weights_may_be_shown_as_a_sparse_matrix(rows):
    X = rows
    model = SGDOneClassSVM(random_state=0).fit(X)
    before = model.decision_function(X)
    assert sparse.issparse(model.sparsify().coef_)
    assert model.decision_function(sparse.csr_array(X)) == pytest.approx(before)
    assert model.densify().coef_.shape == (4,)
    assert model.decision_function(X) == pytest.approx(before)


def test_what_cannot_be_is_refused_in_a_sentence(rows):
    X = rows
    with pytest.raises(InvalidParameterError, match=r"SGDOneClassSVM\.nu must be in"):
        SGDOneClassSVM(nu=0.0).fit(X)
    with pytest.raises(InvalidParameterError, match="learning_rate must be one of"):
        SGDOneClassSVM(learning_rate="pa1").fit(X)
    with pytest.raises(DataError, match="finite numbers in coef_init"):
        SGDOneClassSVM().fit(X, coef_init=[1.0])
