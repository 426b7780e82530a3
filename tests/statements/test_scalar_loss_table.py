"""The table of scalar losses: values, subgradients, slack programs, one interface."""

import numpy as np
import pytest
from scipy import sparse, special, stats
from scipy.optimize import linprog, minimize_scalar
from sklearn.metrics import mean_pinball_loss

from infimum import losses
from infimum.data.designs import as_design
from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Loss,
    Novelty,
    Poisson,
    Quantile,
    Squared,
)
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty, Ridge
from infimum.solvers import Bundle, InteriorPoint, choose

EVERY_LOSS = [
    getattr(losses, name)()
    for name in losses.__all__
    if isinstance(getattr(losses, name), type)
    and issubclass(getattr(losses, name), Loss)
    and name != "Loss"
]
CONVEX = [loss for loss in EVERY_LOSS if loss.convex]
every_loss = pytest.mark.parametrize("loss", EVERY_LOSS, ids=repr)


def truth(loss, n, rng):
    """Return n targets of the kind the loss reads."""
    kinds = {
        "real": rng.normal(size=n),
        "sign": rng.choice([-1.0, 1.0], size=n),
        "count": rng.poisson(2.0, size=n).astype(float),
        "positive": rng.gamma(2.0, size=n),
        "fraction": rng.uniform(size=n),
    }
    return kinds[loss.target]


def slope_by_difference(loss, y, f):
    return (loss.value(y, f + 1e-6) - loss.value(y, f - 1e-6)) / 2e-6


@pytest.mark.syllabus("S0B-236")
@pytest.mark.parametrize("loss", CONVEX, ids=repr)
def test_any_answer_of_the_interface_supports_the_loss_from_below(loss, rng):
    y, f, g = truth(loss, 300, rng), 2 * rng.normal(size=300), 2 * rng.normal(size=300)
    tangent = loss.value(y, f) + loss.derivative(y, f) * (g - f)
    assert np.all(loss.value(y, g) >= tangent - 1e-12)


@pytest.mark.syllabus("S0B-236")
def test_a_solver_that_knows_only_subgradients_agrees_with_one_that_knows_more(rng):
    X, y = rng.normal(size=(60, 3)), rng.choice([-1.0, 1.0], size=60)
    risk = LinearRisk(as_design(X), y, Hinge(), Ridge(0.1))
    assert Bundle(1e-8).solve(risk).certificate.primal == pytest.approx(
        InteriorPoint(1e-8).solve(risk).certificate.primal, rel=1e-7
    )


@pytest.mark.syllabus("S0B-237")
@pytest.mark.parametrize("loss", [Hinge(), Novelty(1.0), EpsilonInsensitive(1.0)])
def test_ties_of_a_maximum_always_get_the_same_subgradient(loss):
    kink = np.array([1.0, 1.0])
    y = np.array([1.0, 1.0]) if loss.target == "sign" else np.zeros(2)
    assert loss.derivative(y, kink).tolist() == [0.0, 0.0]  # the flat piece


def least_slack(cost, rows, limits):
    """Return the least cost·ξ over ξ >= 0 with rows·ξ >= limits."""
    return linprog(cost, A_ub=-np.array(rows), b_ub=-np.array(limits)).fun


@pytest.mark.syllabus("S0B-238")
@pytest.mark.parametrize("y, f", [(1.0, 0.3), (-1.0, 0.3), (1.0, 1.7), (-1.0, -2.5)])
def test_losses_are_the_least_slack_that_makes_a_sample_feasible(y, f):
    at = np.array([y]), np.array([f])
    assert least_slack([1], [[1]], [1 - y * f]) == pytest.approx(Hinge().value(*at)[0])
    assert least_slack([1], [[1]], [0.5 - f]) == pytest.approx(
        Novelty(0.5).value(*at)[0]
    )
    above_and_below = [[1, 0], [0, 1]], [f - y - 0.2, y - f - 0.2]
    assert least_slack([1, 1], *above_and_below) == pytest.approx(
        EpsilonInsensitive(0.2).value(*at)[0]
    )
    above_and_below = [[1, 0], [0, 1]], [f - y, y - f]
    assert least_slack([0.7, 0.3], *above_and_below) == pytest.approx(
        Quantile(0.3).value(*at)[0]
    )


