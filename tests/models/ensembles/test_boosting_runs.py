"""How boosting runs: when it stops, goes on, draws rows, and meets odd tables."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from infimum.models.ensembles.boosting import _boosted_tree, _growth_state
from infimum.models.trees.bins import BinnedTable


def numbers(rng, n=300):
    X = rng.normal(size=(n, 5))
    return X, X[:, 0] * X[:, 1] + np.abs(X[:, 2]) + 0.3 * rng.normal(size=n)


def test_it_stops_when_rows_held_out_say_so(rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(
        early_stopping=True, max_iter=500, n_iter_no_change=5, random_state=0
    ).fit(X, y)
    assert 5 <= model.n_iter_ < 500
    assert len(model.validation_score_) == model.n_iter_ + 1
    best = model.validation_score_.argmax()
    assert model.n_iter_ - best <= 5
    assert (np.diff(model.train_score_) > 0).all()


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", None])
def test_a_scorer_may_judge_the_rounds(scoring, rng):
    X, y = numbers(rng)
    labels = np.where(y > np.median(y), "yes", "no")
    model = HistGradientBoostingClassifier(
        early_stopping=True, scoring=scoring, max_iter=30, random_state=0,
        validation_fraction=100,
    ).fit(X, labels)  # fmt: skip
    assert len(model.validation_score_) == model.n_iter_ + 1
    assert 0.5 <= model.validation_score_[-1] <= 1


def test_more_rounds_go_on_where_the_first_ended(rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(max_iter=7, warm_start=True, random_state=1)
    model.fit(X, y).set_params(max_iter=15).fit(X, y)
    whole = HistGradientBoostingRegressor(max_iter=15, random_state=1).fit(X, y)
    np.testing.assert_allclose(model.predict(X), whole.predict(X), rtol=1e-9)
    assert model.n_iter_ == 15


def test_predictions_by_stages_end_at_the_prediction(rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(max_iter=6).fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == 6
    np.testing.assert_allclose(stages[-1], model.predict(X), rtol=1e-12)
    labels = np.digitize(y, [0.0, 1.0])
    many = HistGradientBoostingClassifier(max_iter=4).fit(X, labels)
    stages = list(many.staged_predict_proba(X))
    np.testing.assert_allclose(stages[-1], many.predict_proba(X), rtol=1e-9)


def test_the_same_seed_draws_the_same_rows_and_features(rng):
    X, y = numbers(rng)
    some = {"subsample": 0.5, "max_features": 0.4, "max_iter": 20}
    one = HistGradientBoostingRegressor(**some, random_state=3).fit(X, y)
    two = HistGradientBoostingRegressor(**some, random_state=3).fit(X, y)
    other = HistGradientBoostingRegressor(**some, random_state=4).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), two.predict(X))
    assert not np.array_equal(one.predict(X), other.predict(X))
    assert one.trees_.trees[0].rows[0] == 150
    assert one.score(X, y) > 0.3


@pytest.mark.parametrize("shared", ["rows", "features", "fine features"])
def test_the_model_is_the_same_whatever_the_number_of_threads(shared, rng, monkeypatch):
    X, y = numbers(rng, 4_000)
    X = np.column_stack([X, X[:, ::-1], -X, np.round(X), rng.normal(size=(4_000, 3))])
    if shared == "rows":
        monkeypatch.setattr(_boosted_tree, "MANY", 1_000)
    if shared != "fine features":
        monkeypatch.setattr(_growth_state, "MANY", 1_000)
    monkeypatch.setattr(_boosted_tree, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr(_boosted_tree.TreeGrower, "busy_until", 0.0)
    models = []
    for count in (1, 2, 5):
        monkeypatch.setattr(_boosted_tree, "free_cores", lambda count=count: count)
        models.append(HistGradientBoostingClassifier(max_iter=5).fit(X, y > 0.5))
    for model in models[1:]:
        np.testing.assert_array_equal(
            model.decision_function(X), models[0].decision_function(X)
        )


def test_packed_sums_choose_nearly_the_splits_of_exact_ones(rng, monkeypatch):
    X, y = numbers(rng, 4_000)
    exact = HistGradientBoostingClassifier(max_iter=10).fit(X, y > 0.5)
    for room in (_boosted_tree, _growth_state):
        monkeypatch.setattr(room, "MANY", 1_000)
    packed = HistGradientBoostingClassifier(max_iter=10).fit(X, y > 0.5)
    apart = packed.decision_function(X) - exact.decision_function(X)
    assert np.abs(apart).mean() < 0.02 * np.abs(exact.decision_function(X)).mean()


def test_few_histograms_give_the_tree_of_many(rng, monkeypatch):
    X, y = numbers(rng)
    some = {"max_iter": 3, "min_samples_leaf": 2}
    many = HistGradientBoostingRegressor(**some).fit(X, y)
    monkeypatch.setattr(_growth_state, "MEMORY", 0)
    few = HistGradientBoostingRegressor(**some).fit(X, y)
    np.testing.assert_array_equal(few.predict(X), many.predict(X))


@pytest.mark.parametrize("kind", ["constant", "missing", "one row", "one class less"])
def test_a_table_without_information_predicts_a_constant(kind, rng):
    X, y = numbers(rng, 60)
    X = {"constant": np.ones_like(X), "missing": np.full_like(X, np.nan)}.get(kind, X)
    if kind == "one row":
        X, y = X[:1], y[:1]
    weights = np.where(y > 0, 1.0, 0.0) if kind == "one class less" else None
    if weights is not None:
        model = HistGradientBoostingClassifier(max_iter=5).fit(X, y > 0, weights)
        assert model.predict(X).all()
        return
    model = HistGradientBoostingRegressor(max_iter=5).fit(X, y)
    np.testing.assert_allclose(model.predict(X), np.full(len(y), y.mean()))


def test_a_million_categories_still_give_a_model(rng):
    town = np.concatenate([np.arange(1_000_000), np.zeros(500)])
    y = np.where(np.arange(len(town)) >= 1_000_000, 1.0, 0.0)
    model = HistGradientBoostingRegressor(
        max_iter=2, categorical_features=[0], early_stopping=False
    ).fit(town[:, None], y)
    assert model.predict([[0.0]])[0] > model.predict([[77.0]])[0] + 0.1


def test_a_model_is_copied_pickled_and_importances_sum_to_one(rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(max_iter=5).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.feature_importances_[:3].min() > model.feature_importances_[3:].max()
    assert clone(model).get_params() == model.get_params()


def test_a_failed_fit_leaves_the_old_model(rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(max_iter=5).fit(X, y)
    before = model.predict(X)
    with pytest.raises(ValueError, match=r"not negative.*for Poisson"):
        model.set_params(loss="poisson").fit(X, -np.abs(y))
    model.set_params(loss="squared_error")
    np.testing.assert_array_equal(model.predict(X), before)


def test_sizes_of_slopes_are_the_same_on_any_number_of_cores(rng, monkeypatch):
    X = rng.normal(size=(_boosted_tree.MANY, 1))
    slopes, bends = rng.normal(size=len(X)), rng.random(len(X))
    table, found = BinnedTable.of(X), []
    for cores in (1, 2, 3):
        monkeypatch.setattr(_boosted_tree, "free_cores", lambda cores=cores: cores)
        grower = _boosted_tree.TreeGrower(table, _boosted_tree.GrowthLimits())
        assert grower.parts == cores
        found.append(grower._measured(slopes, bends).sum(axis=0))
    np.testing.assert_array_equal(found[1:], [found[0]] * 2)
    assert found[0][2] == pytest.approx(slopes @ slopes)
