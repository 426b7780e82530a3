"""The kinds of explanation: mechanism, example, features, what-if, and local models."""

import numpy as np
import polars as pl
import pytest
from sklearn.tree import DecisionTreeClassifier

from infimum.errors import DataError
from infimum.explanation import (
    counterfactual,
    global_relevance,
    grid_segments,
    local_surrogate,
    neighbor_votes,
    segment_relevance,
    similar_rows,
    tree_questions,
)
from infimum.models.kernel import KernelRidge
from infimum.models.linear import LogisticRegression
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.trees import Tree


@pytest.fixture
def credit(rng):
    X = rng.standard_normal((120, 3))
    return X, (X @ [2.0, -1.0, 0.0] > 0).astype(int)


@pytest.mark.syllabus("S4B-152")
def test_one_decision_is_explained_in_all_five_ways(credit):
    X, y = credit
    model, row = LogisticRegression().fit(X, y), 5
    by_mechanism = neighbor_votes(KNeighborsClassifier(5).fit(X, y), X[[row]], y)
    assert by_mechanism.rows.shape == (1, 5)
    by_example = similar_rows(model, X, row)
    assert model.predict(X)[by_example.rows[0]] == model.predict(X)[row]
    by_features = global_relevance(model, X)
    assert by_features.ranked()[0] == 0
    by_counterfactual = counterfactual(model, X, row)
    assert by_counterfactual.after != by_counterfactual.before
    by_surrogate = local_surrogate(model.decision_function, X[row])
    assert by_surrogate.prominent(1)[0] == 0


@pytest.mark.syllabus("S4B-153")
def test_nearest_neighbours_explain_themselves_by_their_voters(credit):
    X, y = credit
    model = KNeighborsClassifier(7).fit(X, y)
    votes = neighbor_votes(model, X[:10], y)
    for row in range(10):
        order = np.argsort(np.linalg.norm(X - X[row], axis=1), kind="stable")[:7]
        assert set(votes.rows[row]) == set(order)
        labels, counts = np.unique(votes.labels[row], return_counts=True)
        assert labels[counts.argmax()] == model.predict(X[[row]])[0]
    with pytest.raises(TypeError, match="kneighbors"):
        neighbor_votes(LogisticRegression().fit(X, y), X, y)


@pytest.mark.syllabus("S4B-153")
def test_a_tree_explains_itself_by_the_questions_it_asked(credit):
    X, y = credit
    grown = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y).tree_
    tree = Tree.of(
        feature=np.where(grown.feature < 0, -1, grown.feature),
        threshold=grown.threshold,
        left=grown.children_left,
        right=grown.children_right,
        value=grown.value[:, 0],
    )
    path = grown.decision_path(X.astype(np.float32))
    for row in range(20):
        asked = tree_questions(tree, X[row], ["income", "debts", "age"])
        nodes = path[row].indices
        assert len(asked) == len(nodes) - 1
        for question, node in zip(asked, nodes[:-1], strict=True):
            assert question.threshold == grown.threshold[node]
            told = X[row, grown.feature[node]]
            assert question.value == told
            assert question.relation == ("<=" if told <= question.threshold else ">")
            assert question.sentence.split(" ")[0] in {"income", "debts", "age"}
    with pytest.raises(TypeError, match="asks no questions"):
        tree_questions(LogisticRegression().fit(X, y), X[0])


def test_questions_about_categories_and_missing_values_are_told_apart():
    tree = Tree.of(
        feature=[0, -1, 1, -1, -1],
        threshold=[0.0, 0.0, 1.5, 0.0, 0.0],
        left=[1, -1, 3, -1, -1],
        right=[2, -1, 4, -1, -1],
        value=[[0.0]] * 5,
        category_start=[0, -1, -1, -1, -1],
        category_words=[1, 0b101],
    )
    inside = tree_questions(tree, [2.0, 9.0])
    assert [question.relation for question in inside] == ["in"]
    assert "one of those" in inside[0].sentence
    outside = tree_questions(tree, [1.0, np.nan])
    assert [question.relation for question in outside] == ["not in", "is missing"]
    assert outside[1].sentence == "x1 is missing"


