"""What theory promises for gradient descent, held against what it does."""

import numpy as np
import pytest

from infimum.study.convexity import (
    BFGS,
    ExactStep,
    FixedStep,
    GradientDescent,
    Oracle,
    Quadratic,
    WolfeStep,
    gap_bound,
    gradient_norm_bound,
    iterations_to_gap,
    linear_rate_bound,
    wolfe_iterations,
)


def descend(function, iterations=80, start=4.0, size=4):
    method = GradientDescent(
        FixedStep(1.0 / function.smoothness), tolerance=0.0, max_iterations=iterations
    )
    return method.minimize(function, np.full(size, start))


def minimum(function, size=4):
    return BFGS(tolerance=1e-12).minimize(function, np.zeros(size)).value


@pytest.mark.syllabus("S0A-254")
def test_gradients_shrink_at_least_like_1_over_the_square_root_of_t(
    rng, make_definite, make_logistic_ridge
):
    for function in (
        make_logistic_ridge(rng)[0],
        make_logistic_ridge(rng, strength=1e-6)[0],
        Quadratic(make_definite(rng, floor=0.0), np.zeros(4)),
    ):
        trace = descend(function)
        gap = trace.values[0] - minimum(function)
        for t in range(trace.iterations + 1):
            promised = gradient_norm_bound(function.smoothness, gap, t)
            assert np.min(trace.gradient_norms[: t + 1]) <= promised * (1 + 1e-12)
            # On a convex function the gradients shrink, so the last is the shortest.
            assert trace.gradient_norms[t] <= promised * (1 + 1e-12)


@pytest.mark.syllabus("S0A-254")
def test_the_gradient_bound_holds_without_convexity_for_the_best_gradient():
    # The second derivative, cos w + 0.4 cos 2w, lies between -0.72 and 1.4.
    wave = Oracle(
        lambda w: float(-np.cos(w[0]) - 0.1 * np.cos(2.0 * w[0])),
        lambda w: np.sin(w) + 0.2 * np.sin(2.0 * w),
        smoothness_known=1.4,
    )
    trace = descend(wave, start=3.1, size=1)
    gap = trace.values[0] + 1.1
    for t in range(trace.iterations + 1):
        shortest = np.min(trace.gradient_norms[: t + 1])
        assert shortest <= gradient_norm_bound(1.4, gap, t)
    assert np.any(np.diff(trace.gradient_norms) > 0.0), "here they do not only shrink"


@pytest.mark.syllabus("S0B-062")
def test_wolfe_steps_meet_a_short_gradient_within_a_multiple_of_1_over_its_square(
    rng, make_definite
):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    constants, start = (0.1, 0.5), np.full(4, 4.0)
    gap = bowl.value(start) - bowl.value(bowl.minimizer)
    for target in (3.0, 1.0, 0.3):
        method = GradientDescent(WolfeStep(*constants), tolerance=target)
        trace = method.minimize(bowl, start)
        enough = wolfe_iterations(bowl.smoothness, gap, target, constants)
        assert trace.iterations <= enough
        assert enough == np.ceil(bowl.smoothness * gap / (0.1 * 0.5 * target**2))
    drops, squares = -np.diff(trace.values), trace.gradient_norms[:-1] ** 2
    assert np.all(drops >= 0.1 * 0.5 * squares / bowl.smoothness)


@pytest.mark.syllabus("S0A-255")
def test_a_short_gradient_certifies_a_small_gap(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    best, trace = minimum(function), descend(function)
    gaps = trace.values - best
    bounds = trace.gap_bounds(function.strong_convexity)
    assert np.all(gaps <= bounds + 1e-15)
    assert bounds[-1] == gap_bound(trace.gradient_norms[-1], function.strong_convexity)
    # A tolerance ε on the gradient leaves a gap below ε² / 2σ.
    stopped = GradientDescent(tolerance=1e-3).minimize(function, np.ones(4))
    assert stopped.value - best < 1e-6 / (2.0 * function.strong_convexity)


@pytest.mark.syllabus("S0A-255")
def test_the_certificate_is_tight_on_the_flattest_axis_of_a_quadratic():
    bowl = Quadratic(np.diag([0.5, 8.0]))
    point = np.array([3.0, 0.0])
    norm = float(np.linalg.norm(bowl.gradient(point)))
    assert gap_bound(norm, bowl.strong_convexity) == bowl.value(point)


@pytest.mark.syllabus("S0A-256")
@pytest.mark.parametrize("exact", [False, True], ids=["1/L", "exact"])
def test_strong_convexity_makes_the_gap_shrink_geometrically(
    exact, rng, make_definite, make_logistic_ridge
):
    for function in (
        make_logistic_ridge(rng)[0],
        Quadratic(make_definite(rng), rng.normal(size=4)),
    ):
        rule = ExactStep() if exact else FixedStep(1.0 / function.smoothness)
        method = GradientDescent(rule, tolerance=0.0, max_iterations=60)
        trace = method.minimize(function, np.full(4, 4.0))
        best = minimum(function)
        gap = trace.values[0] - best
        for t, value in enumerate(trace.values):
            promised = linear_rate_bound(
                function.smoothness, function.strong_convexity, gap, t
            )
            assert value - best <= promised + 1e-13 * abs(gap)


@pytest.mark.syllabus("S0A-256")
def test_the_number_of_iterations_to_a_gap_is_enough(rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    best = bowl.value(bowl.minimizer)
    start = bowl.value(np.full(4, 4.0)) - best
    for target in (1.0, 1e-3, 1e-6):
        enough = iterations_to_gap(
            bowl.smoothness, bowl.strong_convexity, start, target
        )
        factor = 1.0 - bowl.strong_convexity / bowl.smoothness
        assert enough == np.ceil(np.log(start / target) / np.log(1.0 / factor))
        assert descend(bowl, enough).value - best <= target


@pytest.mark.syllabus("S0A-257")
def test_a_perfectly_conditioned_quadratic_needs_one_exact_step(rng):
    bowl = Quadratic(np.eye(5), rng.normal(size=5))
    trace = GradientDescent().minimize(bowl, rng.normal(size=5))
    assert bowl.smoothness / bowl.strong_convexity == 1.0
    assert trace.iterations == 1


@pytest.mark.syllabus("S0A-257")
@pytest.mark.parametrize("condition", [2.0, 10.0, 100.0])
def test_an_ill_conditioned_quadratic_zigzags_at_the_worst_rate(condition):
    bowl = Quadratic(np.diag([1.0, condition]))
    assert bowl.smoothness / bowl.strong_convexity == condition
    trace = GradientDescent(tolerance=0.0, max_iterations=12).minimize(
        bowl, np.array([condition, 1.0])
    )
    rate = ((condition - 1.0) / (condition + 1.0)) ** 2
    assert trace.values[1:] / trace.values[:-1] == pytest.approx(rate, rel=1e-9)
    # Zigzag: the second coordinate changes sign at every step.
    assert np.all(trace.points[1:, 1] * trace.points[:-1, 1] < 0.0)


@pytest.mark.syllabus("S0A-257")
def test_the_iterations_grow_with_the_condition_number(rng):
    steps = []
    for condition in (1.0, 10.0, 100.0):
        bowl = Quadratic(np.diag([1.0, condition]), np.array([-1.0, -condition]))
        start = bowl.minimizer + np.array([condition, 1.0])
        steps.append(GradientDescent().minimize(bowl, start).iterations)
    assert steps[0] == 1
    assert 5 * steps[0] < steps[1]
    assert 5 * steps[1] < steps[2]
