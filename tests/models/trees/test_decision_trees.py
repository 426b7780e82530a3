"""Single trees: the same as scikit-learn's where no ties leave a choice."""

import numpy as np
import pytest
from sklearn import tree as reference
from sklearn.datasets import load_diabetes, load_iris

from infimum.errors import DataError, InvalidParameterError
from infimum.models.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
    export_text,
    plot_tree,
)

X_DIABETES, Y_DIABETES = load_diabetes(return_X_y=True)


@pytest.fixture
def smooth():
    """Return data whose splits have no ties."""
    generator = np.random.default_rng(3)
    X = generator.normal(size=(400, 5)).astype(np.float32).astype(np.float64)
    return X, X[:, 0] * X[:, 1] + 0.3 * generator.normal(size=400)


def same_tree(ours, theirs):
    mine, other = ours.tree_, theirs.tree_
    inner = other.children_left >= 0
    assert np.array_equal(mine.left, other.children_left)
    assert np.array_equal(mine.feature[inner], other.feature[inner])
    np.testing.assert_allclose(mine.threshold[inner], other.threshold[inner])
    np.testing.assert_allclose(mine.impurity, other.impurity, atol=1e-10)
    np.testing.assert_allclose(mine.weight, other.weighted_n_node_samples)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_regression_trees_are_scikit_learns(smooth, criterion):
    X, y = smooth
    y = y - y.min() if criterion == "poisson" else y
    settings = {"criterion": criterion, "max_depth": 4, "min_samples_leaf": 7}
    ours = DecisionTreeRegressor(**settings).fit(X, y)
    theirs = reference.DecisionTreeRegressor(random_state=0, **settings).fit(X, y)
    same_tree(ours, theirs)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_classification_trees_are_scikit_learns(smooth, criterion):
    X, y = smooth
    labels = np.digitize(y, [-0.5, 0.5])
    settings = {"criterion": criterion, "max_depth": 3}
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    for target in (labels, labels == 1):
        ours = DecisionTreeClassifier(**settings).fit(X, target, weight)
        theirs = reference.DecisionTreeClassifier(random_state=0, **settings)
        same_tree(ours, theirs.fit(X, target, weight))
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize(
    "settings",
    [
        {"max_leaf_nodes": 12},
        {"ccp_alpha": 50.0},
        {"min_impurity_decrease": 40.0},
        {"min_weight_fraction_leaf": 0.05},
        {"monotonic_cst": [0, 0, 1, 1, 0, 0, 0, 0, -1, 0], "max_depth": 5},
    ],
    ids=str,
)
def test_rules_mean_what_they_mean_in_scikit_learn(settings):
    ours = DecisionTreeRegressor(**settings).fit(X_DIABETES, Y_DIABETES)
    theirs = reference.DecisionTreeRegressor(random_state=0, **settings)
    theirs.fit(X_DIABETES, Y_DIABETES)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.predict(X_DIABETES), theirs.predict(X_DIABETES))


def test_what_is_missing_goes_where_it_fits_best():
    holes = np.random.default_rng(0).random(X_DIABETES.shape) < 0.2
    X = np.where(holes, np.nan, X_DIABETES)
    ours = DecisionTreeRegressor(max_depth=5).fit(X, Y_DIABETES)
    theirs = reference.DecisionTreeRegressor(max_depth=5, random_state=0)
    theirs.fit(X, Y_DIABETES)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    only = DecisionTreeClassifier().fit([[np.nan], [1.0], [2.0]], [0, 1, 1])
    assert only.predict([[np.nan], [5.0]]).tolist() == [0, 1]


def test_the_pruning_path_is_scikit_learns():
    ours = DecisionTreeRegressor(max_depth=6)
    theirs = reference.DecisionTreeRegressor(max_depth=6, random_state=0)
    mine = ours.cost_complexity_pruning_path(X_DIABETES, Y_DIABETES)
    other = theirs.cost_complexity_pruning_path(X_DIABETES, Y_DIABETES)
    np.testing.assert_allclose(mine.ccp_alphas, other.ccp_alphas, atol=1e-9)
    np.testing.assert_allclose(mine.impurities, other.impurities, atol=1e-9)
    assert not hasattr(ours, "tree_")


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(),
        DecisionTreeClassifier(criterion="misclassification", max_depth=4),
        DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=6),
        ExtraTreeClassifier(random_state=0),
        DecisionTreeRegressor(criterion="quantile", quantile=0.8, max_depth=3),
        ExtraTreeRegressor(random_state=0),
    ],
    ids=str,
)
def test_a_weight_is_a_repetition(model):
    generator = np.random.default_rng(5)
    X = generator.integers(0, 6, size=(80, 4)).astype(float)
    y = (X[:, 0] + generator.integers(0, 4, 80)) // 3
    weight = generator.integers(0, 4, 80)
    weighted = model.fit(X, y, weight).predict(X)
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert np.array_equal(weighted, repeated.predict(X))


