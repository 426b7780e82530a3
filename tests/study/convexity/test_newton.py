"""Newton's method and its quadratic convergence."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from infimum.errors import IncompatibleError
from infimum.study.convexity import (
    FixedStep,
    GradientDescent,
    LogSumExp,
    NewtonMethod,
    Oracle,
    Quadratic,
    Softplus,
    SquaredNorm,
    convergence_order,
    first_order_model,
    newton_constant,
    second_order_model,
)

quartic = Oracle(
    lambda w: float(w[0] ** 4 + 20 * w[0] ** 2 + w[0]),
    lambda w: 4 * w**3 + 40 * w + 1,
    lambda w: np.array([[12 * w[0] ** 2 + 40]]),
    strong_convexity_known=40.0,
)
MINIMISER = float(np.real(np.roots([4.0, 0.0, 40.0, 1.0])[-1]))
full_steps = NewtonMethod(FixedStep(1.0), tolerance=1e-13)


@pytest.mark.syllabus("S0A-272")
def test_newton_needs_one_step_on_a_quadratic(rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    trace = NewtonMethod(tolerance=1e-10).minimize(bowl, 10.0 * rng.normal(size=4))
    assert trace.iterations == 1
    assert trace.point == pytest.approx(bowl.minimizer, abs=1e-10)


@pytest.mark.syllabus("S0A-272")
def test_newton_fits_the_logistic_regression_scikit_learn_fits(rng):
    samples, strength = 80, 0.05
    X = rng.normal(size=(samples, 4))
    y = np.where(X[:, 0] + rng.normal(size=samples) > 0.0, 1.0, -1.0)
    risk = Softplus(1.0 / samples).after(-y[:, None] * X) + SquaredNorm(scale=strength)
    trace = NewtonMethod().minimize(risk, np.zeros(4))
    peer = LogisticRegression(
        C=1.0 / (samples * strength), fit_intercept=False, solver="newton-cg", tol=1e-10
    ).fit(X, y)
    assert trace.reason == "gradient"
    assert trace.iterations <= 8
    assert trace.point == pytest.approx(peer.coef_[0], abs=1e-6)
    for t in range(trace.iterations):
        hessian = risk.hessian(trace.points[t])
        assert hessian @ trace.directions[t] == pytest.approx(-trace.gradients[t])


@pytest.mark.syllabus("S0A-272")
def test_newton_refuses_a_function_that_is_flat_somewhere():
    with pytest.raises(IncompatibleError, match="positive definite Hessian"):
        NewtonMethod().minimize(LogSumExp(), np.array([1.0, 0.0]))


@pytest.mark.syllabus("S0A-273")
def test_newton_squares_the_error_and_gradient_descent_multiplies_it():
    newton = full_steps.minimize(quartic, np.array([2.0]))
    order = convergence_order(np.abs(newton.points[:, 0] - MINIMISER)[1:])
    # At this minimum the third derivative almost vanishes; use a plainer function.
    plain = Softplus() + SquaredNorm(scale=0.2)
    best = full_steps.minimize(plain, np.zeros(1)).point
    errors = {}
    for name, method in (
        ("newton", full_steps),
        ("gradient", GradientDescent(FixedStep(1.0 / plain.smoothness), 1e-10)),
    ):
        points = method.minimize(plain, np.array([3.0])).points[:, 0]
        errors[name] = np.abs(points - best[0])
    assert order >= 1.9
    assert convergence_order(errors["newton"]) == pytest.approx(2.0, abs=0.2)
    assert convergence_order(errors["gradient"]) == pytest.approx(1.0, abs=0.1)
    # The definition itself: e₊ ≤ C e² with one constant C all the way.
    ratios = errors["newton"][1:4] / errors["newton"][:3] ** 2
    assert np.max(ratios) < 1.0


@pytest.mark.syllabus("S0A-274")
def test_newtons_error_obeys_the_constant_n_m_over_2():
    radius = 1.0
    # On [w* - 1, w* + 1]: |J'''| = 24|w| ≤ 24(|w*| + 1), and J'' ≥ 40 everywhere.
    lipschitz, inverse = 24.0 * (abs(MINIMISER) + radius), 1.0 / 40.0
    constant = newton_constant(lipschitz, inverse)
    for start in (MINIMISER + 1.0, MINIMISER - 1.0, 0.4):
        points = full_steps.minimize(quartic, np.array([start])).points[:, 0]
        errors = np.abs(points - MINIMISER)
        assert np.all(errors[1:] <= constant * errors[:-1] ** 2 + 1e-16)
        assert errors[-1] <= 1e-15


@pytest.mark.syllabus("S0A-275")
def test_the_taylor_models_of_the_quartic_at_2():
    at_two = np.array([2.0])
    line, bowl = first_order_model(quartic, at_two), second_order_model(quartic, at_two)
    assert quartic.value(at_two) == 98.0
    assert quartic.gradient(at_two).tolist() == [113.0]
    assert quartic.hessian(at_two).tolist() == [[88.0]]
    for w in np.linspace(-6.0, 6.0, 13):
        assert line.value(np.array([w])) == pytest.approx(98 + 113 * (w - 2))
        expected = 98 + 113 * (w - 2) + 44 * (w - 2) ** 2
        assert bowl.value(np.array([w])) == pytest.approx(expected)
        assert line.value(np.array([w])) <= quartic.value(np.array([w])) + 1e-12
    assert bowl.minimizer[0] == pytest.approx(2 - 113 / 88)
    assert bowl.minimizer[0] == pytest.approx(0.7159, abs=5e-5)
    after = full_steps.minimize(quartic, at_two).points[1]
    assert after == pytest.approx(bowl.minimizer)