@pytest.mark.syllabus("S0B-238")
@pytest.mark.parametrize("residual", [0.2, -0.9, 1.5, -4.0])
def test_huber_splits_the_residual_into_a_squared_and_a_linear_slack(residual):
    split = minimize_scalar(lambda u: 0.5 * u**2 + abs(residual - u), tol=1e-12)
    value = Huber(1.0).value(np.zeros(1), np.array([residual]))[0]
    assert value == pytest.approx(split.fun, abs=1e-8)


@pytest.mark.syllabus("S0B-239")
@every_loss
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_value_and_gradient_cost_two_products_whatever_the_layout(loss, form, rng):
    X, w = rng.normal(size=(40, 4)) * (rng.random((40, 4)) < 0.5), rng.normal(size=4)
    y = truth(loss, 40, rng)
    risk = LinearRisk(as_design(form(X)), y, loss, NoPenalty(), intercept=False)
    here = risk.evaluate(np.append(w, 0.0))
    total, gradient = 0.0, np.zeros(4)
    for row, target in zip(X, y, strict=True):
        at = np.array([target]), np.array([row @ w])
        total += loss.value(*at)[0] / 40  # the mean, not the sum
        gradient += loss.derivative(*at)[0] * row / 40
    assert here.empirical == pytest.approx(total)
    np.testing.assert_allclose(here.pulled_back, gradient, atol=1e-12)


@pytest.mark.syllabus("S0B-241")
def test_hinge_is_flat_beyond_the_margin_and_pulls_by_the_label_inside(rng):
    y, f = rng.choice([-1.0, 1.0], size=200), 2 * rng.normal(size=200)
    loss = Hinge()
    np.testing.assert_array_equal(loss.value(y, f), np.maximum(0.0, 1.0 - y * f))
    np.testing.assert_array_equal(loss.derivative(y, f), np.where(y * f >= 1, 0.0, -y))
    np.testing.assert_allclose(
        loss.derivative(y, f), slope_by_difference(loss, y, f), atol=1e-6
    )
    at_the_kink, g = loss.derivative(y, y), rng.normal(size=200)
    assert np.all(loss.value(y, g) >= loss.value(y, y) + at_the_kink * (g - y))


@pytest.mark.syllabus("S0B-242")
def test_logistic_slope_is_minus_y_over_one_plus_exp_of_plus_the_margin(rng):
    y, f = rng.choice([-1.0, 1.0], size=200), 3 * rng.normal(size=200)
    loss = Logistic()
    np.testing.assert_allclose(loss.value(y, f), np.logaddexp(0.0, -y * f))
    np.testing.assert_allclose(loss.derivative(y, f), -y / (1.0 + np.exp(y * f)))
    np.testing.assert_allclose(
        loss.derivative(y, f), slope_by_difference(loss, y, f), atol=1e-8
    )
    far = loss.value(np.ones(1), np.array([-1e4]))
    assert far[0] == 1e4  # no overflow


@pytest.mark.syllabus("S0B-243")
def test_novelty_pays_below_the_threshold_and_is_a_hinge_without_labels(rng):
    f, nothing = 2 * rng.normal(size=200), np.full(200, np.nan)
    loss = Novelty(rho=0.7)
    np.testing.assert_array_equal(loss.value(nothing, f), np.maximum(0.0, 0.7 - f))
    np.testing.assert_array_equal(
        loss.derivative(nothing, f), np.where(f >= 0.7, 0.0, -1.0)
    )
    one = np.ones(200)
    np.testing.assert_array_equal(Novelty(1.0).value(nothing, f), Hinge().value(one, f))


