"""Shapley values of trees are those of the definition, and add up to the prediction."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest

from infimum.errors import DataError, IncompatibleError
from infimum.models.ensembles import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from infimum.models.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    Tree,
    shapley_values,
)


def table(rng, n=300, d=4):
    X = rng.normal(size=(n, d))
    X[rng.random((n, d)) < 0.1] = np.nan
    X[:, 3] = rng.integers(0, 6, size=n)
    y = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1]) + (X[:, 3] % 2) + X[:, 3]
    return X, y + 0.1 * rng.normal(size=n)


def boosted(rng, **more):
    X, y = table(rng)
    model = HistGradientBoostingRegressor(
        max_iter=4, max_leaf_nodes=8, categorical_features=[3], **more
    )
    return model.fit(X, y), X


def by_definition(worth, d):
    """Sum over all coalitions: the textbook's formula."""
    phi = np.zeros(d)
    for i in range(d):
        rest = [j for j in range(d) if j != i]
        for size in range(d):
            weight = factorial(size) * factorial(d - size - 1) / factorial(d)
            for some in combinations(rest, size):
                phi[i] += weight * (worth({*some, i}) - worth(set(some)))
    return phi


def expected(tree, x, known, node=0):
    """Follow known features, and split by training weight at the others."""
    if tree.feature[node] < 0:
        return tree.value[node, 0]
    left, right = tree.left[node], tree.right[node]
    if tree.feature[node] in known:
        return expected(tree, x, known, left if goes_left(tree, x, node) else right)
    share = tree.weight[left] / tree.weight[node]
    one, other = (expected(tree, x, known, child) for child in (left, right))
    return share * one + (1 - share) * other


def goes_left(tree, x, node):
    value = x[tree.feature[node]]
    start = tree.category_start[node]
    if start >= 0:
        word = tree.category_words[start + 1 + int(value) // 32]
        return bool(word >> (int(value) % 32) & 1)
    return tree.missing_left[node] if np.isnan(value) else value <= tree.threshold[node]


def test_they_are_the_mean_over_all_coalitions(rng):
    model, X = boosted(rng)
    found = shapley_values(model, X[:5])
    trees = model.trees_.trees
    for x, phi in zip(X[:5], found.values, strict=True):
        right = by_definition(lambda S, x=x: sum(expected(t, x, S) for t in trees), 4)
        np.testing.assert_allclose(phi, right, atol=1e-12)


def test_against_a_background_features_are_exchanged(rng):
    model, X = boosted(rng)
    background = X[100:120]
    found = shapley_values(model, X[:4], background)

    def worth(x, known):
        mixed = background.copy()
        mixed[:, list(known)] = x[list(known)]
        return model.predict(mixed).mean()

    for x, phi in zip(X[:4], found.values, strict=True):
        right = by_definition(lambda S, x=x: worth(x, S), 4)
        np.testing.assert_allclose(phi, right, atol=1e-12)
    assert found.expectation[0] == pytest.approx(model.predict(background).mean())


@pytest.mark.parametrize("compared", [False, True])
def test_values_and_expectation_sum_to_the_score(compared, rng):
    model, X = boosted(rng, l2_regularization=0.5)
    found = shapley_values(model, X, X[:30] if compared else None)
    total = found.values.sum(axis=1) + found.expectation
    np.testing.assert_allclose(total, model.predict(X), atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_of_classes_are_explained_one_by_one(classes, rng):
    X, y = table(rng)
    labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    model = HistGradientBoostingClassifier(max_iter=5).fit(X, labels)
    found = shapley_values(model, X[:20])
    total = found.values.sum(axis=1) + found.expectation.squeeze()
    np.testing.assert_allclose(total, model.decision_function(X[:20]), atol=1e-9)


def test_trees_of_other_growers_are_explained(rng):
    X, y = table(rng)
    X = np.nan_to_num(X)
    numbers = DecisionTreeRegressor(max_depth=4).fit(X, y)
    labels = DecisionTreeClassifier(max_depth=4).fit(X, y > np.median(y))
    for background in (None, X[:10]):
        found = shapley_values(numbers, X[:20], background)
        total = found.values.sum(axis=1) + found.expectation
        np.testing.assert_allclose(total, numbers.predict(X[:20]), atol=1e-9)
        found = shapley_values(labels, X[:20], background)
        total = found.values.sum(axis=1) + found.expectation
        np.testing.assert_allclose(total, labels.predict_proba(X[:20]), atol=1e-9)


def test_weights_count_as_copies_in_the_expectation(rng):
    X, y = table(rng)
    counts = rng.integers(0, 3, size=len(y))
    some = {"max_iter": 3, "min_samples_leaf": 1, "max_leaf_nodes": 6}
    weighted = HistGradientBoostingRegressor(**some).fit(X, y, counts)
    repeated = HistGradientBoostingRegressor(**some).fit(
        np.repeat(X, counts, axis=0), np.repeat(y, counts)
    )
    one, other = shapley_values(weighted, X[:9]), shapley_values(repeated, X[:9])
    np.testing.assert_allclose(one.values, other.values, atol=1e-10)
    np.testing.assert_allclose(one.expectation, other.expectation, atol=1e-10)


def test_a_tree_without_a_question_owes_nothing():
    leaf = Tree.of([-1], [0.0], [-1], [-1], [[2.5]])
    found = shapley_values(leaf, np.zeros((2, 3)))
    np.testing.assert_array_equal(found.values, np.zeros((2, 3)))
    np.testing.assert_array_equal(found.expectation, [2.5])


def test_what_is_no_tree_or_too_narrow_is_refused(rng):
    model, X = boosted(rng)
    with pytest.raises(IncompatibleError, match="got dict"):
        shapley_values({}, X)
    with pytest.raises(DataError, match="a row to compare with, got 0"):
        shapley_values(model.trees_.trees, X, X[:0])
    with pytest.raises(DataError, match="ask for 4 features, got 1"):
        shapley_values(model.trees_.trees, X[:, :1])
