"""Trees of comparisons: nothing but "is x closer to a or b" is ever asked."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer, load_diabetes, make_moons
from sklearn.ensemble import RandomForestClassifier

from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles import (
    ComparisonForestClassifier,
    ComparisonForestRegressor,
)
from infimum.models.trees import (
    ComparisonTree,
    ComparisonTreeClassifier,
    ComparisonTreeRegressor,
)


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(300, noise=0.15, random_state=0)
    return X[:200], y[:200], X[200:], y[200:]


@pytest.mark.syllabus("S4A-181")
def test_an_oracle_that_only_compares_is_enough_and_is_asked_once_a_row(moons):
    X, y, queries, truth = moons
    asked = []

    def closer(x, a, b):
        asked.append(1)
        return np.sum((x - a) ** 2) < np.sum((x - b) ** 2)

    model = ComparisonTreeClassifier(closer, random_state=3).fit(X, y)
    assert len(asked) == model.n_comparisons_
    tree = model.trees_[0]
    # One question for each row of each cell that is cut: no cell above log n wide.
    sizes = np.bincount(tree.apply(len(X), comparer(X, X)))
    assert sizes.sum() == len(X)
    assert model.n_comparisons_ >= len(X)
    assert (model.predict(X) == y).all()  # cells are pure
    same = ComparisonTreeClassifier(random_state=3).fit(X, y)
    assert same.n_comparisons_ == model.n_comparisons_
    assert (same.predict(queries) == model.predict(queries)).all()
    assert np.mean(same.predict(queries) == truth) > 0.8


def comparer(queries, samples):
    D = cdist(queries, samples)
    return lambda rows, first, second: D[rows, first] < D[rows, second]


@pytest.mark.syllabus("S4A-181")
def test_rows_go_to_the_side_of_the_nearer_of_two_samples(moons):
    X, y, queries, _ = moons
    model = ComparisonTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    tree = model.trees_[0]
    a, b = tree.pivots[0]
    assert y[a] != y[b]
    near = cdist(queries, X[[a, b]])
    leaves = tree.apply(len(queries), comparer(queries, X))
    assert (leaves == np.where(near[:, 0] < near[:, 1], 1, 2)).all()
    left = cdist(X, X[[a]])[:, 0] < cdist(X, X[[b]])[:, 0]
    np.testing.assert_allclose(tree.value[1], np.bincount(y[left]) / left.sum())


@pytest.mark.syllabus("S4A-181")
@pytest.mark.parametrize("transform", [np.sqrt, np.square, lambda d: np.exp(5 * d)])
def test_only_the_order_of_distances_matters(transform, moons):
    X, y, queries, _ = moons
    plain = ComparisonForestClassifier(20, random_state=1).fit(X, y)
    given = ComparisonForestClassifier(20, metric="precomputed", random_state=1)
    given.fit(transform(cdist(X, X)), y)
    np.testing.assert_allclose(
        given.predict_proba(transform(cdist(queries, X))), plain.predict_proba(queries)
    )


@pytest.mark.syllabus("S4A-181")
def test_a_forest_of_comparisons_is_nearly_as_good_as_one_with_coordinates(moons):
    X, y, queries, truth = moons
    ours = ComparisonForestClassifier(50, random_state=0).fit(X, y)
    theirs = RandomForestClassifier(50, random_state=0).fit(X, y)
    assert ours.score(queries, truth) >= theirs.score(queries, truth) - 0.03
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = ComparisonForestClassifier(30, random_state=0).fit(X[::2], y[::2])
    assert ours.score(X[1::2], y[1::2]) > 0.93


def test_numbers_are_averaged_over_cells_and_trees():
    X, y = load_diabetes(return_X_y=True)
    model = ComparisonForestRegressor(30, random_state=0).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.35
    single = ComparisonTreeRegressor(random_state=0).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > single.score(X[300:], y[300:])
    everything = ComparisonTreeRegressor(leaf_size=300).fit(X[:300], y[:300])
    np.testing.assert_allclose(everything.predict(X[:3]), y[:300].mean())


def test_words_are_learnt_from_comparisons_of_their_beginnings():
    def closer(x, a, b):
        def shared(word):
            return next(
                (k for k, (p, q) in enumerate(zip(x, word, strict=False)) if p != q),
                min(len(x), len(word)),
            )

        return shared(a) > shared(b)

    words = ["unhappy", "unclear", "unable", "rerun", "redo", "rewrite"]
    model = ComparisonForestClassifier(25, metric=closer, random_state=0)
    model.fit(words, ["no"] * 3 + ["again"] * 3)
    assert model.predict(["unlike", "reread"]).tolist() == ["no", "again"]


def test_equal_samples_with_different_targets_end_in_one_cell():
    X, y = np.zeros((6, 2)), [0, 1, 0, 1, 0, 1]
    model = ComparisonTreeClassifier(random_state=0).fit(X, y)
    assert model.trees_[0].n_leaves == 1
    np.testing.assert_allclose(model.predict_proba(X), 0.5)
    assert ComparisonTreeClassifier().fit(X[:1], ["a"]).predict(X).tolist() == ["a"] * 6


def test_what_cannot_be_compared_is_refused_in_one_sentence(moons):
    X, y, _, _ = moons
    with pytest.raises(InvalidParameterError, match="metric must be one of"):
        ComparisonTreeClassifier("cosine").fit(X, y)
    with pytest.raises(DataError, match="must be square, got 200 × 2"):
        ComparisonTreeClassifier("precomputed").fit(X, y)
    with pytest.raises(DataError, match="needs samples"):
        ComparisonTreeClassifier(lambda *_: True).fit([], [])
    with pytest.raises(DataError, match="children must come after"):
        ComparisonTree(
            np.array([[0, 1]]), np.array([0]), np.array([0]), np.ones((1, 1))
        )