@pytest.mark.syllabus("S0B-243")
def test_novelty_detection_is_solved_with_a_proof(rng):
    X = rng.normal(loc=2.0, size=(80, 2))
    risk = LinearRisk(
        as_design(X), np.zeros(80), Novelty(1.0), Ridge(0.2), intercept=False
    )
    solution = choose(risk)(1e-8).solve(risk)
    assert solution.certified
    labelled = LinearRisk(
        as_design(X), np.ones(80), Hinge(), Ridge(0.2), intercept=False
    )
    assert solution.certificate.primal == pytest.approx(
        choose(labelled)(1e-8).solve(labelled).certificate.primal, rel=1e-7
    )


@pytest.mark.syllabus("S0B-244")
def test_least_mean_squares_is_half_the_squared_residual(rng):
    y, f = rng.normal(size=200), rng.normal(size=200)
    np.testing.assert_allclose(Squared().value(y, f), 0.5 * (f - y) ** 2)
    np.testing.assert_array_equal(Squared().derivative(y, f), f - y)
    slope = slope_by_difference(Squared(), y, f)
    np.testing.assert_allclose(Squared().derivative(y, f), slope, atol=1e-8)


@pytest.mark.syllabus("S0B-245")
def test_least_absolute_deviation_pulls_by_the_sign_and_rests_at_zero(rng):
    y, f = rng.normal(size=200), rng.normal(size=200)
    np.testing.assert_array_equal(Absolute().value(y, f), np.abs(f - y))
    np.testing.assert_array_equal(Absolute().derivative(y, f), np.sign(f - y))
    assert np.all(Absolute().derivative(y, y) == 0.0)


@pytest.mark.syllabus("S0B-246")
@pytest.mark.parametrize("tau", [0.1, 0.5, 0.8])
def test_the_tables_quantile_loss_at_tau_is_ours_at_one_minus_tau(tau, rng):
    y, f = rng.normal(size=200), rng.normal(size=200)
    loss = Quantile(1.0 - tau)
    table = np.maximum(tau * (f - y), (1.0 - tau) * (y - f))
    np.testing.assert_allclose(loss.value(y, f), table, atol=1e-15)
    np.testing.assert_allclose(
        loss.derivative(y, f), np.where(f > y, tau, tau - 1.0), atol=1e-15
    )
    assert loss.value(y, f).mean() == pytest.approx(
        mean_pinball_loss(y, f, alpha=1.0 - tau)
    )
    numbers = np.arange(101.0)
    assert loss.best_constant(numbers) == pytest.approx(100 * (1.0 - tau), abs=1.0)


@pytest.mark.syllabus("S0B-247")
def test_epsilon_insensitive_forgives_small_residuals_and_none_at_zero(rng):
    y, f = rng.normal(size=200), rng.normal(size=200)
    loss, residual = EpsilonInsensitive(0.4), f - y
    np.testing.assert_allclose(
        loss.value(y, f), np.maximum(0.0, np.abs(residual) - 0.4)
    )
    np.testing.assert_array_equal(
        loss.derivative(y, f), np.where(np.abs(residual) <= 0.4, 0, np.sign(residual))
    )
    np.testing.assert_array_equal(
        EpsilonInsensitive(0.0).value(y, f), Absolute().value(y, f)
    )


@pytest.mark.syllabus("S0B-248")
def test_huber_is_squared_within_one_and_absolute_beyond(rng):
    y, f = rng.normal(size=200), 3 * rng.normal(size=200)
    residual = f - y
    np.testing.assert_allclose(
        Huber(1.0).value(y, f), special.huber(1.0, residual), atol=1e-14
    )
    slope = np.where(np.abs(residual) <= 1, residual, np.sign(residual))
    np.testing.assert_allclose(Huber(1.0).derivative(y, f), slope, atol=1e-14)


@pytest.mark.syllabus("S0B-249")
def test_poisson_loss_is_the_negative_log_probability_up_to_a_constant(rng):
    y, f = rng.poisson(3.0, size=200).astype(float), rng.normal(size=200)
    np.testing.assert_allclose(
        Poisson().value(y, f),
        -stats.poisson.logpmf(y, np.exp(f)) - special.gammaln(y + 1.0),
        atol=1e-12,
    )
    np.testing.assert_allclose(Poisson().derivative(y, f), np.exp(f) - y)
