"""Friedman's boosting of shallow trees: scikit-learn's answers, and more."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier as TheirClassifier
from sklearn.ensemble import GradientBoostingRegressor as TheirRegressor

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.losses import Huber, Poisson, Quantile
from infimum.models.ensembles import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsRegressor
from infimum.models.trees import shapley_values


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X.round(2), y  # few values: splits are exact


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_leaf_nodes": 5},
        {"min_samples_leaf": 7, "min_samples_split": 40},
        {"min_samples_leaf": 0.05, "min_samples_split": 0.2},
        {"min_impurity_decrease": 20.0},
        {"min_weight_fraction_leaf": 0.1},
        {"max_depth": 5, "ccp_alpha": 10.0},
        {"init": "zero", "learning_rate": 0.3},
    ],
    ids=str,
)
def test_numbers_are_those_of_scikit_learn(settings, diabetes):
    X, y = diabetes
    weights = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    ours = GradientBoostingRegressor(n_estimators=10, **settings).fit(X, y, weights)
    theirs = TheirRegressor(n_estimators=10, random_state=0, **settings)
    theirs.fit(X, y, weights)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    np.testing.assert_allclose(ours.train_score_, theirs.train_score_)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("loss", ["log_loss", "exponential"])
def test_probabilities_are_those_of_scikit_learn(loss, many):
    X, y = load_iris(return_X_y=True)
    if many and loss == "exponential":
        with pytest.raises(IncompatibleError, match="more than 2"):
            GradientBoostingClassifier(loss=loss).fit(X, y)
        return
    y = y if many else y == 1
    ours = GradientBoostingClassifier(loss=loss, n_estimators=10).fit(X, y)
    theirs = TheirClassifier(loss=loss, n_estimators=10, random_state=0).fit(X, y)
    chances = ours.predict_proba(X)
    np.testing.assert_allclose(chances, theirs.predict_proba(X), atol=1e-5)
    np.testing.assert_allclose(np.exp(ours.predict_log_proba(X)), chances)
    assert ours.apply(X).shape == theirs.apply(X).shape
    assert ours.estimators_.shape == theirs.estimators_.shape
    assert ours.n_classes_ == theirs.n_classes_
    np.testing.assert_allclose(ours.train_score_, theirs.train_score_, rtol=1e-5)


@pytest.mark.parametrize("loss", ["absolute_error", "quantile", "huber"])
def test_leaves_of_kinked_losses_minimise_them(loss, diabetes):
    """A leaf's value times the learning rate 1 is the best step for its rows."""
    X, y = diabetes
    model = GradientBoostingRegressor(
        loss=loss, alpha=0.8, n_estimators=3, learning_rate=1.0
    ).fit(X, y)
    stages = [np.full(len(y), model.trees_.start[0]), *model.staged_predict(X)]
    before, after = stages[-2], stages[-1]
    width = np.quantile(np.abs(y - before), 0.8, method="inverted_cdf")
    level = 0.5 if loss == "absolute_error" else 0.8
    judge = Huber(width) if loss == "huber" else Quantile(level)
    for leaf in np.unique(model.apply(X)[:, -1]):
        own = model.apply(X)[:, -1] == leaf
        reached = judge.value(y[own], after[own]).sum()
        for step in (-1.0, -1e-3, 1e-3, 1.0):
            assert reached <= judge.value(y[own], after[own] + step).sum() + 1e-9


def test_an_outlier_pulls_no_harder_than_the_share_of_residuals_allows(diabetes):
    X, y = diabetes
    wrong = y.copy()
    wrong[0] = 1e6

    def error(loss):
        model = GradientBoostingRegressor(loss=loss, n_estimators=30).fit(X, wrong)
        return np.abs(model.predict(X[1:]) - y[1:]).mean()

    assert error("huber") < 0.5 * error("squared_error")


def test_rows_left_out_judge_each_round(diabetes):
    X, y = diabetes
    model = GradientBoostingRegressor(
        n_estimators=40, subsample=0.5, random_state=0
    ).fit(X, y)
    first = GradientBoostingRegressor(n_estimators=9, subsample=0.5, random_state=0)
    first.fit(X, y).set_params(warm_start=True, n_estimators=10).fit(X, y)
    assert np.array_equal(first.oob_scores_[:9], model.oob_scores_[:9])
    assert model.oob_improvement_.shape == (40,)
    assert model.oob_improvement_[:10].min() > 0 > model.oob_improvement_.min()
    assert model.oob_score_ == model.oob_scores_[-1]
    whole = GradientBoostingRegressor(n_estimators=2).fit(X, y)
    assert not hasattr(whole, "oob_improvement_")


def test_rounds_stop_when_rows_held_out_say_so_and_go_on_when_asked(diabetes):
    X, y = diabetes
    model = GradientBoostingRegressor(
        n_estimators=500, n_iter_no_change=5, random_state=0
    ).fit(X, y)
    assert model.n_estimators_ == len(model.train_score_) < 500
    first = GradientBoostingRegressor(n_estimators=4, warm_start=True, random_state=0)
    first.fit(X, y).set_params(n_estimators=9).fit(X, y)
    straight = GradientBoostingRegressor(n_estimators=9, random_state=0).fit(X, y)
    np.testing.assert_allclose(first.predict(X), straight.predict(X), rtol=1e-9)
    np.testing.assert_allclose(first.train_score_, straight.train_score_)


def test_another_model_may_go_first(diabetes):
    X, y = diabetes
    first = Ridge(alpha=0.1)
    model = GradientBoostingRegressor(init=first, n_estimators=5).fit(X, y)
    line = Ridge(alpha=0.1).fit(X, y).predict(X)
    rest = GradientBoostingRegressor(init="zero", n_estimators=5).fit(X, y - line)
    np.testing.assert_allclose(model.predict(X), line + rest.predict(X), rtol=1e-6)
    np.testing.assert_allclose(list(model.staged_predict(X))[-1], model.predict(X))
    with pytest.raises(IncompatibleError, match="no sum of trees"):
        shapley_values(model, X)


def test_a_classifier_may_start_from_probabilities():
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    first = LogisticRegression()
    model = GradientBoostingClassifier(init=first, n_estimators=2, learning_rate=0.0)
    expected = first.fit(X, y).predict_proba(X).clip(1e-6, 1 - 1e-6)
    chances = model.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(chances, expected, atol=1e-6)


def test_what_makes_no_sense_is_said_in_a_sentence(diabetes):
    X, y = diabetes
    for settings, words in [
        ({"init": "mean"}, "init must be None, 'zero' or an estimator"),
        ({"loss": "poisson"}, "loss must be"),
        ({"subsample": 1.5}, "subsample must be"),
        ({"max_depth": 0}, "max_depth must be"),
        ({"loss": "quantile", "alpha": 1.0}, "quantile must be"),
    ]:
        with pytest.raises(InvalidParameterError, match=words):
            GradientBoostingRegressor(**settings).fit(X, y)
    with pytest.raises(IncompatibleError, match="Poisson"):
        GradientBoostingRegressor(loss=Poisson(), init=Ridge()).fit(X, y)
    with pytest.raises(IncompatibleError, match="sample_weight"):
        GradientBoostingRegressor(init=KNeighborsRegressor()).fit(X, y, 1.0 + y)


def test_gaps_and_sparse_tables_are_welcome(diabetes):
    X, y = diabetes
    holes = np.where(X > 0.05, np.nan, X)
    model = GradientBoostingRegressor().fit(holes, y)
    assert model.score(holes, y) > 0.6
