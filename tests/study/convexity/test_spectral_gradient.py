"""Spectral gradient steps and the non-monotone line search."""

import numpy as np
import pytest

from infimum.study.convexity import (
    BarzilaiBorwein,
    GradientDescent,
    LimitedMemoryBFGS,
    Quadratic,
    bounded_spectral_ratio,
    spectral_ratio,
)


@pytest.mark.syllabus("S0A-281", "S0B-006")
def test_the_spectral_ratio_is_the_best_multiple_and_between_the_eigenvalues(
    rng, make_definite
):
    matrix = make_definite(rng)
    low, *_, high = np.linalg.eigvalsh(matrix)
    for _ in range(20):
        move = rng.normal(size=4)
        turn = matrix @ move
        ratio = spectral_ratio(move, turn)
        best = np.linalg.lstsq(move[:, None], turn, rcond=None)[0][0]
        assert ratio == pytest.approx(best)
        assert low * (1 - 1e-12) <= ratio <= high * (1 + 1e-12)


@pytest.mark.syllabus("S0A-281", "S0B-006")
def test_the_ratio_lies_between_the_eigenvalues_of_the_mean_hessian(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for _ in range(5):
        x, y = 2.0 * rng.normal(size=(2, 4))
        mean = sum(
            0.5 * w * function.hessian(x + 0.5 * (t + 1.0) * (y - x))
            for t, w in zip(nodes, weights, strict=True)
        )
        turn = function.gradient(y) - function.gradient(x)
        assert mean @ (y - x) == pytest.approx(turn, abs=1e-6)
        low, *_, high = np.linalg.eigvalsh(mean)
        assert low <= spectral_ratio(y - x, turn) <= high


@pytest.mark.syllabus("S0A-281", "S0B-007")
def test_spectral_steps_need_far_fewer_iterations_than_steepest_descent(rng):
    spectrum = np.logspace(0.0, 3.0, 10)
    bowl = Quadratic(np.diag(spectrum), -spectrum)
    start = bowl.minimizer + 1.0 / spectrum
    spectral = BarzilaiBorwein(tolerance=1e-6).minimize(bowl, start)
    steepest = GradientDescent(tolerance=1e-6, max_iterations=5000).minimize(
        bowl, start
    )
    assert spectral.reason == "gradient"
    assert spectral.point == pytest.approx(bowl.minimizer, abs=1e-6)
    assert 5 * spectral.iterations < steepest.iterations


@pytest.mark.syllabus("S0A-281", "S0A-283", "S0B-007")
def test_each_direction_is_the_gradient_over_the_last_ratio(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    trace = BarzilaiBorwein(max_iterations=10).minimize(function, 2.0 * np.ones(4))
    for t in range(1, trace.iterations):
        move = trace.points[t] - trace.points[t - 1]
        ratio = spectral_ratio(move, trace.gradients[t] - trace.gradients[t - 1])
        assert trace.directions[t] == pytest.approx(-trace.gradients[t] / ratio)


@pytest.mark.syllabus("S0A-282", "S0B-008")
def test_the_ratio_is_kept_between_its_bounds():
    move = np.array([1.0, 0.0])
    for turn, expected in ((5.0, 5.0), (1e9, 100.0), (1e-9, 0.01), (-3.0, 0.01)):
        found = bounded_spectral_ratio(move, np.array([turn, 7.0]), 0.01, 100.0)
        assert found == expected


@pytest.mark.syllabus("S0A-282", "S0B-008")
def test_the_bounds_limit_the_steps_of_the_method():
    bowl = Quadratic(np.diag([1.0, 1000.0]), np.array([-1.0, -1000.0]))
    bounded = BarzilaiBorwein(least_ratio=50.0, largest_ratio=200.0, max_iterations=30)
    trace = bounded.minimize(bowl, np.zeros(2))
    lengths = np.linalg.norm(trace.directions, axis=1)
    ratios = trace.gradient_norms[:-1] / lengths
    assert np.all(ratios[1:] >= 50.0 * (1 - 1e-12))
    assert np.all(ratios[1:] <= 200.0 * (1 + 1e-12))
    assert np.isclose(ratios[1:], 200.0).any()


@pytest.fixture
def hard_bowl():
    spectrum = np.logspace(0.0, 2.0, 10)
    return Quadratic(np.diag(spectrum), -spectrum), np.full(10, 3.0)


@pytest.mark.syllabus("S0A-283", "S0B-009")
def test_a_window_of_one_value_makes_the_descent_monotone(hard_bowl):
    bowl, start = hard_bowl
    trace = BarzilaiBorwein(window=1).minimize(bowl, start)
    assert trace.reason == "gradient"
    allowance = 1e-14 * np.abs(trace.values[:-1])
    assert np.all(np.diff(trace.values) <= allowance)


@pytest.mark.syllabus("S0A-283", "S0B-009")
def test_a_longer_window_lets_values_rise_but_not_the_largest_of_the_window(hard_bowl):
    bowl, start = hard_bowl
    window = 10
    trace = BarzilaiBorwein(window=window).minimize(bowl, start)
    assert trace.reason == "gradient"
    assert np.any(np.diff(trace.values) > 1e-6 * abs(trace.value)), "some values rise"
    largest = [
        np.max(trace.values[max(0, t - window + 1) : t + 1])
        for t in range(len(trace.values))
    ]
    assert np.all(np.diff(largest) <= 1e-13 * np.max(np.abs(largest)))
    for t in range(trace.iterations):
        slope = trace.gradients[t] @ trace.directions[t]
        accepted = largest[t] + 1e-4 * trace.steps[t] * slope
        assert trace.values[t + 1] <= accepted + 1e-14 * abs(largest[t])


@pytest.mark.syllabus("S0A-283", "S0B-011")
@pytest.mark.parametrize("window", [1, 10])
def test_spectral_gradient_reaches_the_minimum_of_a_logistic_risk(
    window, rng, make_logistic_ridge
):
    for _ in range(10):
        function, _ = make_logistic_ridge(rng)
        start = 3.0 * rng.normal(size=4)
        trace = BarzilaiBorwein(window=window).minimize(function, start)
        best = LimitedMemoryBFGS(tolerance=1e-11).minimize(function, np.zeros(4))
        assert trace.reason == "gradient"
        assert trace.point == pytest.approx(best.point, abs=1e-6)


@pytest.mark.syllabus("S0B-010")
@pytest.mark.parametrize("start", [0.1, 3.0, -40.0])
def test_one_refused_step_on_a_parabola_shrinks_to_its_exact_minimiser(start):
    # With curvature 4 and first ratio 1 the full step overshoots by three lengths;
    # the parabola through value, slope and refused value is the function itself.
    bowl = Quadratic(np.array([[4.0]]), np.array([-4.0]))
    trace = BarzilaiBorwein(max_iterations=1).minimize(bowl, np.array([1.0 + start]))
    assert trace.steps[0] == pytest.approx(0.25, rel=1e-12)
    assert trace.point == pytest.approx(np.ones(1), rel=1e-12)


@pytest.mark.syllabus("S0B-010")
def test_a_guess_outside_its_bounds_is_replaced_by_half_the_step():
    bowl = Quadratic(np.array([[4.0]]), np.array([-4.0]))
    strict = BarzilaiBorwein(max_iterations=1, shrink=(0.3, 0.9))
    assert strict.minimize(bowl, np.zeros(1)).steps.tolist() == [0.25]
    steep = Quadratic(np.array([[100.0]]))
    trace = strict.minimize(steep, np.ones(1))
    # The guess 0.01 is refused; halving ends at the first step below 2/100.
    assert trace.steps.tolist() == [2.0**-6]
