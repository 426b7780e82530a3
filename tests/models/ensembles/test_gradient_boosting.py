"""Gradient boosting: steps down any loss, by trees that obey their limits."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier as TheirClassifier
from sklearn.ensemble import HistGradientBoostingRegressor as TheirRegressor
from threadpoolctl import threadpool_limits

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Exponential,
    Gamma,
    Hinge,
    Huber,
    Logistic,
    MulticlassHinge,
    Poisson,
    Probit,
    Quantile,
    Ramp,
    Squared,
    SquaredHinge,
)
from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

FREE = {"min_samples_leaf": 1, "max_leaf_nodes": 6, "max_iter": 8}


def numbers(rng, n=200):
    X = rng.normal(size=(n, 4))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize("loss", ["squared_error", "poisson", "gamma"])
def test_numbers_are_predicted_as_scikit_learn_predicts_them(loss):
    X, y = load_diabetes(return_X_y=True)
    X = X.round(2)  # few values: the bins of both are exact
    ours = HistGradientBoostingRegressor(loss, max_iter=20).fit(X, y)
    with threadpool_limits(1):
        theirs = TheirRegressor(loss=loss, max_iter=20).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_probabilities_are_those_of_scikit_learn(load, many):
    X, y = load(return_X_y=True)
    y = y if many else y == 1
    ours = HistGradientBoostingClassifier(max_iter=10).fit(X, y)
    with threadpool_limits(1):
        theirs = TheirClassifier(max_iter=10).fit(X, y)
    np.testing.assert_allclose(
        ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-4, atol=1e-6
    )


@pytest.mark.parametrize(
    "loss",
    [Squared(), Absolute(), Quantile(0.8), Huber(0.3), EpsilonInsensitive(0.1)],
    ids=lambda loss: type(loss).__name__,
)
def test_every_round_lowers_a_convex_loss_of_numbers(loss, rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(loss, max_iter=30).fit(X, y)
    losses = [loss.value(y, f).mean() for f in model.staged_predict(X)]
    start = loss.value(y, np.full(len(y), model.trees_.start[0])).mean()
    assert (np.diff([start, *losses]) < 1e-9).all()
    assert losses[-1] < 0.6 * start


@pytest.mark.parametrize("loss", [Poisson(), Gamma()], ids=["Poisson", "Gamma"])
def test_every_round_lowers_a_loss_of_amounts(loss, rng):
    X, y = numbers(rng)
    y = np.ceil(np.exp(y))
    model = HistGradientBoostingRegressor(loss, max_iter=30).fit(X, y)
    losses = [loss.value(y, np.log(f)).mean() for f in model.staged_predict(X)]
    assert (np.diff(losses) < 0).all()


@pytest.mark.parametrize(
    "loss",
    [Logistic(), Exponential(), SquaredHinge(), Hinge(), Probit()],
    ids=lambda loss: type(loss).__name__,
)
def test_every_round_lowers_a_loss_of_labels(loss, rng):
    X, y = numbers(rng)
    labels = np.where(y > 0.2, "b", "a")
    signs = np.where(labels == "b", 1.0, -1.0)
    model = HistGradientBoostingClassifier(loss, max_iter=20).fit(X, labels)
    staged = model.staged_decision_function(X)
    losses = [loss.value(signs, f).mean() for f in staged]
    assert (np.diff(losses) < 1e-9).all()
    assert model.score(X, labels) > 0.1 + max((signs > 0).mean(), (signs < 0).mean())


def test_a_loss_with_a_score_for_each_class_may_have_kinks(rng):
    X, y = load_iris(return_X_y=True)
    model = HistGradientBoostingClassifier(MulticlassHinge(3), max_iter=20).fit(X, y)
    assert model.score(X, y) > 0.95
    assert not hasattr(model, "predict_proba")


def test_a_leaf_of_the_quantile_loss_is_the_quantile_of_its_residuals(rng):
    X, y = numbers(rng)
    model = HistGradientBoostingRegressor(
        "quantile", quantile=0.3, max_iter=1, learning_rate=1.0, max_leaf_nodes=4
    ).fit(X, y)
    tree, leaves = model.trees_.trees[0], model.trees_.trees[0].apply(X)
    for leaf in np.unique(leaves):
        rest = np.sort(y[leaves == leaf] - model.trees_.start[0])
        below = (rest <= tree.value[leaf, 0] + 1e-12).sum()
        assert below - 1 <= 0.3 * len(rest) <= below
    assert len(np.unique(leaves)) == 4


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber"])
def test_a_weight_is_a_number_of_copies(loss, rng):
    X, y = numbers(rng)
    counts = rng.integers(0, 4, size=len(y))
    weighted = HistGradientBoostingRegressor(loss, **FREE).fit(X, y, counts)
    repeated = HistGradientBoostingRegressor(loss, **FREE).fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-8)


def test_weights_of_labels_are_copies_with_bins_of_many_values(rng):
    X, y = numbers(rng, 900)
    counts = rng.integers(0, 4, size=len(y))
    weighted = HistGradientBoostingClassifier(**FREE).fit(X, y > 0, counts)
    repeated = HistGradientBoostingClassifier(**FREE).fit(
        np.repeat(X, counts, axis=0), np.repeat(y > 0, counts)
    )
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-8
    )


def test_missing_values_learn_where_to_go(rng):
    x = rng.normal(size=400)
    y = np.where(x > 0, 1.0, -1.0)
    X = np.where(rng.random(400) < 0.3, np.nan, x)[:, None]
    y[np.isnan(X[:, 0])] = 1.0
    model = HistGradientBoostingRegressor(max_iter=50).fit(X, y)
    assert model.predict([[np.nan]])[0] == pytest.approx(1.0, abs=0.02)
    y[np.isnan(X[:, 0])] = 5.0
    model = HistGradientBoostingRegressor(max_iter=80).fit(X, y)
    assert model.predict([[np.nan]])[0] == pytest.approx(5.0, abs=0.02)


def test_categories_are_split_into_sets_in_one_question(rng):
    town = rng.choice(list("abcdefgh"), size=600)
    y = np.isin(town, list("aceg")).astype(float)
    X = pd.DataFrame({"town": pd.Categorical(town), "noise": rng.normal(size=600)})
    model = HistGradientBoostingRegressor(
        max_iter=1, learning_rate=1.0, max_leaf_nodes=2
    ).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-12)
    np.testing.assert_array_equal(model.is_categorical_, [True, False])
    fresh = pd.DataFrame({"town": ["a", "z", None], "noise": np.zeros(3)})
    assert np.isfinite(model.predict(fresh)).all()
    assert model.predict(fresh)[0] == pytest.approx(1.0)


def test_scores_rise_and_fall_as_they_are_told(rng):
    X, y = numbers(rng, 400)
    model = HistGradientBoostingRegressor(
        monotonic_cst=[1, -1, 0, 0], min_samples_leaf=5, loss="absolute_error"
    ).fit(X, y)
    grid = np.repeat(X[:20, None], 50, axis=1)
    for feature, direction in ((0, 1), (1, -1)):
        moved = grid.copy()
        moved[:, :, feature] = np.linspace(-3, 3, 50)
        f = model.predict(moved.reshape(-1, 4)).reshape(20, 50)
        assert (direction * np.diff(f, axis=1) >= -1e-12).all()
        assert np.ptp(f) > 0.1


def test_features_that_may_not_meet_do_not_meet(rng):
    X, y = numbers(rng, 400)
    model = HistGradientBoostingRegressor(interaction_cst=[{0, 3}, {1}, {2}]).fit(X, y)
    for tree in model.trees_.trees:
        for leaf in np.flatnonzero(tree.feature < 0):
            asked, node = set(), leaf
            while node > 0:
                node = tree.parent[node]
                asked.add(int(tree.feature[node]))
            assert asked <= {0, 3} or len(asked) == 1


@pytest.mark.parametrize(
    "limits",
    [{"max_leaf_nodes": 5}, {"max_depth": 2, "max_leaf_nodes": None},
     {"min_samples_leaf": 50}, {"max_leaf_nodes": None, "min_samples_leaf": 3}],
    ids=str,
)  # fmt: skip
def test_trees_keep_their_limits(limits, rng):
    X, y = numbers(rng, 400)
    model = HistGradientBoostingRegressor(max_iter=5, **limits).fit(X, y)
    for tree in model.trees_.trees:
        assert 2 <= tree.n_leaves <= (limits.get("max_leaf_nodes") or 400)
        assert tree.depth <= limits.get("max_depth", 400)
        leaves = np.bincount(tree.apply(X))
        assert leaves[leaves > 0].min() >= limits.get("min_samples_leaf", 20)
        assert tree.rows[0] == 400


def test_sparse_tables_and_single_precision_give_the_same_model(rng):
    X, y = numbers(rng)
    X = (X * (rng.random(X.shape) < 0.5)).astype(np.float32)
    dense = HistGradientBoostingRegressor(max_iter=10).fit(X, y)
    thin = HistGradientBoostingRegressor(max_iter=10).fit(sparse.csc_matrix(X), y)
    np.testing.assert_allclose(dense.predict(X), thin.predict(sparse.csr_array(X)))


def test_what_cannot_be_done_is_said_in_one_sentence(rng):
    X, y = numbers(rng)
    with pytest.raises(IncompatibleError, match=r"one of numbers, got Hinge"):
        HistGradientBoostingRegressor(Hinge()).fit(X, y)
    with pytest.raises(IncompatibleError, match=r"convex or differentiable.*got Ramp"):
        HistGradientBoostingClassifier(Ramp()).fit(X, y > 0)
    with pytest.raises(DataError, match="y must be positive for Gamma"):
        HistGradientBoostingRegressor("gamma").fit(X, y)
    with pytest.raises(DataError, match="needs 2 classes or more, got 1 class: True"):
        HistGradientBoostingClassifier().fit(X, y < 99)
    with pytest.raises(InvalidParameterError, match=r"learning_rate must be in"):
        HistGradientBoostingRegressor(learning_rate=0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="must be 0 for categories"):
        HistGradientBoostingRegressor(
            monotonic_cst=[1, 0, 0, 0], categorical_features=[0]
        ).fit(np.abs(X).round(), y)
