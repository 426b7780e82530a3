"""Large working sets solved all at once, and what happens when that goes wrong."""

import numpy as np
import pytest

from infimum.kernels import Gaussian
from infimum.models.kernel import SVC
from infimum.solvers.support_vectors import (
    _subproblem,
    _variable_selection,
    working_set_descent,
)
from infimum.solvers.support_vectors._box_quadratic import KEPT, ActiveSet


def quadratic(rng, n=60):
    """Return a matrix, a gradient, and a point of a box with some at their bounds."""
    root = rng.normal(size=(n, n))
    K = root @ root.T / n + 0.1 * np.eye(n)
    low, high = np.zeros(n), np.full(n, 1.0)
    point = np.clip(rng.uniform(-0.02, 1.0, size=n), low, high)
    return K, 0.05 * rng.normal(size=n), point, low, high


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("split", [60, 25])
def test_the_minimum_meets_the_conditions_of_optimality(kind, split, rng):
    K, gradient, point, low, high = quadratic(rng)
    found = ActiveSet(K.astype(kind), split).minimum(gradient, point, low, high)
    slopes = gradient + K @ (found - point)
    slack = 1e-4 if kind is np.float32 else 1e-10
    assert ((found >= low) & (found <= high)).all()
    at_bounds = 0
    for group in (slice(0, split), slice(split, None)):
        some, mine = found[group], slopes[group]
        if len(some):
            assert some.sum() == pytest.approx(point[group].sum(), abs=1e-12)
            rising, falling = mine[some < 1.0], mine[some > 0.0]
            assert falling.max() - rising.min() <= slack
            at_bounds += np.count_nonzero((some == 0.0) | (some == 1.0))
    assert at_bounds > 0


def test_a_matrix_without_a_factor_has_no_minimum(rng):
    K, gradient, point, low, high = quadratic(rng)
    assert ActiveSet(-K, 60).minimum(gradient, point, low, high) is None


def test_columns_of_the_inverse_are_kept_for_a_while_only(rng):
    K = quadratic(rng)[0]
    inverse, bounds = np.linalg.inv(K), ActiveSet(K.copy(), 60)
    for _ in range(20):
        held = rng.choice(60, size=8, replace=False)
        found = bounds._held_columns(held, 60)
        np.testing.assert_allclose(found, inverse[:, held], atol=1e-9)
        assert len(bounds._columns) <= KEPT * 60


def two_clouds(rng, n=900):
    X = rng.normal(size=(n, 5))
    return X, (X[:, 0] + 0.5 * np.sin(3 * X[:, 1]) + 0.3 * rng.normal(size=n)) > 0


@pytest.fixture
def leaps(monkeypatch):
    """Let small sets leap, and count how often they do."""
    monkeypatch.setattr(working_set_descent, "SMALL", 0)
    monkeypatch.setattr(_subproblem, "LARGE", 50)
    monkeypatch.setattr(_subproblem, "HASTE", 1)
    monkeypatch.setattr(_variable_selection, "MANY", 64)
    landed = []
    original = ActiveSet.minimum

    def counted(self, *given):
        found = original(self, *given)
        landed.append(found is not None)
        return found

    monkeypatch.setattr(ActiveSet, "minimum", counted)
    return landed


@pytest.mark.parametrize("tol", [1e-3, 1e-7])
def test_a_high_price_and_a_strict_tolerance_are_no_reason_to_creep(tol, leaps, rng):
    X, y = two_clouds(rng)
    model = SVC(C=1e3, gamma=0.2, tol=tol).fit(X, y)
    assert any(leaps)
    assert model.certificate_.closed
    assert model.n_iter_[0] < 60
    coefficients = np.zeros(len(X))
    coefficients[model.support_] = model.dual_coef_[0]
    assert coefficients.sum() == pytest.approx(0.0, abs=1e-8)
    assert np.abs(coefficients).max() <= 1e3
    by_hand = 0.5 * coefficients @ model.kernel_(X) @ coefficients
    by_hand -= np.abs(coefficients).sum()
    # The dual is lower by what rounding may have added.
    assert by_hand <= -model.certificate_.dual <= by_hand + 1e-7 * abs(by_hand)


def test_a_leap_led_astray_is_taken_back(leaps, rng, monkeypatch):
    X, y = two_clouds(rng)
    right = SVC(C=100.0, gamma=0.2).fit(X, y)
    assert any(leaps)
    wrong = []

    def astray(self, gradient, point, low, high):
        wrong.append(len(point))
        return _swapped(point, low, high)

    monkeypatch.setattr(ActiveSet, "minimum", astray)
    model = SVC(C=100.0, gamma=0.2).fit(X, y)
    assert len(wrong) >= 1
    assert model.certificate_.closed
    assert model.certificate_.dual == pytest.approx(right.certificate_.dual, rel=1e-3)


def _swapped(point, low, high):
    """Return a point of the box with the same sum that is no good."""
    moved = point.copy()
    first, last = np.argmax(high - point), np.argmax(point - low)
    step = min(high[first] - point[first], point[last] - low[last])
    moved[first] += step
    moved[last] -= step
    return moved


def test_rounding_of_single_precision_ends_its_stage_not_the_run(rng):
    X, y = two_clouds(rng)
    model = SVC(C=1e5, gamma=0.5, tol=1e-6).fit(X, y)
    assert model.certificate_.closed
    scores = Gaussian(1.0)(X, model.support_vectors_) @ model.dual_coef_[0]
    assert model.decision_function(X) == pytest.approx(
        scores + model.intercept_[0], rel=1e-6, abs=1e-6
    )
