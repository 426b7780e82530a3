"""Gradient descent: its steps."""

import numpy as np
import pytest
from scipy.optimize import line_search

from infimum.errors import DataError, InvalidParameterError
from infimum.study.convexity import (
    Affine,
    ArmijoStep,
    DecayingStep,
    ExactStep,
    FixedStep,
    GradientDescent,
    Norm,
    Quadratic,
    Situation,
    Translated,
    WolfeStep,
    gradient_step_model,
)


@pytest.mark.syllabus("S0A-248")
def test_gradient_descent_solves_a_linear_system(rng, make_definite):
    matrix, target = make_definite(rng), rng.normal(size=4)
    bowl = Quadratic(matrix, -target)
    trace = GradientDescent(tolerance=1e-10, max_iterations=5000).minimize(
        bowl, np.zeros(4)
    )
    assert trace.reason == "gradient"
    error = np.linalg.norm(trace.point - np.linalg.solve(matrix, target))
    # ‖w - w*‖ ≤ ‖gradient‖ / σ.
    assert error <= 1.01 * 1e-10 / bowl.strong_convexity


@pytest.mark.syllabus("S0A-248")
def test_gradient_descent_stops_at_the_first_short_gradient(rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    trace = GradientDescent(FixedStep(1.0 / bowl.smoothness), tolerance=1e-2).minimize(
        bowl, np.ones(4)
    )
    assert trace.gradient_norms[-1] <= 1e-2
    assert np.all(trace.gradient_norms[:-1] > 1e-2)
    for t in range(trace.iterations):
        expected = trace.points[t] - trace.steps[t] * bowl.gradient(trace.points[t])
        assert np.array_equal(trace.points[t + 1], expected)
    short = GradientDescent(FixedStep(1e-6), max_iterations=3).minimize(
        bowl, np.ones(4)
    )
    assert (short.reason, short.iterations) == ("budget", 3)


@pytest.mark.syllabus("S0A-249")
def test_exact_steps_make_consecutive_gradients_orthogonal(
    rng, make_definite, make_logistic_ridge
):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    for function in (bowl, make_logistic_ridge(rng)[0]):
        trace = GradientDescent(ExactStep(), max_iterations=8, tolerance=0.0).minimize(
            function, np.ones(4)
        )
        lengths = trace.gradient_norms
        for t in range(trace.iterations):
            product = trace.gradients[t] @ trace.gradients[t + 1]
            assert abs(product) <= 1e-12 * lengths[0] * lengths[t]


@pytest.mark.syllabus("S0A-249")
def test_the_exact_step_of_a_quadratic_has_a_formula_that_bisection_confirms(
    rng, make_definite
):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    point = rng.normal(size=4)
    gradient = bowl.gradient(point)
    formula = float(gradient @ gradient) / float(gradient @ bowl.matrix @ gradient)
    here = Situation(bowl, point, gradient, -gradient, 1)
    assert ExactStep()(here) == pytest.approx(formula, rel=1e-14)
    hidden = bowl + 0.0  # no longer recognised as a Quadratic
    by_bisection = ExactStep()(Situation(hidden, point, gradient, -gradient, 1))
    assert by_bisection == pytest.approx(formula, rel=1e-12)


@pytest.mark.syllabus("S0A-251")
@pytest.mark.parametrize("constants", [(1e-4, 0.9), (0.3, 0.4), (1e-4, 0.01)])
def test_a_wolfe_step_decreases_enough_and_flattens_the_slope(
    constants, rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    c1, c2 = constants
    for scale in (0.01, 1.0, 100.0):
        for _ in range(5):
            point = 3.0 * rng.normal(size=4)
            gradient = function.gradient(point)
            here = Situation(function, point, gradient, -scale * gradient, 1)
            ahead = here.ahead(WolfeStep(c1, c2)(here))
            move = ahead - point
            decrease = function.value(ahead) - function.value(point)
            assert decrease <= c1 * gradient @ move + 1e-15
            assert function.gradient(ahead) @ move >= c2 * gradient @ move - 1e-15


@pytest.mark.syllabus("S0A-251")
def test_scipys_line_search_satisfies_the_same_two_conditions(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    point = 3.0 * rng.normal(size=4)
    gradient = function.gradient(point)
    here = Situation(function, point, gradient, -gradient, 1)
    theirs = line_search(function.value, function.gradient, point, -gradient)[0]
    ours = WolfeStep()(here)
    for step in (ours, theirs):
        move = here.ahead(step) - point
        drop = function.value(here.ahead(step)) - function.value(point)
        assert drop <= 1e-4 * gradient @ move
        assert function.gradient(here.ahead(step)) @ move >= 0.9 * gradient @ move


@pytest.mark.syllabus("S0A-251")
def test_armijo_takes_the_first_of_the_shrinking_steps_that_decreases_enough(rng):
    bowl = Quadratic(np.diag([1.0, 100.0]))
    point = np.ones(2)
    gradient = bowl.gradient(point)
    step = ArmijoStep(decrease=0.25, shrink=0.5)(
        Situation(bowl, point, gradient, -gradient, 1)
    )

    def enough(step):
        decrease = bowl.value(point - step * gradient) - bowl.value(point)
        return decrease <= -0.25 * step * gradient @ gradient

    assert enough(step)
    assert not any(enough(2.0**-k) for k in range(int(-np.log2(step))))


@pytest.mark.syllabus("S0A-251")
@pytest.mark.parametrize("rule", [ArmijoStep(), WolfeStep()], ids=["armijo", "wolfe"])
def test_inexact_steps_reach_the_minimum_without_knowing_a_modulus(
    rule, rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    trace = GradientDescent(rule).minimize(function, 3.0 * np.ones(4))
    assert trace.reason == "gradient"


@pytest.mark.syllabus("S0A-252")
def test_decaying_steps_follow_the_schedule_and_converge_on_a_kinked_function():
    target = np.array([0.3, -0.7])
    function = Translated(Norm(1.0), target)
    trace = GradientDescent(DecayingStep(), max_iterations=2000).minimize(
        function, np.zeros(2)
    )
    times = np.arange(1, trace.iterations + 1)
    assert trace.steps == pytest.approx(1.0 / np.sqrt(times), rel=1e-15)
    # With ‖g‖² ≤ 2 the best gap is at most (‖w₁ - w*‖² + 2 Σ 1/t) / (2 Σ 1/√t).
    distance = float(target @ target)
    promised = (distance + 2.0 * np.sum(1.0 / times)) / (2.0 * np.sum(trace.steps))
    assert trace.best <= promised
    # Once past the kink a coordinate stays within a step of it.
    assert trace.best <= 2.0 / np.sqrt(2000)
    fixed = GradientDescent(FixedStep(0.5), max_iterations=2000).minimize(
        function, np.zeros(2)
    )
    assert fixed.best > 0.1, "a fixed step keeps jumping over the kink"


@pytest.mark.syllabus("S0A-253")
def test_the_step_1_over_l_lowers_the_value_by_at_least_half_the_square_over_l(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    step = 1.0 / function.smoothness
    trace = GradientDescent(FixedStep(step), max_iterations=60).minimize(
        function, 4.0 * np.ones(4)
    )
    drops = -np.diff(trace.values)
    squares = trace.gradient_norms[:-1] ** 2
    assert np.all(drops >= squares / (2.0 * function.smoothness) - 1e-15)
    assert np.all(trace.steps == step)


@pytest.mark.syllabus("S0A-253")
def test_the_step_1_over_l_minimises_a_quadratic_that_lies_above_the_function(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    point = rng.normal(size=4)
    step = 1.0 / function.smoothness
    above = gradient_step_model(function, point, step)
    for probe in point + rng.normal(size=(30, 4)):
        assert above.value(probe) >= function.value(probe)
    expected = point - step * function.gradient(point)
    assert above.minimizer == pytest.approx(expected, rel=1e-12)


@pytest.mark.syllabus("S0A-258")
def test_a_gradient_step_minimises_tangent_plane_plus_half_squared_distance(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    point = rng.normal(size=4)
    model, gradient = gradient_step_model(function, point), function.gradient(point)
    assert model.minimizer == pytest.approx(point - gradient, rel=1e-12)
    for probe in rng.normal(size=(10, 4)):
        move = probe - point
        expected = function.value(point) + gradient @ move + 0.5 * move @ move
        assert model.value(probe) == pytest.approx(expected, rel=1e-12)
        assert model.value(probe) >= model.value(point - gradient)


def test_an_unbounded_descent_is_refused_in_a_sentence():
    slope = Affine(np.array([1.0]))
    for rule in (ExactStep(), WolfeStep()):
        with pytest.raises(DataError, match="unbounded below"):
            GradientDescent(rule).minimize(slope, np.zeros(1))
    with pytest.raises(InvalidParameterError, match=r"WolfeStep\.decrease"):
        WolfeStep(0.5, 0.4)
