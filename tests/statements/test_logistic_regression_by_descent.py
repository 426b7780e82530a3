"""Logistic regression by plain descent: gradients, steps, confidence."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn import linear_model

from infimum.data import two_gaussians
from infimum.data.designs import as_design
from infimum.evaluation import calibration_curve
from infimum.losses import Hinge, Logistic, Squared
from infimum.models.linear import LogisticRegression
from infimum.objectives import LinearRisk
from infimum.penalties import Ridge as RidgePenalty
from infimum.study.convexity import (
    ConvexFunction,
    FixedStep,
    GradientDescent,
    IncrementalGradient,
    Oracle,
    Quadratic,
    Softplus,
    SquaredNorm,
    Translated,
    numeric_gradient,
    numeric_hessian,
)


def regularised(X, y, strength):
    """State (1/n) Σ log(1 + exp(-yᵢxᵢᵀw)) + strength·‖w‖² as a convex function."""
    signed = -y[:, None] * X
    return Softplus(1 / len(y)).after(signed) + 2 * strength * SquaredNorm()


def labelled(rng, n=40, d=3):
    X = rng.standard_normal((n, d))
    return X, np.where(rng.random(n) < expit(2 * X[:, 0] - X[:, 1]), 1.0, -1.0)


def bowl(rng, d=4):
    root = rng.standard_normal((2 * d, d))
    return Quadratic(root.T @ root, rng.standard_normal(d))


@pytest.mark.syllabus("S1-074")
def test_the_logistic_loss_is_a_stable_function_of_the_margin():
    loss = Logistic()
    f = np.array([-1e3, -2.0, 0.0, 2.0, 1e3])
    for y in (-1.0, 1.0):
        expected = np.logaddexp(0, -y * f)
        assert loss.value(np.full(5, y), f) == pytest.approx(expected)
    assert loss.value(np.array([1.0]), np.zeros(1)) == pytest.approx(np.log(2))
    # Unlike the hinge it never vanishes, and like the hinge it grows linearly.
    ones = np.ones(5)
    assert loss.value(ones[:1], np.array([30.0])) > 0
    hinge, squared = Hinge().value(ones, f), Squared().value(ones, f)
    assert loss.value(ones, f)[0] == pytest.approx(hinge[0], rel=2e-3)
    assert loss.value(ones, f)[-1] < squared[-1]  # being right by far costs nothing


@pytest.mark.syllabus("S1-075")
def test_the_hessian_is_the_jacobian_of_the_gradient(rng):
    X, y = labelled(rng)
    risk = LinearRisk(as_design(X), y, Logistic(), RidgePenalty(0.2))
    function = Oracle(risk.value, lambda w: risk.evaluate(w).gradient)
    w = rng.standard_normal(4)
    here = risk.evaluate(w)
    assert numeric_gradient(risk.value, w) == pytest.approx(here.gradient, abs=1e-8)
    jacobian = np.array(
        [
            numeric_gradient(lambda v, k=k: risk.evaluate(v).gradient[k], w)
            for k in range(4)
        ]
    )
    assert numeric_hessian(function, w) == pytest.approx(jacobian, abs=1e-8)
    assert risk.hessian(here.bends) == pytest.approx(jacobian, abs=1e-8)


@pytest.mark.syllabus("S1-076")
def test_gradient_descent_solves_the_normal_equations(rng):
    X, y = rng.standard_normal((50, 4)), rng.standard_normal(50)
    strength = 0.1
    function = Quadratic(2 * X.T @ X / 50 + 2 * strength * np.eye(4), -2 * X.T @ y / 50)
    method = GradientDescent(FixedStep(1 / function.smoothness), tolerance=1e-12)
    trace = method.minimize(function, np.zeros(4))
    for w, after in zip(trace.points[:20], trace.points[1:], strict=False):
        slope = 2 / 50 * X.T @ (X @ w - y) + 2 * strength * w
        assert after == pytest.approx(w - slope / function.smoothness)
    closed = np.linalg.solve(X.T @ X + 50 * strength * np.eye(4), X.T @ y)
    assert trace.point == pytest.approx(closed, abs=1e-10)


@pytest.mark.syllabus("S1-077", "S1-079")
def test_the_step_one_over_the_lipschitz_constant_descends(rng):
    start = rng.standard_normal(4)
    for function in (bowl(rng), regularised(*labelled(rng, d=4), 0.05)):
        method = GradientDescent(FixedStep(1 / function.smoothness), max_iterations=200)
        values = method.minimize(function, start).values
        assert (np.diff(values) <= 1e-12).all()
        assert values[10] < values[0]
    function = bowl(rng)
    too_far = GradientDescent(FixedStep(2.1 / function.smoothness), max_iterations=200)
    assert too_far.minimize(function, start).value > 1e3
    within = GradientDescent(FixedStep(1.9 / function.smoothness), max_iterations=2000)
    assert within.minimize(function, start).point == pytest.approx(
        function.minimizer, abs=1e-6
    )


@pytest.mark.syllabus("S1-078")
def test_the_lipschitz_constant_is_the_largest_curvature_anywhere(rng):
    quadratic = bowl(rng)
    assert quadratic.smoothness == pytest.approx(
        np.linalg.eigvalsh(quadratic.matrix)[-1]
    )
    X, y = labelled(rng)
    function = regularised(X, y, 0.05)
    curvatures = [
        np.linalg.eigvalsh(function.hessian(w))[-1]
        for w in rng.standard_normal((100, 3))
    ]
    # The logistic loss bends most at margin 0, so the supremum is attained at w = 0.
    top = np.linalg.eigvalsh(function.hessian(np.zeros(3)))[-1]
    assert max(curvatures) < top
    assert top == pytest.approx(function.smoothness)
    for v, w in rng.standard_normal((50, 2, 3)):
        change = np.linalg.norm(function.gradient(v) - function.gradient(w))
        assert change <= function.smoothness * np.linalg.norm(v - w)


@pytest.mark.syllabus("S1-080")
@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_one_term_at_a_time_reaches_the_solution_of_the_sum(order, rng):
    X = rng.standard_normal((60, 3))
    y = X @ [1.0, -0.5, 2.0] + 0.1 * rng.standard_normal(60)
    terms: list[ConvexFunction] = [
        Quadratic(np.outer(x, x) + 0.1 * np.eye(3), -target * x)
        for x, target in zip(X, y, strict=True)
    ]
    batch = np.linalg.solve(X.T @ X + 6.0 * np.eye(3), X.T @ y)
    method = IncrementalGradient(order=order, passes=40, random_state=1)
    trace = method.minimize(terms, np.zeros(3))
    assert trace.point == pytest.approx(batch, abs=1e-2)
    total = sum(term.value(trace.point) for term in terms)
    assert trace.value == pytest.approx(total)


@pytest.mark.syllabus("S1-080")
def test_the_first_pass_takes_the_terms_in_turn(rng):
    slopes = rng.standard_normal((4, 2))
    terms = [Quadratic(np.eye(2), -slope) for slope in slopes]
    w = np.ones(2)
    for t, slope in enumerate(slopes, start=1):
        w = w - (w - slope) / t
    trace = IncrementalGradient(passes=1).minimize(terms, np.ones(2))
    assert trace.point == pytest.approx(w)
    one, two = (
        IncrementalGradient(order="random", passes=2, random_state=seed)
        for seed in (0, 1)
    )
    assert (one.minimize(terms, w).point == one.minimize(terms, w).point).all()
    assert (one.minimize(terms, w).point != two.minimize(terms, w).point).all()


@pytest.mark.syllabus("S1-081")
def test_steps_of_one_over_t_compute_a_running_mean(rng):
    x = rng.standard_normal(60)
    terms = [Translated(SquaredNorm(), np.array([value])) for value in x]
    for n in (1, 2, 30, 60):
        trace = IncrementalGradient(passes=1).minimize(terms[:n], np.array([7.0]))
        assert trace.point[0] == pytest.approx(x[:n].mean())
    # A constant step keeps wandering with the noise.
    fixed = IncrementalGradient(FixedStep(0.5), "random", passes=20)
    late = fixed.minimize(terms, np.zeros(1)).points[10:, 0]
    assert late.std() > 0.1


@pytest.mark.syllabus("S1-082")
def test_gradient_descent_fits_regularised_logistic_regression(rng):
    X, y = labelled(rng)
    n, strength = 40, 0.02
    function = regularised(X, y, strength)
    step = 1 / function.smoothness
    trace = GradientDescent(FixedStep(step), tolerance=1e-9).minimize(
        function, np.zeros(3)
    )
    w = np.zeros(3)
    for point in trace.points[:25]:
        assert point == pytest.approx(w)
        pull = (X.T @ (-y / (1 + np.exp(y * (X @ w))))) / n
        w = w - step * (pull + 2 * strength * w)
    options = {"C": 1 / (2 * strength * n), "fit_intercept": False, "tol": 1e-8}
    ours = LogisticRegression(**options).fit(X, y)
    assert trace.reason == "gradient"
    assert trace.point == pytest.approx(ours.coef_[0], abs=1e-6)
    assert trace.value == pytest.approx(ours.certificate_.primal, abs=1e-12)
    peer = linear_model.LogisticRegression(**options).fit(X, y)
    assert trace.point == pytest.approx(peer.coef_[0], abs=1e-4)


@pytest.mark.syllabus("S1-083")
def test_the_logistic_hessian_is_bounded_by_the_second_moments(rng):
    X, y = labelled(rng)
    n, strength = 40, 0.02
    risk = LinearRisk(
        as_design(X), y, Logistic(), RidgePenalty(2 * strength), intercept=False
    )
    loose = np.linalg.eigvalsh(X.T @ X / n + 2 * strength * np.eye(3))[-1]
    tight = np.linalg.eigvalsh(X.T @ X / (4 * n) + 2 * strength * np.eye(3))[-1]
    for w in 2 * rng.standard_normal((50, 3)):
        bends = risk.evaluate(np.append(w, 0.0)).bends
        a = y * (X @ w)
        assert bends == pytest.approx(np.exp(-a) / (1 + np.exp(-a)) ** 2)
        hessian = risk.hessian(bends)[:-1, :-1]
        expected = (X.T * bends) @ X / n + 2 * strength * np.eye(3)
        assert hessian == pytest.approx(expected)
        assert np.linalg.eigvalsh(hessian)[-1] <= tight <= loose
    grid = np.linspace(-5, 5, 1001)
    assert Logistic().hessian(np.ones(1001), grid).max() == Logistic.curvature == 0.25
    for bound in (tight, loose):  # either gives a step that descends
        method = GradientDescent(FixedStep(1 / bound), max_iterations=100)
        values = method.minimize(regularised(X, y, strength), np.zeros(3)).values
        assert (np.diff(values) <= 1e-15).all()


@pytest.mark.syllabus("S1-086")
def test_the_logistic_function_turns_scores_into_confidence():
    toy, new = (two_gaussians(10_000, random_state=seed) for seed in (0, 1))
    model = LogisticRegression(C=1e3).fit(toy.X, toy.y)
    f = model.decision_function(new.X)
    p = model.predict_proba(new.X)[:, 1]
    assert p == pytest.approx(np.exp(f) / (1 + np.exp(f)))
    # The clouds follow the logistic model: confidence and frequency agree.
    truth = expit(new.X @ toy.coefficients + toy.intercept)
    assert np.abs(p - truth).mean() < 0.01
    curve = calibration_curve(new.y, p)
    spread = np.sqrt(curve.promised * (1 - curve.promised) / curve.counts)
    assert (np.abs(curve.observed - curve.promised) <= 4 * spread + 0.01).all()
