"""Coordinate descent."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.study.convexity import (
    Box,
    CoordinateMethod,
    Quadratic,
    minimize_in_box,
    optimality_slack,
)


@pytest.mark.syllabus("S0A-247")
def test_a_cycle_on_a_quadratic_is_a_gauss_seidel_sweep(rng, make_definite):
    matrix, target = make_definite(rng), rng.normal(size=4)
    trace = CoordinateMethod(max_iterations=12).minimize(
        Quadratic(matrix, -target), np.zeros(4)
    )
    lower, upper = np.tril(matrix), np.triu(matrix, 1)
    point = np.zeros(4)
    for sweep in range(1, 4):
        point = np.linalg.solve(lower, target - upper @ point)
        assert trace.points[4 * sweep] == pytest.approx(point, rel=1e-10)


@pytest.mark.syllabus("S0A-247")
def test_separate_variables_need_one_sweep_and_steps_of_either_sign():
    bowl = Quadratic(np.diag([1.0, 50.0, 0.1]), np.array([-1.0, 100.0, 0.2]))
    trace = CoordinateMethod().minimize(bowl, np.zeros(3))
    assert trace.iterations == 3
    assert trace.point == pytest.approx(bowl.minimizer, rel=1e-12)
    assert np.sign(trace.steps).tolist() == [1.0, -1.0, -1.0]


@pytest.mark.syllabus("S0A-247")
def test_the_greedy_choice_lowers_the_value_most(rng, make_definite):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    trace = CoordinateMethod("greedy", max_iterations=10).minimize(bowl, np.ones(4))
    for t in range(10):
        # The minimum along axis i is g² / 2A lower.
        gains = trace.gradients[t] ** 2 / (2.0 * np.diag(bowl.matrix))
        assert np.argmax(np.abs(trace.directions[t])) == np.argmax(gains)
        drop = trace.values[t] - trace.values[t + 1]
        assert drop == pytest.approx(np.max(gains), rel=1e-8, abs=1e-14)


@pytest.mark.syllabus("S0A-247")
def test_the_greedy_order_needs_fewer_steps_when_few_variables_matter(rng):
    size, busy = 30, [4, 17, 23]
    matrix = np.eye(size)
    matrix[np.ix_(busy, busy)] += 0.3 * np.ones((3, 3))
    target = np.zeros(size)
    target[busy] = rng.normal(size=3)
    bowl = Quadratic(matrix, -target)
    steps = {
        order: CoordinateMethod(order).minimize(bowl, np.zeros(size)).iterations
        for order in ("cyclic", "greedy")
    }
    assert steps["greedy"] * 5 < steps["cyclic"]


@pytest.mark.syllabus("S0A-247")
@pytest.mark.parametrize("order", ["cyclic", "greedy"])
def test_coordinate_descent_reaches_the_minimum_of_a_smooth_function(
    order, rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    method = CoordinateMethod(order, tolerance=1e-9)
    trace = method.minimize(function, np.zeros(4))
    assert trace.reason == "gradient"
    assert trace.gradient_norms[-1] <= 1e-9
    assert np.all(np.diff(trace.values) <= 1e-15)


@pytest.mark.syllabus("S0B-064")
def test_clipped_coordinates_minimise_a_quadratic_over_a_box(rng, make_definite):
    box = Box(np.array([-0.5, 0.0, -np.inf, 0.2]), np.array([0.5, 1.0, 0.3, np.inf]))
    for _ in range(5):
        bowl = Quadratic(make_definite(rng), 3.0 * rng.normal(size=4))
        # Without infinite sides the certificate closes; with them the points settle.
        trace = minimize_in_box(bowl, box, np.zeros(4))
        factor = np.linalg.cholesky(bowl.matrix)
        target = -np.linalg.solve(factor, bowl.slope)
        peer = lsq_linear(factor.T, target, bounds=(box.low, box.high), tol=1e-14)
        assert trace.point == pytest.approx(peer.x, abs=1e-6)
        assert box.contains(trace.point)
        assert np.all(np.diff(trace.values) <= 1e-13)


@pytest.mark.syllabus("S0B-064")
def test_a_bounded_box_certifies_how_near_the_minimum_is(rng, make_definite):
    box = Box(np.zeros(4), np.ones(4))
    bowl = Quadratic(make_definite(rng), 3.0 * rng.normal(size=4))
    trace = minimize_in_box(bowl, box, np.full(4, 0.5))
    assert trace.reason == "gradient"
    assert 0.0 <= -optimality_slack(bowl, trace.point, box) <= 1e-10
    assert np.any((trace.point == 0.0) | (trace.point == 1.0))
    with pytest.raises(IncompatibleError, match="positive diagonal"):
        minimize_in_box(Quadratic(np.diag([1.0, 0.0])), box, np.zeros(2))


def test_an_unknown_order_is_refused():
    with pytest.raises(InvalidParameterError, match="'cyclic', 'greedy'"):
        CoordinateMethod("random")
