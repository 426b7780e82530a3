"""Laws that every loss of a whole vector of scores obeys."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.laws.parts import EVERY_VECTOR_LOSS, targets

every_loss = pytest.mark.parametrize("loss", EVERY_VECTOR_LOSS, ids=repr)
smooth_loss = pytest.mark.parametrize(
    "loss", [loss for loss in EVERY_VECTOR_LOSS if loss.smooth], ids=repr
)
loss_of_classes = pytest.mark.parametrize(
    "loss", [loss for loss in EVERY_VECTOR_LOSS if loss.target == "class"], ids=repr
)
SAMPLES = 40


@pytest.fixture
def drawn(loss, rng):
    """Return targets, scores and a direction."""
    shape = SAMPLES, loss.outputs
    f, u = rng.normal(size=(2, *shape))
    for k in loss.positive_scores:  # beyond them the value is infinite
        f[:, k], u[:, k] = 0.2 + np.abs(f[:, k]), 0.2 + np.abs(u[:, k])
    return targets(loss, SAMPLES, rng), 3 * f, u


@every_loss
def test_derivative_is_the_slope_of_the_value(loss, drawn):
    y, f, u = drawn
    rise = loss.value(y, f + 1e-5 * u) - loss.value(y, f - 1e-5 * u)
    slope = (loss.derivative(y, f) * u).sum(1)
    np.testing.assert_allclose(slope, rise / 2e-5, rtol=1e-6, atol=1e-7)


@smooth_loss
def test_curve_is_the_slope_of_the_derivative_and_below_the_curvature(loss, drawn):
    y, f, u = drawn
    rise = loss.derivative(y, f + 1e-5 * u) - loss.derivative(y, f - 1e-5 * u)
    curve = loss.curve(y, f, u)
    np.testing.assert_allclose(curve, rise / 2e-5, rtol=1e-5, atol=1e-7)
    along, length = (curve * u).sum(1), (u * u).sum(1)
    assert np.all(along >= -1e-12)
    assert np.all(along <= loss.curvature * length + 1e-12)


@every_loss
def test_tangents_lie_below_the_value_and_curvature_above(loss, drawn):
    y, f, u = drawn
    tangent = loss.value(y, f) + (loss.derivative(y, f) * u).sum(1)
    there = loss.value(y, f + u)
    assert np.all(tangent - 1e-12 <= there)
    bowl = tangent + 0.5 * loss.curvature * (u * u).sum(1)
    assert np.all(there <= bowl + 1e-12)


@every_loss
def test_fenchel_young_holds_with_equality_at_the_slope(loss, drawn):
    y, f, u = drawn
    s = loss.derivative(y, f)
    both = loss.value(y, f) + loss.conjugate(y, s)
    np.testing.assert_allclose(both, (s * f).sum(1), atol=1e-12)
    elsewhere = loss.value(y, u) + loss.conjugate(y, s)
    assert np.all(elsewhere >= (s * u).sum(1) - 1e-12)


@loss_of_classes
def test_the_conjugate_is_infinite_beyond_the_slack_and_off_the_plane(loss, drawn):
    y, f, _ = drawn
    s = loss.derivative(y, f)
    slack = loss.slack(y, s)
    assert np.all(slack >= 0.0)
    left = np.zeros(SAMPLES, dtype=bool)
    units = np.eye(loss.outputs)
    for a, b in permutations(range(loss.outputs), 2):
        turn = units[b] - units[a]
        inside = s + slack[:, None] * turn
        assert np.all(np.isfinite(loss.conjugate(y, inside)))
        left |= np.isinf(loss.conjugate(y, inside + 1e-6 * turn))
        assert np.all(np.isinf(loss.conjugate(y, s + 1e-6 * units[a])))
    assert left.all()  # in some direction the slack is all there is


@every_loss
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_the_best_constant_minimises_the_total_loss(loss, weighted, rng):
    y = targets(loss, 200, rng)
    weights = rng.uniform(0.1, 2.0, size=200) if weighted else None
    q = np.ones(200) if weights is None else weights

    def total(scores):
        return float(q @ loss.value(y, np.tile(scores, (200, 1))))

    best = loss.best_constant(y, weights)
    # Where the value may be infinite only a method without slopes gets along.
    method = "Nelder-Mead" if loss.positive_scores else "BFGS"
    stranger = minimize(total, np.ones(loss.outputs), method=method, tol=1e-10)
    assert total(best) <= stranger.fun + 1e-9 * abs(stranger.fun)


@loss_of_classes
def test_a_class_never_seen_keeps_the_best_constant_finite(loss):
    y = np.zeros(4)
    best = loss.best_constant(y)
    assert np.all(np.isfinite(best))
    assert loss.value(y, np.tile(best, (4, 1)))[0] < 1e-6
