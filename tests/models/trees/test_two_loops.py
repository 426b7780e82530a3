"""The quick loop for plain features grows the tree that the general one grows."""

import numpy as np
import pytest

from infimum.compiled import grow_tree
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


def test_thresholds_are_drawn_between_the_extremes_of_each_node(table):
    X, y = table
    tree = ExtraTreeRegressor(random_state=0).fit(X, y).tree_
    inner = tree.feature >= 0
    reach = np.abs(X).max(axis=0)
    assert np.all(np.abs(tree.threshold[inner]) < reach[tree.feature[inner]])
    # A threshold in the middle of two values would have two or three decimals.
    drawn = tree.threshold[inner] * 1000
    assert np.mean(np.abs(drawn - np.round(drawn)) > 1e-6) > 0.9
