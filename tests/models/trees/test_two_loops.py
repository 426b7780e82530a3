"""The quick loop for plain features grows the tree that the general one grows."""

import numpy as np
import pytest

from infimum.compiled.trees.tree_grow import grow_tree
from infimum.compiled.trees.tree_grow_plain import grow_plain_tree
from infimum.models.ensembles import RandomForestClassifier
from infimum.models.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    _growing,
)

PARTS = ("feature", "threshold", "left", "right", "value", "gain", "missing_left")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(300, 6)), 2)
    return X, X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=300)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=1),
        DecisionTreeRegressor(random_state=2, max_features=2),
        ExtraTreeClassifier(random_state=3, criterion="entropy", max_leaf_nodes=20),
        ExtraTreeClassifier(random_state=4, class_weight="balanced"),
        ExtraTreeRegressor(random_state=5, max_features=2),
    ],
    ids=["classes", "numbers", "entropy-drawn", "weights-drawn", "numbers-drawn"],
)
def test_both_loops_grow_the_same_tree(table, model, monkeypatch):
    X, y = table
    y = y > 0 if "Classifier" in type(model).__name__ else y
    quick = model.fit(X, y).tree_
    monkeypatch.setattr(_growing, "grow_plain_tree", grow_tree)
    general = model.fit(X, y).tree_
    assert quick.feature.size > 30
    for part in PARTS:
        np.testing.assert_allclose(
            getattr(quick, part), getattr(general, part), rtol=1e-10, atol=1e-13
        )


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_counting_draws_grows_the_same_trees(criterion, bootstrap, monkeypatch):
    # Small nodes and large ones, values that are alone and values that are shared.
    rng = np.random.default_rng(1)
    X = np.round(rng.normal(size=(900, 5)), 3)
    X[:, 3:] = np.round(X[:, 3:])
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=900) > 0
    model = RandomForestClassifier(
        3, criterion=criterion, bootstrap=bootstrap, random_state=0
    )
    counted = model.fit(X, y).trees_
    monkeypatch.setattr(_growing, "grow_counted_tree", grow_plain_tree)
    plain = model.fit(X, y).trees_
    for ours, theirs in zip(counted, plain, strict=True):
        assert ours.feature.size > 100
        for part in PARTS:
            np.testing.assert_allclose(
                getattr(ours, part), getattr(theirs, part), rtol=1e-10, atol=1e-13
            )


def test_draws_are_counted_only_where_they_fit_into_half_a_word(monkeypatch):
    taken = []

    def noticed(*given):
        taken.append(1)
        return grow_counted_tree(*given)

    grow_counted_tree = _growing.grow_counted_tree
    monkeypatch.setattr(_growing, "grow_counted_tree", noticed)
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    model = RandomForestClassifier(1, bootstrap=False, random_state=0)
    for weight, fits in ((1.0, 1), (255.0, 1), (256.0, 0), (1.5, 0)):
        taken.clear()
        model.fit(X, y, sample_weight=np.full(60, weight))
        assert len(taken) == fits
        assert model.trees_[0].weight[0] == 60 * weight
        assert model.score(X, y) == 1.0


def test_thresholds_are_drawn_between_the_extremes_of_each_node(table):
    X, y = table
    tree = ExtraTreeRegressor(random_state=0).fit(X, y).tree_
    inner = tree.feature >= 0
    reach = np.abs(X).max(axis=0)
    assert np.all(np.abs(tree.threshold[inner]) < reach[tree.feature[inner]])
    # A threshold in the middle of two values would have two or three decimals.
    drawn = tree.threshold[inner] * 1000
    assert np.mean(np.abs(drawn - np.round(drawn)) > 1e-6) > 0.9
