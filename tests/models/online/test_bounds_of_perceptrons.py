"""Mistakes stay below the bounds of the text, on separable rows and on any others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infimum.certificates import (
    passive_aggressive_bound,
    perceptron_bound,
    winnow_bound,
)
from infimum.models.kernel import mistake_bound
from infimum.models.online import (
    MulticlassPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    Winnow,
)


def separable(rng, n=300, d=5, margin=0.1, offset=0.3):
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    X = rng.uniform(-1, 1, size=(n, d))
    score = X @ w + offset
    kept = np.abs(score) >= margin
    return X[kept], np.sign(score[kept]), w


@pytest.mark.syllabus("S0A-054", "S0A-057")
@pytest.mark.parametrize("seed", range(5))
def test_novikoffs_bound_with_a_bias_holds_on_rows_of_known_margin(seed):
    X, y, _ = separable(np.random.default_rng(seed))
    model = Perceptron(tol=None, max_iter=400, random_state=seed).fit(X, y)
    radius = np.linalg.norm(X, axis=1).max()
    bound = mistake_bound(radius, margin=0.1, offset=0.3)
    assert 0 < model.mistakes_[0] <= bound
    assert model.score(X, y) == 1.0
    more = Perceptron(tol=None, max_iter=500, random_state=seed).fit(X, y)
    assert more.mistakes_[0] == model.mistakes_[0]  # separated: no mistake after


@given(st.integers(0, 10**6), st.sampled_from([0.1, 1.0, 10.0]))
@settings(max_examples=25, deadline=None)
def test_no_comparator_makes_the_bounds_on_inseparable_rows_fail(seed, C):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 3)), rng.choice([-1.0, 1.0], size=60)
    u = rng.normal(size=3) * rng.choice([0.1, 1.0, 5.0])
    radius, length = np.linalg.norm(X, axis=1).max(), np.linalg.norm(u)
    hinge = np.maximum(1.0 - y * (X @ u), 0.0).sum()
    plain = Perceptron(fit_intercept=False).partial_fit(X, y, [-1, 1])
    assert plain.mistakes_[0] <= perceptron_bound(radius, length, hinge)
    passive = PassiveAggressiveClassifier(C=C, fit_intercept=False)
    mistakes = passive.partial_fit(X, y, [-1, 1]).mistakes_[0]
    assert mistakes <= passive_aggressive_bound(radius, length, C, hinge)


def test_a_perceptron_with_a_margin_ends_with_a_wider_one(rng):
    X, y, _ = separable(rng)
    widths = []
    for margin in (0.0, 3.0):
        model = Perceptron(margin=margin, tol=None, max_iter=300).fit(X, y)
        scores = y * model.decision_function(X) / np.linalg.norm(model.coef_)
        widths.append(scores.min())
    assert widths[1] > widths[0] > 0


def test_an_averaged_perceptron_is_the_mean_of_all_its_weights(rng):
    X, y = rng.normal(size=(50, 3)), rng.choice([0, 1, 2], size=50)
    for kind in (Perceptron, MulticlassPerceptron):
        plain, coefs = kind(), []
        for row, label in zip(X, y, strict=True):
            plain.learn_one(row, label, classes=[0, 1, 2])
            coefs.append(plain.coef_.copy())
        mean = kind(average=True).partial_fit(X, y, classes=[0, 1, 2])
        np.testing.assert_allclose(mean.coef_, np.mean(coefs, axis=0), atol=1e-12)


@pytest.mark.syllabus("S3-130")
def test_the_multiclass_perceptron_rewards_the_truth_and_punishes_the_winner(rng):
    X, y = rng.normal(size=(80, 4)), rng.integers(0, 3, size=80)
    model = MulticlassPerceptron(fit_intercept=False)
    weights, mistakes = np.zeros((3, 4)), 0
    for row, label in zip(X, y, strict=True):
        scores = weights @ row
        rivals = np.where(np.arange(3) == label, -np.inf, scores)
        winner = rivals.argmax() if rivals.max() >= scores[label] else label
        if winner != label:
            weights[label] += row
            weights[winner] -= row
            mistakes += 1
    model.partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_allclose(model.coef_, weights, atol=1e-12)
    assert model.mistakes_ == mistakes
    np.testing.assert_array_equal(model.predict(X), (X @ weights.T).argmax(axis=1))


@pytest.mark.syllabus("S3-128")
def test_one_against_all_takes_the_highest_of_the_binary_scores(rng):
    X = rng.normal(size=(90, 4))
    y = (X @ rng.normal(size=(4, 3))).argmax(axis=1)
    model = Perceptron(shuffle=False).fit(X, y)
    binary = [Perceptron(shuffle=False).fit(X, y == k) for k in range(3)]
    scores = np.column_stack([one.decision_function(X) for one in binary])
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))


@pytest.mark.parametrize("features", [16, 256])
def test_winnow_finds_a_disjunction_among_many_features(features, rng):
    learner = Winnow(features)
    X = (rng.uniform(size=(2000, features)) < 0.05).astype(float)
    y = X[:, :3].max(axis=1)
    learner.learn(X, y)
    assert 0 < learner.mistakes <= winnow_bound(features, 3)
    before = learner.mistakes
    assert learner.learn(X[:500], y[:500]).mistakes - before <= 3
