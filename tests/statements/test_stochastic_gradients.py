"""Gradient descent, its rate and its stops; minibatches and their schedules."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.data import linear_regression, two_gaussians
from infimum.data.designs import as_design
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.losses import Hinge, Logistic, MulticlassHinge, Poisson, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Lasso, NoPenalty, Ridge
from infimum.solvers import Newton, ProximalGradient
from infimum.study.convexity import FixedStep, GradientDescent, Oracle, Quadratic
from infimum.study.solvers import (
    Plateau,
    StochasticGradient,
    minibatch_gradient,
    stop_early,
)


@pytest.fixture
def bowl(rng):
    """Return a quadratic whose minimum is not at 0."""
    A = rng.normal(size=(8, 4))
    return Quadratic(A.T @ A + 0.1 * np.eye(4), rng.normal(size=4))


@pytest.fixture
def risk(rng):
    """Return a mean squared loss without penalty or intercept."""
    X = rng.normal(size=(12, 3))
    y = X @ np.array([1.0, -1.0, 2.0]) + rng.normal(size=12)
    return LinearRisk(as_design(X), y, Squared(), NoPenalty(), intercept=False)


def logistic(n=60, seed=5, strength=0.0):
    """Return a logistic risk on two clouds."""
    toy = two_gaussians(n, scale=1.5, random_state=seed)
    penalty = Ridge(strength) if strength else NoPenalty()
    return LinearRisk(as_design(toy.X), 2.0 * toy.y - 1.0, Logistic(), penalty)


@pytest.mark.syllabus("S3-016")
def test_gradient_descent_repeats_one_step_until_it_reaches_the_minimum(bowl):
    step = 1.0 / bowl.smoothness
    trace = GradientDescent(FixedStep(step), max_iterations=5000).minimize(
        bowl, np.zeros(4)
    )
    for w, ahead in zip(trace.points[:9], trace.points[1:10], strict=True):
        np.testing.assert_allclose(ahead, w - step * bowl.gradient(w))
    peer = minimize(bowl.value, np.zeros(4), jac=bowl.gradient, method="BFGS")
    np.testing.assert_allclose(trace.point, peer.x, atol=1e-5)


def as_function(risk):
    """Return a smooth risk as a plain convex function with its modulus."""
    return Oracle(
        risk.value,
        lambda point: risk.evaluate(point).gradient,
        smoothness_known=risk.smoothness,
    )


@pytest.mark.syllabus("S3-017")
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_a_fixed_step_below_the_inverse_smoothness_converges_like_one_over_k(
    bowl, share
):
    problem = logistic()
    cases = [
        (bowl, bowl.minimizer),
        (as_function(problem), Newton(1e-13).solve(problem).point),
    ]
    for function, best in cases:
        step, start = share / function.smoothness, np.zeros(len(best))
        descent = GradientDescent(FixedStep(step), max_iterations=200)
        trace = descent.minimize(function, start)
        k = np.arange(1, trace.iterations + 1)
        bound = np.sum((start - best) ** 2) / (2 * step * k)
        assert np.all(trace.values[1:] - function.value(best) <= bound)


@pytest.mark.syllabus("S3-017")
def test_steps_beyond_twice_the_inverse_smoothness_diverge(bowl):
    descent = GradientDescent(FixedStep(2.1 / bowl.smoothness), max_iterations=200)
    trace = descent.minimize(bowl, np.zeros(4))
    assert trace.value > 1e3 * abs(trace.values[0] - bowl.value(bowl.minimizer))


@pytest.mark.syllabus("S3-018")
def test_descent_stops_once_the_gradient_is_short(bowl):
    descent = GradientDescent(FixedStep(1.0 / bowl.smoothness), tolerance=1e-3)
    trace = descent.minimize(bowl, np.zeros(4))
    assert trace.reason == "gradient"
    assert trace.gradient_norms[-1] <= 1e-3 < trace.gradient_norms[-2]


@pytest.mark.syllabus("S3-019")
def test_early_stopping_returns_the_weights_that_were_best_on_held_back_samples():
    drawn = linear_regression(
        80, coefficients=np.full(30, 0.2), noise=2.0, random_state=3
    )
    half = np.arange(40)
    train, held = (
        LinearRisk(as_design(drawn.X[rows]), drawn.y[rows], Squared(), NoPenalty())
        for rows in (half, half + 40)
    )
    solver = ProximalGradient(check_every=1)
    stop = stop_early(solver, train, held, patience=4)
    best = int(np.argmin(stop.errors))
    assert len(stop.errors) == best + 1 + 4  # four checks without progress
    assert held.evaluate(stop.point).empirical == stop.errors[best]
    assert stop.errors[best] < held.evaluate(Newton().solve(train).point).empirical
    assert not stop.certificate.closed  # the training risk could still be lowered


@pytest.mark.syllabus("S3-020")
def test_a_minibatch_gradient_is_a_mean_of_single_gradients(risk, rng):
    w = np.append(rng.normal(size=3), 0.0)
    rows = np.array([2, 7, 2, 5])
    singles = [minibatch_gradient(risk, w, np.array([i])) for i in rows]
    np.testing.assert_allclose(
        minibatch_gradient(risk, w, rows), np.mean(singles, axis=0)
    )
    np.testing.assert_allclose(
        minibatch_gradient(risk, w, np.arange(12)), risk.gradient(w)
    )


@pytest.mark.syllabus("S3-021")
def test_minibatch_gradients_are_right_on_average(risk, rng):
    w = np.append(rng.normal(size=3), 0.0)
    every = [
        minibatch_gradient(risk, w, np.array(rows))
        for rows in combinations(range(12), 3)
    ]
    np.testing.assert_allclose(np.mean(every, axis=0), risk.gradient(w))


@pytest.mark.syllabus("S3-022")
def test_drawing_with_replacement_divides_the_variance_by_the_batch_size(risk, rng):
    w, batch, draws = np.append(rng.normal(size=3), 0.0), 4, 4000
    single = np.array([minibatch_gradient(risk, w, np.array([i])) for i in range(12)])
    variance = single.var(axis=0)[:3]

    def spread(rows):
        return single[rows].mean(axis=1).var(axis=0)[:3]

    independent = spread(rng.integers(12, size=(draws, batch)))
    # The relative error of a variance from n draws is about sqrt(2/n); take 5 of them.
    margin = 5 * np.sqrt(2 / draws)
    np.testing.assert_allclose(independent, variance / batch, rtol=margin)
    subsets = np.argsort(rng.random((draws, 12)), axis=1)[:, :batch]
    np.testing.assert_allclose(
        spread(subsets), variance / batch * (12 - batch) / (12 - 1), rtol=margin
    )
    rows = subsets[0]
    np.testing.assert_allclose(
        minibatch_gradient(risk, w, rows), single[rows].mean(axis=0)
    )


@pytest.mark.syllabus("S3-023")
def test_minibatches_find_noiseless_weights_and_the_full_batch_is_gradient_descent(rng):
    toy = linear_regression(60, noise=0.0, random_state=1)
    risk = LinearRisk(as_design(toy.X), toy.y, Squared(), NoPenalty(), intercept=False)
    solver = StochasticGradient(
        tolerance=1e-12, batch_size=5, step="constant", rate=0.1, averaged=False
    )
    w = solver.solve(risk).point[:-1]
    np.testing.assert_allclose(w, toy.coefficients, atol=1e-4)
    whole = StochasticGradient(
        tolerance=1e-12,
        batch_size=60,
        step="constant",
        rate=0.1,
        averaged=False,
        max_iterations=25,
    )
    plain = GradientDescent(FixedStep(0.1), max_iterations=25, tolerance=0.0)
    trace = plain.minimize(as_function(risk), np.zeros(4))
    np.testing.assert_allclose(whole.solve(risk).point, trace.point, atol=1e-12)


@pytest.mark.syllabus("S3-024")
def test_steps_of_one_over_k_settle_where_constant_steps_keep_jittering(rng):
    X, y = np.ones((100, 1)), rng.normal(size=100) + 3.0
    risk = LinearRisk(as_design(X), y, Squared(), NoPenalty(), intercept=False)
    least = risk.value(np.array([y.mean(), 0.0]))

    def excess(step, passes):
        solver = StochasticGradient(
            tolerance=1e-14,
            batch_size=1,
            step=step,
            rate=1.0,
            averaged=False,
            replacement=True,
            max_iterations=passes,
        )
        seen = stop_early(solver, risk, risk, patience=passes, start=risk.origin())
        return np.mean(seen.errors[1 + passes // 2 :]) - least

    # With steps 1/k the point is the mean of all draws: variance 1/(100·passes).
    assert excess("inverse", 10) < 0.01
    assert excess("constant", 10) > 0.1  # the noise floor of a full step


@pytest.mark.syllabus("S3-025")
def test_the_step_is_cut_when_progress_has_paused_for_longer_than_the_patience():
    errors = [5.0, 4.0, 4.0, 3.9999, 4.1, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]
    watch = Plateau(shrink=0.1, patience=2, threshold=1e-4)
    cuts = [i for i, error in enumerate(errors) if watch.factor(error) < 1.0]
    # 3.9999 is progress by less than the threshold; 3.0 is progress, then none.
    assert cuts == [4, 8]


@pytest.mark.syllabus("S3-025")
def test_cutting_the_step_on_a_plateau_gets_below_the_noise_floor():
    risk, held = logistic(100, strength=0.05), logistic(100, seed=6)
    options = {"tolerance": 1e-9, "batch_size": 4, "rate": 2.0, "averaged": False}
    best = Newton(1e-10).solve(risk).certificate.primal
    constant, plateau, watched = (
        StochasticGradient(**options, max_iterations=30, **more).solve(risk)
        for more in (
            {"step": "constant"},
            {"step": "plateau"},
            {"step": "plateau", "held_back": held},
        )
    )
    floor = constant.certificate.primal - best
    assert plateau.certificate.primal - best < 0.3 * floor
    assert watched.certificate.primal - best < 0.3 * floor


@pytest.mark.parametrize(
    "loss, penalty",
    [
        (Logistic(), Lasso(0.05)),
        (Hinge(), Ridge(0.1)),
        (MulticlassHinge(2), Ridge(0.1)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("step", ["plateau", "inverse_root"])
def test_stochastic_steps_end_with_a_proof_too(loss, penalty, step):
    toy = two_gaussians(120, scale=1.0, random_state=9)
    y = 1.0 * toy.y if loss.target == "class" else 2.0 * toy.y - 1.0
    risk = LinearRisk(as_design(toy.X), y, loss, penalty)
    solution = StochasticGradient(0.05, step=step).solve(risk)
    assert solution.certified
    again = StochasticGradient(0.05, step=step).solve(risk)
    np.testing.assert_array_equal(solution.point, again.point)


def test_what_stochastic_steps_cannot_do_is_said(risk):
    toy = linear_regression(9, random_state=1)
    counts = LinearRisk(as_design(toy.X), np.arange(9.0), Poisson(), Ridge(0.1))
    with pytest.raises(IncompatibleError, match="Poisson grows too fast"):
        StochasticGradient().solve(counts)
    with pytest.raises(InvalidParameterError, match="rate must be in"):
        StochasticGradient(rate=-1.0)
    with pytest.raises(InvalidParameterError, match=r"step must be one of 'constant'"):
        StochasticGradient(step="cosine")
    with pytest.raises(IncompatibleError, match="StochasticGradient cannot start"):
        stop_early(StochasticGradient(), counts, counts)
