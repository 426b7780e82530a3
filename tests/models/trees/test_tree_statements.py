"""What the lectures say about trees and forests, as it runs."""

import numpy as np
import pytest
from sklearn import tree as reference
from sklearn.neighbors import KNeighborsRegressor

from infimum.models.ensembles import RandomForestClassifier, RandomForestRegressor
from infimum.models.linear import LinearRegression
from infimum.models.trees import DecisionTreeClassifier, DecisionTreeRegressor


def split_error(x, y, threshold):
    """Return Σ(Y_A - Y_i)² over both sides of a threshold."""
    sides = y[x <= threshold], y[x > threshold]
    return sum(((side - side.mean()) ** 2).sum() for side in sides)


@pytest.fixture
def surface():
    generator = np.random.default_rng(0)
    X = generator.uniform(size=(300, 3))
    return X, np.sin(6.0 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * generator.normal(size=300)


@pytest.mark.syllabus("S4A-173")
def test_a_tree_cuts_cells_parallel_to_the_axes_and_tells_their_mean(surface):
    X, y = surface
    model = DecisionTreeRegressor(max_depth=4).fit(X, y)
    theirs = reference.DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y)
    assert np.array_equal(model.tree_.left, theirs.tree_.children_left)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X))
    leaves = model.apply(X)
    for leaf in np.unique(leaves):
        assert model.predict(X[leaves == leaf]) == pytest.approx(
            y[leaves == leaf].mean()
        )
    labels = y > 1.0
    votes = DecisionTreeClassifier(max_depth=3).fit(X, labels)
    leaves = votes.apply(X)
    for leaf in np.unique(leaves):
        majority = labels[leaves == leaf].mean() > 0.5
        assert (votes.predict(X[leaves == leaf]) == majority).all()


@pytest.mark.syllabus("S4A-174")
def test_the_scan_finds_the_split_with_the_smallest_error_of_all(surface):
    X, y = surface
    stump = DecisionTreeRegressor(max_depth=1).fit(X, y)
    tree, found = stump.tree_, []
    for f in range(3):
        values = np.unique(X[:, f])
        found += [
            split_error(X[:, f], y, cut) for cut in (values[1:] + values[:-1]) / 2.0
        ]
    error = split_error(X[:, tree.feature[0]], y, tree.threshold[0])
    assert error == pytest.approx(min(found))
    # The error is what the variances of the two sides weigh.
    assert error == pytest.approx((tree.impurity[1:] * tree.rows[1:]).sum())


@pytest.mark.syllabus("S4A-175")
def test_six_points_are_told_five_and_seven_thirds():
    X = np.arange(6.0)[:, None]
    y = np.array([1.0, 1.0, 3.0, 1.0, 1.0, 5.0])
    means = [y[:3].mean(), y[3:].mean()]
    assert means == pytest.approx([5 / 3, 7 / 3])
    assert split_error(X[:, 0], y, 2.5) == pytest.approx(40 / 3)
    forced = DecisionTreeRegressor(max_depth=1, min_samples_leaf=3).fit(X, y)
    assert forced.predict([[0.0], [5.0]]) == pytest.approx(means)
    # Another cut is better: the tree takes it as soon as it may.
    free = DecisionTreeRegressor(max_depth=1).fit(X, y)
    assert split_error(X[:, 0], y, free.tree_.threshold[0]) < 40 / 3


@pytest.mark.syllabus("S4A-176")
def test_leaves_have_log_n_points_or_one(surface):
    X, y = surface
    shallow = DecisionTreeRegressor(min_samples_leaf="log")
    noisy = y + 0.5 * np.random.default_rng(2).normal(size=len(y))
    shallow.fit(X, noisy)
    deep = DecisionTreeRegressor(min_samples_leaf=1).fit(X, noisy)
    leaf = shallow.tree_.feature < 0
    assert shallow.tree_.rows[leaf].min() >= np.log(len(y))
    assert deep.get_n_leaves() == len(y)
    assert deep.score(X, noisy) == pytest.approx(1.0)
    fresh = np.random.default_rng(1).uniform(size=(2000, 3))
    truth = np.sin(6.0 * fresh[:, 0]) + fresh[:, 1] ** 2
    assert shallow.score(fresh, truth) > deep.score(fresh, truth)


