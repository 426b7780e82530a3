"""Forests: the same whatever the threads, as good as scikit-learn's, never confused."""

import numpy as np
import pytest
from sklearn import ensemble as reference
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.model_selection import train_test_split

from infimum.compiled import threads
from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    QuantileForestRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

X_CANCER, Y_CANCER = load_breast_cancer(return_X_y=True)
X_DIABETES, Y_DIABETES = load_diabetes(return_X_y=True)


def held_out(forest, X, y, **settings):
    X, test, y, true = train_test_split(X, y, random_state=0, test_size=0.4)
    return [
        forest(30, random_state=seed, **settings).fit(X, y).score(test, true)
        for seed in range(4)
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("RandomForestClassifier", load_breast_cancer),
        ("RandomForestClassifier", load_wine),
        ("ExtraTreesClassifier", load_breast_cancer),
        ("RandomForestRegressor", load_diabetes),
        ("ExtraTreesRegressor", load_diabetes),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_forests_are_as_good_as_scikit_learns(name, data):
    X, y = data(return_X_y=True)
    ours = held_out(globals()[name], X, y)
    theirs = held_out(getattr(reference, name), X, y)
    spread = np.std(ours) + np.std(theirs) + 0.004
    assert np.mean(ours) >= np.mean(theirs) - 2.0 * spread


def test_the_same_seed_grows_the_same_forest_on_any_number_of_threads(monkeypatch):
    def grow():
        model = RandomForestClassifier(8, random_state=3, oob_score=False)
        return model.fit(X_CANCER, Y_CANCER)

    together = grow()
    monkeypatch.setattr(threads._here, "enlisted", True, raising=False)
    alone = grow()
    for ours, theirs in zip(together.trees_, alone.trees_, strict=True):
        assert np.array_equal(ours.threshold, theirs.threshold)
        assert np.array_equal(ours.value, theirs.value)


def test_a_second_fit_adds_trees():
    model = RandomForestClassifier(5, random_state=0, warm_start=True)
    first = model.fit(X_CANCER, Y_CANCER).trees_
    more = model.set_params(n_estimators=9).fit(X_CANCER, Y_CANCER).trees_
    assert more[:5] == first
    whole = RandomForestClassifier(9, random_state=0).fit(X_CANCER, Y_CANCER)
    assert np.array_equal(model.predict_proba(X_CANCER), whole.predict_proba(X_CANCER))
    with pytest.raises(InvalidParameterError, match="n_estimators"):
        model.set_params(n_estimators=3).fit(X_CANCER, Y_CANCER)


def test_trees_judge_the_rows_they_have_not_seen():
    model = RandomForestClassifier(60, oob_score=True, random_state=0)
    model.fit(X_CANCER, Y_CANCER)
    theirs = reference.RandomForestClassifier(60, oob_score=True, random_state=0)
    theirs.fit(X_CANCER, Y_CANCER)
    assert abs(model.oob_score_ - theirs.oob_score_) < 0.015
    shares = model.oob_decision_function_
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    again = RandomForestRegressor(60, oob_score=True, random_state=0)
    again.fit(X_DIABETES, Y_DIABETES)
    assert again.oob_prediction_.shape == Y_DIABETES.shape
    assert 0.3 < again.oob_score_ < 0.55
    with pytest.raises(InvalidParameterError, match="bootstrap"):
        RandomForestRegressor(3, oob_score=True, bootstrap=False).fit([[0.0]], [1.0])


def test_proximities_are_shares_of_common_leaves():
    model = RandomForestClassifier(12, random_state=0).fit(X_CANCER, Y_CANCER)
    some = X_CANCER[:20]
    leaves = model.apply(some)
    brute = (leaves[:, None, :] == leaves[None, :, :]).mean(axis=2)
    near = model.proximities(some)
    np.testing.assert_allclose(near, brute)
    assert np.linalg.eigvalsh(near).min() > -1e-10
    assert model.proximities(some, X_CANCER[:5]).shape == (20, 5)


def test_importances_find_the_features_that_matter():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(600, 4))
    y = X[:, 1] + 0.1 * generator.normal(size=600) > 0
    model = RandomForestClassifier(20, random_state=0).fit(X, y)
    assert model.feature_importances_.argmax() == 1
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    shuffled = model.oob_importances(X, y)
    assert shuffled[1] > 0.3
    assert np.abs(np.delete(shuffled, 1)).max() < 0.05
    numbers = RandomForestRegressor(10, random_state=0).fit(X, X[:, 2])
    assert numbers.oob_importances(X, X[:, 2]).argmax() == 2


