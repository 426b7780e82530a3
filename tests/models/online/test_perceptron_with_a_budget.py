"""A kernel perceptron that remembers few of its mistakes, and what that costs."""

import numpy as np
import pytest
from scipy import sparse

from infimum.certificates import budget_perceptron_bound
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import Gaussian
from infimum.models.kernel import KernelPerceptron
from infimum.models.online import BudgetPerceptron, predict_then_learn


def noisy_moons(rng, n):
    angle = rng.uniform(0, np.pi, n)
    y = rng.integers(2, size=n)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[y == 1] = [1.0, 0.4] - X[y == 1]
    return X + 0.25 * rng.normal(size=(n, 2)), y


def test_a_budget_that_is_never_reached_changes_nothing(rng):
    X, y = noisy_moons(rng, 120)
    model = BudgetPerceptron(budget=10_000, gamma=2.0, max_iter=3).fit(X, y)
    full = KernelPerceptron(gamma=2.0, fit_intercept=False, max_iter=3).fit(X, y)
    assert model.mistakes_[0] == len(full.updates_[0])
    np.testing.assert_allclose(
        model.decision_function(X), full.decision_function(X), atol=1e-10
    )
    assert model.harm_[0] == 0.0


def test_no_more_than_the_budget_is_remembered_and_most_is_still_right(rng):
    X, y = noisy_moons(rng, 1500)
    model = BudgetPerceptron(budget=60, gamma=2.0)
    score = predict_then_learn(model, X, y, batch=50)
    assert model.mistakes_[0] > 2 * 60
    assert model.supports_[0].shape == (60, 2)
    assert score.losses[-500:].mean() < 0.2


@pytest.mark.parametrize("noise", [0.0, 0.2, 0.5])
def test_mistakes_stay_below_the_bound_against_short_comparators(noise, rng):
    X, y = noisy_moons(rng, 1200)
    flipped = rng.uniform(size=len(y)) < noise
    signs = np.where(flipped, -1.0, 1.0) * (2 * y - 1)
    model = BudgetPerceptron(budget=90, gamma=1.0).partial_fit(X, signs, [-1, 1])
    gram = Gaussian(np.sqrt(0.5))(X)
    bounds = []
    for c in (signs, 2.0 * y - 1, rng.normal(size=len(y))):
        for length in (0.2, 0.6, 1.1):
            g = gram @ c * length / np.sqrt(c @ gram @ c)
            hinge = float(np.maximum(1.0 - signs * g, 0.0).sum())
            bounds.append(budget_perceptron_bound(90, length, hinge))
    assert model.mistakes_[0] > 0
    assert model.mistakes_[0] <= min(bounds) < np.inf
    assert 0.0 <= model.harm_[0] <= 15 / 32 * model.mistakes_[0] + 1e-9


def test_the_bound_is_silent_beyond_what_the_budget_can_follow():
    assert budget_perceptron_bound(82, 0.1) == np.inf
    assert budget_perceptron_bound(83, 1.2) == np.inf
    assert budget_perceptron_bound(83, 1.0, 3.0) == 14.0
    with pytest.raises(InvalidParameterError, match="budget"):
        budget_perceptron_bound(0, 1.0)


def test_sparse_rows_and_several_classes_give_the_same_answers(rng):
    X = rng.normal(size=(90, 4)) * (rng.uniform(size=(90, 4)) < 0.6)
    y = np.digitize(X @ rng.normal(size=4), [-0.5, 0.5])
    dense = BudgetPerceptron(20).fit(X, y)
    thin = BudgetPerceptron(20).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(
        thin.decision_function(X), dense.decision_function(sparse.csc_array(X))
    )
    assert dense.decision_function(X).shape == (90, 3)
    assert max(len(c) for c in dense.dual_coef_) <= 20


def test_a_smaller_budget_and_a_stranger_in_the_stream(rng):
    X, y = noisy_moons(rng, 300)
    model = BudgetPerceptron(50, gamma=2.0).fit(X, y)
    model.set_params(budget=10).partial_fit(X, y)
    assert len(model.dual_coef_[0]) == 10
    before = model.decision_function(X)
    with pytest.raises(DataError, match="knows the classes"):
        model.partial_fit(X[:2], [0, 7])
    with pytest.raises(InvalidParameterError, match="budget"):
        BudgetPerceptron(0).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), before)