@pytest.mark.syllabus("S4B-154")
def test_the_example_is_the_nearest_row_with_the_same_decision(credit):
    X, y = credit
    model = LogisticRegression().fit(X, y)
    said, scaled = model.predict(X), X / X.std(axis=0)
    for row in (0, 17, 60):
        found = similar_rows(model, X, row, most=2)
        distances = np.linalg.norm(scaled - scaled[row], axis=1)
        distances[(said != said[row]) | (np.arange(120) == row)] = np.inf
        np.testing.assert_array_equal(found.rows, np.argsort(distances)[:2])
        np.testing.assert_allclose(found.distances, np.sort(distances)[:2])
    with pytest.raises(DataError, match="row must be"):
        similar_rows(model, X, 120)


def test_examples_are_found_in_tables_of_words_and_gaps():
    frame = pl.DataFrame({"job": ["a", "a", "b", "a"], "age": [30.0, None, 31.0, 50.0]})

    class Same:
        def predict(self, X):
            return np.zeros(len(X))

    found = similar_rows(Same(), frame, 0, most=3)
    assert found.rows[-1] == 3
    assert found.distances[1] == pytest.approx(1.0, abs=0.2)


@pytest.mark.syllabus("S4B-157")
def test_a_local_model_of_a_linear_one_has_its_weights(rng):
    weights = np.array([3.0, -2.0, 0.0, 0.5])
    x = rng.standard_normal(4)
    found = local_surrogate(lambda X: X @ weights + 7, x, width=2.0, samples=100)
    np.testing.assert_allclose(found.weights, weights, atol=1e-9)
    assert found.intercept == pytest.approx(7.0)
    assert found.fidelity == pytest.approx(1.0)
    np.testing.assert_array_equal(found.prominent(2), [0, 1])
    jagged = local_surrogate(lambda X: np.sign(X[:, 0]), np.zeros(4), width=1.0)
    assert jagged.prominent(1)[0] == 0
    assert jagged.fidelity < 0.95
    again = local_surrogate(lambda X: np.sign(X[:, 0]), np.zeros(4), width=1.0)
    np.testing.assert_array_equal(jagged.weights, again.weights)
    with pytest.raises(DataError, match="width"):
        local_surrogate(lambda X: X[:, 0], x, width=0.0)


@pytest.mark.syllabus("S4B-158")
def test_near_a_point_the_local_weights_are_the_gradient(rng):
    X = rng.standard_normal((40, 5))
    model = KernelRidge(kernel="rbf", gamma=0.3, alpha=0.1)
    model.fit(X, np.sin(X[:, 0]) + X[:, 1] ** 2)
    point = X[3] + 0.1
    weights = np.ravel(model.dual_coef_) * np.exp(-0.3 * ((X - point) ** 2).sum(1))
    gradient = 2 * 0.3 * weights @ (X - point)
    angles = []
    for width in (1.0, 0.3, 0.03):
        found = local_surrogate(model.predict, point, width=width, samples=4000).weights
        angles.append(
            found @ gradient / np.linalg.norm(found) / np.linalg.norm(gradient)
        )
    assert angles[0] < angles[1] < angles[2]
    assert angles[2] > 0.9999
    np.testing.assert_allclose(found, gradient, rtol=0.02, atol=0.01)


@pytest.mark.syllabus("S4B-159")
@pytest.mark.parametrize("channels", [(), (3,)], ids=["grey", "colour"])
def test_the_patch_that_decides_about_an_image_is_found(channels, rng):
    image = rng.uniform(size=(12, 16, *channels))
    segments = grid_segments((12, 16), 4)
    assert segments.max() == 11
    here = segments == 6
    pattern = rng.standard_normal(image[here].shape)
    pattern -= pattern.mean(axis=0)
    image[here] += pattern

    def answer(images):
        return (images[:, here] * pattern).reshape(len(images), -1).sum(axis=1)

    relevance = segment_relevance(answer, image, segments, strength=0.01)
    assert np.argmax(relevance) == 6
    others = np.delete(relevance, 6)
    assert np.abs(others).max() < 0.01 * relevance[6]
    with pytest.raises(DataError, match="do not cover"):
        segment_relevance(answer, image, segments[:3])