def test_sets_of_categories_are_the_best_of_all():
    generator = np.random.default_rng(1)
    X = generator.integers(0, 6, size=(60, 1)).astype(float)
    y = generator.normal(size=6)[X[:, 0].astype(int)] + 0.2 * generator.normal(size=60)
    model = DecisionTreeRegressor(max_depth=1, categorical_features=[0]).fit(X, y)
    found = ((model.predict(X) - y) ** 2).sum()
    errors = []
    for code in range(1, 2**6 - 1):
        left = (code >> X[:, 0].astype(int)) & 1 == 1
        if left.any() and not left.all():
            sides = y[left], y[~left]
            errors.append(sum(((side - side.mean()) ** 2).sum() for side in sides))
    assert found == pytest.approx(min(errors))
    missing = np.where(X == 2, np.nan, X)
    again = DecisionTreeRegressor(max_depth=1, categorical_features=[0])
    told = again.fit(missing, y).predict(missing)
    assert ((told - y) ** 2).sum() == pytest.approx(found)
    assert np.isfinite(again.predict([[7.0], [np.nan], [-1.0]])).all()


def test_features_meet_only_within_their_groups(smooth):
    X, y = smooth
    y = y + X[:, 2] * X[:, 3]
    model = DecisionTreeRegressor(max_depth=6, interaction_cst=[{0, 1}, {2, 3}])
    tree = model.fit(X, y).tree_
    groups = {0: {0, 1}, 1: {0, 1}, 2: {2, 3}, 3: {2, 3}, 4: {4}}
    for node in range(1, tree.n_nodes):
        above, asked = tree.parent[node], tree.feature[node]
        if asked >= 0:
            assert asked in groups[int(tree.feature[above])]


def test_several_outputs_are_told_at_once(smooth):
    X, y = smooth
    Y = np.column_stack([y, X[:, 2]])
    ours = DecisionTreeRegressor(max_depth=4).fit(X, Y)
    theirs = reference.DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    labels = np.column_stack([y > 0, np.digitize(X[:, 2], [-1, 1])])
    mine = DecisionTreeClassifier(max_depth=4).fit(X, labels)
    other = reference.DecisionTreeClassifier(max_depth=4, random_state=0)
    other.fit(X, labels)
    for ours_, theirs_ in zip(mine.predict_proba(X), other.predict_proba(X)):  # noqa: B905
        np.testing.assert_allclose(ours_, theirs_)


def test_bad_tables_get_an_answer_or_one_sentence():
    assert DecisionTreeClassifier().fit([[1.0]], ["a"]).predict([[5.0]]) == ["a"]
    constant = DecisionTreeRegressor().fit(np.ones((5, 2)), np.arange(5.0))
    assert constant.predict([[1.0, 1.0]]).tolist() == [2.0]
    empty = DecisionTreeClassifier().fit([[np.nan, 0.0], [np.nan, 1.0]], [0, 1])
    assert empty.predict([[np.nan, 1.0], [3.0, 0.0]]).tolist() == [1, 0]
    many = np.arange(1_000_000.0)[:, None]
    with pytest.raises(DataError, match="category 999999"):
        DecisionTreeRegressor(categorical_features=[0]).fit(many, many[:, 0])
    with pytest.raises(DataError, match="whole numbers"):
        DecisionTreeRegressor(categorical_features=[0]).fit([[0.5], [1.0]], [0, 1])
    with pytest.raises(InvalidParameterError, match="criterion"):
        DecisionTreeRegressor(criterion="gini").fit([[0.5], [1.0]], [0, 1])
    with pytest.raises(DataError, match="poisson"):
        DecisionTreeRegressor(criterion="poisson").fit([[0.5], [1.0]], [-1, 1])


def test_the_text_and_the_picture_show_the_questions():
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    text = export_text(model, feature_names=["a", "b", "width", "length"])
    assert len(text.splitlines()) == model.tree_.n_nodes
    assert "<= " in text
    figure = plot_tree(model)
    assert len(figure.data[-1].text) == model.tree_.n_nodes
    assert figure.data[-1].text[0].startswith("feature_")
