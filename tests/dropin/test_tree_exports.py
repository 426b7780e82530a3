"""Scikit-learn's exports of trees read ours, to the letter."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn import tree as theirs
from sklearn.datasets import load_diabetes

from infimum.dropin import tree as ours
from infimum.errors import IncompatibleError


@pytest.fixture
def pair(rng):
    X = rng.normal(size=(300, 4))
    y = X[:, 0] + X[:, 1] + rng.normal(size=300) > 0.5
    return [
        room.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
        for room in (ours, theirs)
    ]


def test_the_texts_are_equal(pair):
    mine, other = pair
    names = [f"m{j}" for j in range(4)]
    options = {"feature_names": names, "show_weights": True, "decimals": 4}
    assert ours.export_text(mine, **options) == theirs.export_text(other, **options)
    assert ours.export_graphviz(mine) == theirs.export_graphviz(other)
    assert ours.export_text(other) == theirs.export_text(other)


def test_numbers_are_told_too():
    X, y = load_diabetes(return_X_y=True)
    mine, other = (
        room.DecisionTreeRegressor(max_leaf_nodes=4).fit(X, y)
        for room in (ours, theirs)
    )
    assert ours.export_text(mine) == theirs.export_text(other)


def test_the_picture_says_the_same(pair):
    mpl.use("Agg")
    drawn = [
        [note.get_text() for note in room.plot_tree(model, filled=True)]
        for room, model in zip((ours, theirs), pair, strict=True)
    ]
    assert drawn[0] == drawn[1]


def test_the_nodes_have_the_names_that_users_know(pair):
    mine, other = pair[0].tree_, pair[1].tree_
    for name in ("children_left", "children_right", "n_node_samples"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(other, name))
    assert (mine.node_count, mine.max_depth) == (other.node_count, other.max_depth)
    np.testing.assert_allclose(
        mine.weighted_n_node_samples, other.weighted_n_node_samples
    )


def test_sets_of_categories_have_no_words_there():
    X = np.arange(6.0).reshape(-1, 1) % 3
    model = ours.DecisionTreeClassifier(categorical_features=[0])
    model.fit(X, [0, 1, 0, 0, 1, 0])
    with pytest.raises(IncompatibleError, match="splits on categories"):
        ours.export_text(model)