def test_weights_are_chances_of_being_drawn():
    """A weight of 3 is drawn as often, on average, as three copies of the row."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(60, 2))
    y = (X[:, 0] + 0.5 * generator.normal(size=60) > 0).astype(int)
    weight = generator.integers(0, 4, 60)
    repeated = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    one = RandomForestClassifier(800, random_state=0).fit(X, y, weight)
    other = RandomForestClassifier(800, random_state=1).fit(*repeated)
    apart = one.predict_proba(X)[:, 1] - other.predict_proba(X)[:, 1]
    # Each share is a mean of 800 values in [0, 1]: four standard errors of two.
    assert np.abs(apart).max() < 4.0 * np.sqrt(2.0 * 0.25 / 800)


def test_extra_trees_without_draws_take_weights_as_repetitions():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    one = ExtraTreesClassifier(5, random_state=0).fit(X, y, weight)
    other = ExtraTreesClassifier(5, random_state=0)
    other.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
    numbers = ExtraTreesRegressor(5, random_state=0).fit(X, y, weight)
    assert np.isfinite(numbers.predict(X)).all()


def test_quantile_forests_cover_as_often_as_they_say():
    generator = np.random.default_rng(0)
    X = generator.uniform(-2.0, 2.0, size=(1500, 1))
    y = X[:, 0] + (1.0 + np.abs(X[:, 0])) * generator.normal(size=1500)
    model = QuantileForestRegressor(40, min_samples_leaf=20, random_state=0)
    model.fit(X[:1000], y[:1000])
    low, high = model.predict(X[1000:], quantiles=[0.1, 0.9]).T
    covered = np.mean((low <= y[1000:]) & (y[1000:] <= high))
    # Four standard errors of a share of 500, and as much again for the model's own.
    assert abs(covered - 0.8) < 8.0 * np.sqrt(0.8 * 0.2 / 500)
    wide = np.abs(X[1000:, 0]) > 1.0
    assert (high - low)[wide].mean() > (high - low)[~wide].mean()
    told = model.predict(X[:5], quantiles=[0.0, 0.25, 0.5, 0.75, 1.0])
    assert (np.diff(told, axis=1) >= 0).all()
    np.testing.assert_array_equal(model.predict(X[:5]), told[:, 2])
    with pytest.raises(InvalidParameterError, match="quantiles"):
        model.predict(X[:5], quantiles=1.5)


def test_trees_of_a_forest_are_models_of_their_own():
    model = RandomForestClassifier(4, random_state=0).fit(X_CANCER, Y_CANCER)
    shares = [tree.predict_proba(X_CANCER) for tree in model.estimators_]
    np.testing.assert_allclose(np.mean(shares, axis=0), model.predict_proba(X_CANCER))
    paths, starts = model.decision_path(X_CANCER[:3])
    assert paths.shape == (3, starts[-1])


def test_bins_and_all_thresholds_tell_about_the_same():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(6000, 4))
    y = X[:, 0] * X[:, 1] + 0.3 * generator.normal(size=6000) > 0
    binned = RandomForestClassifier(10, random_state=0).fit(X[:5000], y[:5000])
    theirs = reference.RandomForestClassifier(10, random_state=0, n_jobs=1)
    theirs.fit(X[:5000], y[:5000])
    gap = binned.score(X[5000:], y[5000:]) - theirs.score(X[5000:], y[5000:])
    assert abs(gap) < 4.0 * np.sqrt(0.1 / 1000)


def test_a_forest_knows_which_rows_its_trees_have_seen():
    X, y = load_iris(return_X_y=True)
    weights = np.arange(150) % 3
    model = RandomForestClassifier(5, random_state=0).fit(X, y, weights)
    for rows, tree in zip(model.estimators_samples_, model.trees_, strict=True):
        assert len(rows) == weights.sum() == tree.weight[0]
        assert (weights[rows] > 0).all()
        assert tree.rows[0] == len(np.unique(rows))
    assert model.oob_importances(X, y).argmax() in (2, 3)
    whole = RandomForestClassifier(2, bootstrap=False).fit(X, y)
    np.testing.assert_array_equal(whole.estimators_samples_[1], np.arange(150))
    assert type(model.estimator_) is type(model.estimators_[0])
    with pytest.raises(DataError, match="needs the 150 samples of the fit"):
        model.oob_importances(X[:9], y[:9])


def test_weights_that_are_no_counts_leave_the_draws_alone():
    X, y = load_iris(return_X_y=True)
    plain = RandomForestClassifier(6, random_state=0).fit(X, y)
    heavy = RandomForestClassifier(6, random_state=0, max_samples=150)
    heavy.fit(X, y, np.full(150, 1000))
    np.testing.assert_array_equal(heavy.predict_proba(X), plain.predict_proba(X))
    told = RandomForestClassifier(6, random_state=0).fit(X, y, np.full(150, 1000))
    np.testing.assert_array_equal(told.predict_proba(X), plain.predict_proba(X))
    copies = RandomForestClassifier(6, random_state=0).fit(X, y, np.full(150, 9))
    assert all(len(rows) == 9 * 150 for rows in copies.estimators_samples_)
