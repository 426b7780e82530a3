"""AdaBoost on many classes, sparse and missing values, weights, and hard cases."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import AdaBoostRegressor as TheirRegressor
from sklearn.tree import DecisionTreeRegressor as TheirTree

from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles import AdaBoostClassifier, AdaBoostRegressor
from infimum.models.linear import LinearRegression, LogisticRegression
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.probabilistic import GaussianNB

BOTH = pytest.mark.parametrize("algorithm", ["discrete", "real"])


@BOTH
@pytest.mark.parametrize("load", [load_iris, load_wine], ids=["iris", "wine"])
def test_the_risk_of_many_classes_is_the_product_of_the_normalisers(algorithm, load):
    X, y = load(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=25, algorithm=algorithm).fit(X, y)
    for count, scores in enumerate(model.staged_decision_function(X), 1):
        np.testing.assert_allclose(scores.sum(axis=1), 0, atol=1e-9)
        own = scores[np.arange(len(y)), y]
        risk = np.exp(-own / 2).mean()
        product = model.training_error_bound_[count - 1]
        assert risk == pytest.approx(product, rel=1e-11)
        assert np.mean(own <= 0) <= product
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (model.classes_[shares.argmax(axis=1)] == model.predict(X)).all()
    assert model.score(X, y) > 0.95


@BOTH
def test_a_vote_of_many_classes_is_half_wrong_after_its_round(algorithm):
    X, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=9, algorithm=algorithm).fit(X, y)
    assert model.row_weights_.sum() == pytest.approx(1)
    if algorithm == "discrete":  # as bad as guessing among three
        wrong = model.estimators_[-1].predict(X) != y
        assert model.row_weights_ @ wrong == pytest.approx(2 / 3, abs=1e-12)


@BOTH
@pytest.mark.parametrize("base", [None, GaussianNB()], ids=["stump", "bayes"])
def test_a_weight_is_a_number_of_copies(algorithm, base, rng):
    X, y = rng.normal(size=(60, 3)), rng.integers(3, size=60)
    copies = rng.integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), copies)
    how = {"n_estimators": 8, "algorithm": algorithm}
    weighted = AdaBoostClassifier(base, **how).fit(X, y, sample_weight=copies)
    repeated = AdaBoostClassifier(base, **how).fit(X[rows], y[rows])
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=1e-8
    )
    np.testing.assert_allclose(weighted.normalizers_, repeated.normalizers_, rtol=1e-9)


@BOTH
def test_sparse_and_single_precision_tables_give_the_same_vote(algorithm, rng):
    X = (rng.integers(-3, 4, size=(80, 5)) * (rng.uniform(size=(80, 5)) < 0.5)) * 1.0
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] > 0, "up", "down")
    model = AdaBoostClassifier(n_estimators=15, algorithm=algorithm).fit(X, y)
    for hold in (sparse.csr_array, sparse.csc_matrix, np.float32):
        held = AdaBoostClassifier(n_estimators=15, algorithm=algorithm)
        held.fit(hold(X), y)
        np.testing.assert_allclose(
            held.decision_function(hold(X)), model.decision_function(X), atol=1e-9
        )


def test_missing_values_are_boosted_as_they_are(rng):
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] > 0) | (X[:, 1] > 1)
    X[rng.uniform(size=X.shape) < 0.1] = np.nan
    X[:, 2] = np.nan
    model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    assert model.score(X, y) > 0.85
    risk = np.exp(-np.where(y, 1, -1) * model.decision_function(X)).mean()
    assert risk == pytest.approx(model.training_error_bound_[-1], rel=1e-12)
    with pytest.raises(ValueError, match="NaN"):
        AdaBoostClassifier(LogisticRegression()).fit(X, y)


def test_margins_grow_after_the_last_error_is_gone(rng):
    X = rng.normal(size=(150, 4))
    y = np.sign(X[:, 0] + X[:, 1])
    short = AdaBoostClassifier(n_estimators=40).fit(X, y)
    long = AdaBoostClassifier(n_estimators=400).fit(X, y)
    assert short.score(X, y) == long.score(X, y) == 1.0
    assert 0 < short.margins(X, y).min() < long.margins(X, y).min() <= 1
    votes = np.array([stump.predict(X) for stump in long.estimators_])
    told = y * (long.steps_ @ votes) / long.steps_.sum()
    np.testing.assert_allclose(long.margins(X, y), told, atol=1e-12)


def test_a_perfect_learner_ends_the_rounds_and_decides():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    model = AdaBoostClassifier().fit(X, y)
    assert len(model.estimators_) == 1
    assert model.weighted_errors_.tolist() == [0.0]
    assert model.training_error_bound_[-1] < 1e-7
    assert model.predict(X).tolist() == y


def test_without_an_edge_nobody_is_believed():
    X, y = np.zeros((4, 2)), [0, 0, 1, 1]
    model = AdaBoostClassifier().fit(X, y)
    assert len(model.estimators_) == 1
    assert model.steps_.tolist() == [0.0]
    assert (model.predict_proba(X) == 0.5).all()
    one = AdaBoostClassifier().fit(X, ["a"] * 4)
    assert one.predict(X).tolist() == ["a"] * 4
    assert (one.predict_proba(X) == 1.0).all()


def test_what_cannot_be_boosted_is_refused_in_one_sentence(rng):
    X, y = rng.normal(size=(20, 2)), rng.integers(2, size=20)
    with pytest.raises(InvalidParameterError, match="doesn't support sample_weight"):
        AdaBoostClassifier(KNeighborsClassifier(1)).fit(X, y)
    with pytest.raises(InvalidParameterError, match="algorithm must be one of"):
        AdaBoostClassifier(algorithm="hedge").fit(X, y)
    with pytest.raises(InvalidParameterError, match="n_estimators must be"):
        AdaBoostClassifier(n_estimators=0).fit(X, y)
    with pytest.raises(DataError, match="there is no class 7"):
        AdaBoostClassifier().fit(X, y).margins(X[:1], [7])


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_boosted_regressors_are_scikit_learns_draw_for_draw(loss):
    X, y = load_diabetes(return_X_y=True)
    how = {"n_estimators": 12, "loss": loss, "random_state": 3}
    ours = AdaBoostRegressor(TheirTree(max_depth=3), **how).fit(X, y)
    theirs = TheirRegressor(TheirTree(max_depth=3), **how).fit(X, y)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_)
    np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    last = list(ours.staged_predict(X))[-1]
    np.testing.assert_allclose(last, ours.predict(X))


def test_without_resampling_a_weight_is_a_number_of_copies(rng):
    X, y = rng.normal(size=(50, 2)), rng.normal(size=50)
    copies = rng.integers(0, 3, size=50)
    rows = np.repeat(np.arange(50), copies)
    base = LinearRegression()
    weighted = AdaBoostRegressor(base, resample=False).fit(X, y, copies)
    repeated = AdaBoostRegressor(base, resample=False).fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-8)
