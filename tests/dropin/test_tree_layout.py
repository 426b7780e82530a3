"""Tools that know scikit-learn's trees read ours: the same layout, the same numbers."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from sklearn.inspection import partial_dependence

from infimum.dropin import ensemble, tree
from infimum.models.trees import DecisionTreeClassifier

NAMES = [
    "children_left", "children_right", "feature", "threshold", "missing_go_to_left",
    "value", "impurity", "n_node_samples", "weighted_n_node_samples", "n_classes",
]  # fmt: skip
NUMBERS = ["node_count", "n_leaves", "max_depth", "n_features", "n_outputs"]


@pytest.fixture
def table(rng):
    X = rng.normal(size=(120, 4))
    return X, (X[:, 0] + X[:, 1] ** 2 + 0.1 * rng.normal(size=120))


@pytest.mark.parametrize("kind", ["Classifier", "Regressor"])
def test_the_nodes_are_laid_out_as_scikit_learn_does(table, kind):
    X, y = table
    y = np.digitize(y, [0.5, 1.5]) if kind == "Classifier" else y
    ours, theirs = (
        getattr(room, f"DecisionTree{kind}")(
            max_depth=3, min_samples_leaf=9, random_state=0
        ).fit(X, y)
        for room in (tree, sklearn.tree)
    )
    for name in NAMES:
        mine, other = getattr(ours.tree_, name), getattr(theirs.tree_, name)
        assert (mine.shape, mine.dtype) == (other.shape, other.dtype), name
        np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-12, err_msg=name)
    for name in NUMBERS:
        assert getattr(ours.tree_, name) == getattr(theirs.tree_, name)
    for normalize in (True, False):
        np.testing.assert_allclose(
            ours.tree_.compute_feature_importances(normalize),
            theirs.tree_.compute_feature_importances(normalize),
            rtol=1e-9,
        )
    rows = X.astype(np.float32)
    np.testing.assert_allclose(ours.tree_.predict(rows), theirs.tree_.predict(rows))


def test_several_outputs_have_a_place_each(table):
    X, y = table
    both = np.column_stack((y > 0, np.digitize(y, [0.5, 1.5])))
    ours, theirs = (
        room.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, both)
        for room in (tree, sklearn.tree)
    )
    assert ours.tree_.value.shape == theirs.tree_.value.shape
    np.testing.assert_array_equal(ours.tree_.n_classes, theirs.tree_.n_classes)


def test_the_usual_walk_finds_the_leaves(table):
    X, y = table
    nodes = tree.DecisionTreeRegressor(max_depth=3).fit(X, y).tree_
    stack, leaves = [0], 0
    while stack:
        at = stack.pop()
        if nodes.children_left[at] == nodes.children_right[at]:
            assert nodes.feature[at] == nodes.threshold[at] == -2
            leaves += 1
        else:
            stack += [nodes.children_left[at], nodes.children_right[at]]
    assert leaves == nodes.n_leaves


def test_the_layout_survives_a_pickle(table):
    model = tree.DecisionTreeRegressor(max_depth=2).fit(*table)
    again = pickle.loads(pickle.dumps(model.tree_))
    np.testing.assert_array_equal(again.value, model.tree_.value)


@pytest.mark.parametrize(
    "name",
    [
        "RandomForestRegressor",
        "GradientBoostingRegressor",
        "HistGradientBoostingRegressor",
        "GradientBoostingClassifier",
        "HistGradientBoostingClassifier",
    ],
)
def test_partial_dependence_by_recursion_is_what_the_trees_say(table, name):
    X, y = table
    y = (y > 0.5).astype(int) if name.endswith("Classifier") else y
    few = {"max_iter": 30} if name.startswith("Hist") else {"n_estimators": 30}
    ours, theirs = (
        getattr(room, name)(random_state=0, max_depth=2, min_samples_leaf=9, **few).fit(
            X, y
        )
        for room in (ensemble, sklearn.ensemble)
    )
    mine, other = (
        partial_dependence(model, X, [0], method="recursion", grid_resolution=7)
        for model in (ours, theirs)
    )
    assert mine["average"].shape == other["average"].shape
    np.testing.assert_allclose(mine["average"], other["average"], atol=0.4)
    brute = partial_dependence(ours, X, [0], method="brute", grid_resolution=7)
    moved = mine["average"] - mine["average"].mean()
    assert np.corrcoef(moved.ravel(), brute["average"].ravel())[0, 1] > 0.9


def test_refitting_a_tree_on_the_rows_of_its_draw_gives_that_tree(table):
    X, y = table
    forest = ensemble.RandomForestRegressor(3, random_state=1, max_features=0.5)
    forest.fit(X, y)
    for single, rows in zip(forest, forest.estimators_samples_, strict=True):
        again = type(single)(**single.get_params()).fit(X[rows], y[rows])
        np.testing.assert_allclose(again.tree_.value, single.tree_.value)


def test_large_whole_weights_are_no_counts(table):
    X, y = table
    forest = ensemble.RandomForestRegressor(2, random_state=0)
    forest.fit(X, y, sample_weight=np.full(len(y), 1000.0))
    first, second = forest.estimators_samples_
    assert len(first) == len(second) == len(y)
    assert len(np.unique(first)) < 0.8 * len(y)


def test_kinship_holds_whichever_library_is_loaded_first():
    assert issubclass(DecisionTreeClassifier, sklearn.tree.DecisionTreeClassifier)
    script = (
        "import sys; from infimum.models.trees import DecisionTreeClassifier as Ours;"
        "assert 'sklearn.tree' not in sys.modules; import sklearn.tree;"
        "assert issubclass(Ours, sklearn.tree.DecisionTreeClassifier)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