@pytest.mark.syllabus("S4A-178")
def test_a_forest_is_the_mean_of_trees_on_bootstrap_samples(surface):
    X, y = surface
    one = RandomForestRegressor(1, bootstrap=False, max_features=None).fit(X, y)
    single = DecisionTreeRegressor().fit(X, y)
    np.testing.assert_allclose(one.predict(X), single.predict(X))
    forest = RandomForestRegressor(30, max_features=1, random_state=0).fit(X, y)
    told = [tree.predict(X) for tree in forest.estimators_]
    np.testing.assert_allclose(forest.predict(X), np.mean(told, axis=0))
    # A bootstrap sample holds a share of 1 - 1/e of the rows, and m is drawn anew at
    # every node: more than one feature is asked for by each tree.
    seen = [tree.rows[0] / len(y) for tree in forest.trees_]
    assert np.mean(seen) == pytest.approx(1.0 - np.exp(-1.0), abs=0.02)
    asked = [set(tree.feature[tree.feature >= 0].tolist()) for tree in forest.trees_]
    assert all(len(features) > 1 for features in asked)
    hard = RandomForestClassifier(30, random_state=0).fit(X, y > 1.0)
    votes = np.mean([tree.predict(X) for tree in hard.estimators_], axis=0) > 0.5
    assert np.mean(votes == hard.predict(X)) > 0.97


@pytest.mark.syllabus("S4A-179")
def test_forests_hardly_mind_their_parameters_but_bad_ones_exist(surface):
    X, y = surface
    fresh = np.random.default_rng(1).uniform(size=(1000, 3))
    truth = np.sin(6.0 * fresh[:, 0]) + fresh[:, 1] ** 2

    def score(**settings):
        forest = RandomForestRegressor(60, random_state=0, **settings)
        return forest.fit(X, y).score(fresh, truth)

    usual = [
        score(max_features=m, min_samples_leaf=leaf, bootstrap=bootstrap)
        for m in (1 / 3, 2 / 3)
        for leaf in (1, "log")
        for bootstrap in (True, False)
    ]
    assert max(usual) - min(usual) < 0.1
    assert score(max_samples=2) < min(usual) - 0.2
    few = RandomForestRegressor(2, random_state=0, max_features=1 / 3).fit(X, y)
    assert few.score(fresh, truth) < max(usual)


@pytest.mark.syllabus("S4A-180")
def test_cells_shrink_while_their_points_multiply_and_the_error_falls():
    generator = np.random.default_rng(0)
    fresh = generator.uniform(size=(2000, 1))
    truth = np.sin(6.0 * fresh[:, 0])
    widths, counts, errors, alone = [], [], [], []
    for n in (100, 1000, 10_000):
        X = generator.uniform(size=(n, 1))
        y = np.sin(6.0 * X[:, 0]) + 0.5 * generator.normal(size=n)
        size = int(np.ceil(np.sqrt(n)))
        model = DecisionTreeRegressor(min_samples_leaf=size).fit(X, y)
        leaves = model.apply(X)
        spans = [np.ptp(X[leaves == leaf, 0]) for leaf in np.unique(leaves)]
        widths.append(max(spans))
        counts.append(model.tree_.rows[model.tree_.feature < 0].min())
        forest = RandomForestRegressor(10, min_samples_leaf=size, random_state=0)
        errors.append(np.mean((forest.fit(X, y).predict(fresh) - truth) ** 2))
        deep = DecisionTreeRegressor().fit(X, y)
        alone.append(np.mean((deep.predict(fresh) - truth) ** 2))
    assert widths[0] > widths[1] > widths[2]
    assert counts[0] < counts[1] < counts[2]
    assert errors[0] > errors[1] > errors[2]
    # A tree with one point to a cell keeps the variance of the noise.
    assert alone[2] > 0.8 * 0.5**2 > 10.0 * errors[2]


@pytest.mark.syllabus("S4A-182")
def test_a_forest_out_of_the_box_is_a_baseline_hard_to_beat(surface):
    X, y = surface
    fresh = np.random.default_rng(1).uniform(size=(1000, 3))
    truth = np.sin(6.0 * fresh[:, 0]) + fresh[:, 1] ** 2
    forest = RandomForestRegressor(60, random_state=0).fit(X, y).score(fresh, truth)
    assert forest > LinearRegression().fit(X, y).score(fresh, truth) + 0.1
    assert forest > KNeighborsRegressor(5).fit(X, y).score(fresh, truth)
    assert forest > 0.9
