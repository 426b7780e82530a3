"""What convexity of a function means, and what keeps it."""

import numpy as np
import pytest

from infimum.errors import IncompatibleError
from infimum.study.convexity import (
    BFGS,
    EXPONENTIAL,
    NEGATIVE_LOGARITHM,
    POSITIVE_PART,
    RECIPROCAL,
    Affine,
    BelowSet,
    Box,
    Concave,
    Epigraph,
    LogSumExp,
    Maximum,
    MonotoneComposition,
    Norm,
    Oracle,
    Quadratic,
    Softplus,
    SquaredNorm,
    Sum,
    jensen_gap,
    numeric_gradient,
    optimality_slack,
    rounding_allowance,
    smallest_curvature,
    stray_chord,
    tangent_slack,
    worst_chord,
)

hinge = Maximum((Affine(np.zeros(1)), Affine(-np.ones(1), 1.0)))
sine = Oracle(lambda x: float(np.sin(x[0])), np.cos)


@pytest.mark.syllabus("S0A-219")
def test_a_function_is_convex_when_no_chord_runs_below_it(rng):
    points = rng.uniform(-4.0, 4.0, size=(25, 1))
    assert not worst_chord(hinge.value, points).violates
    found = worst_chord(sine.value, points)
    assert found.violates
    t, x, y = found.fraction, found.x, found.y
    chord = t * sine.value(x) + (1 - t) * sine.value(y)
    assert sine.value(t * x + (1 - t) * y) > chord


@pytest.mark.syllabus("S0A-219")
def test_strictly_convex_functions_run_strictly_below_every_chord(rng):
    points = rng.uniform(-4.0, 4.0, size=(15, 1))
    assert worst_chord(SquaredNorm().value, points).strict
    assert not worst_chord(hinge.value, points).strict


@pytest.mark.syllabus("S0A-219", "S0B-057")
def test_the_epigraph_is_a_convex_set_exactly_for_convex_functions(rng):
    points = rng.uniform(-4.0, 4.0, size=(60, 2))
    assert stray_chord(Epigraph(hinge).contains, points) is None
    assert stray_chord(Epigraph(sine).contains, points) is not None


@pytest.mark.syllabus("S0A-220", "S0B-057")
def test_jensen_holds_for_every_mixture_of_points(specimen, rng):
    for _ in range(10):
        points = np.array([specimen.draw(rng) for _ in range(6)])
        weights = rng.dirichlet(np.ones(6))
        values = [specimen.function.value(point) for point in points]
        gap = jensen_gap(specimen.function, points, weights)
        assert gap >= -rounding_allowance(*values)


@pytest.mark.syllabus("S0A-220")
def test_the_jensen_gap_of_the_squared_norm_is_half_the_variance(rng):
    points, weights = rng.normal(size=(8, 3)), rng.dirichlet(np.ones(8))
    spread = points - weights @ points
    variance = float(weights @ np.sum(spread**2, axis=1))
    assert jensen_gap(SquaredNorm(), points, weights) == pytest.approx(variance / 2)


@pytest.mark.syllabus("S0A-221")
def test_convex_functions_lie_above_their_tangent_planes(specimen, rng, allowance):
    for _ in range(20):
        x, y = specimen.draw(rng), specimen.draw(rng)
        slack = tangent_slack(specimen.function, x, y)
        assert slack >= -allowance(specimen.function, x, y)


@pytest.mark.syllabus("S0A-221")
def test_the_hessian_is_positive_semi_definite_where_the_function_is_convex(rng):
    for _ in range(5):
        x = rng.normal(size=4)
        # Differences of a gradient of size one carry errors of eps^(2/3) ≈ 4e-11.
        assert smallest_curvature(LogSumExp(), x) >= -1e-9
        assert smallest_curvature(Softplus() + SquaredNorm(), x) >= 1.0 - 1e-9
    saddle = Oracle(lambda x: float(x[0] * x[1]), lambda x: x[::-1])
    assert smallest_curvature(saddle, np.zeros(2)) == pytest.approx(-1.0)
    assert tangent_slack(saddle, np.zeros(2), np.array([1.0, -1.0])) == -1.0


def kept_convex(rng):
    first, second = LogSumExp(), Norm(1.0)
    matrix, offset = rng.normal(size=(3, 2)), rng.normal(size=3)
    line = Affine(rng.normal(size=3), 1.0)
    return {
        "addition": (first + second, 3),
        "scaling": (2.5 * first, 3),
        "affine transform": (first.after(matrix, offset), 2),
        "adding a linear function": (first + line, 3),
        "subtracting a linear function": (first - line, 3),
        "pointwise maximum": (Maximum((first, second, line)), 3),
        "rising after convex": (MonotoneComposition(EXPONENTIAL, second), 3),
        "hinge after convex": (MonotoneComposition(POSITIVE_PART, first - 1.5), 3),
        "falling after concave": (
            MonotoneComposition(NEGATIVE_LOGARITHM, Concave(SquaredNorm() - 30.0)),
            3,
        ),
        "reciprocal after concave": (
            MonotoneComposition(RECIPROCAL, Concave(SquaredNorm() - 30.0)),
            3,
        ),
    }


@pytest.mark.syllabus("S0A-222")
def test_seven_operations_keep_convexity(rng, allowance):
    for name, (function, dimension) in kept_convex(rng).items():
        points = 1.5 * rng.normal(size=(14, dimension))
        assert not worst_chord(function.value, points).violates, name
        x, y = points[:2]
        assert tangent_slack(function, x, y) >= -allowance(function, x, y), name
        expected = numeric_gradient(function.value, x)
        assert function.gradient(x) == pytest.approx(expected, rel=1e-6, abs=1e-6), name


@pytest.mark.syllabus("S0A-222")
def test_a_composition_that_breaks_the_rule_is_refused_and_indeed_not_convex(rng):
    with pytest.raises(IncompatibleError, match="outer function rises"):
        MonotoneComposition(EXPONENTIAL, Concave(SquaredNorm()))
    with pytest.raises(IncompatibleError, match="outer function rises"):
        MonotoneComposition(RECIPROCAL, SquaredNorm())
    points = rng.normal(size=(20, 2))
    assert worst_chord(lambda x: float(np.exp(-0.5 * x @ x)), points).violates


@pytest.mark.syllabus("S0A-223")
def test_below_sets_of_convex_functions_are_convex(specimen, rng):
    points = np.array([specimen.draw(rng) for _ in range(25)])
    level = float(np.median([specimen.function.value(point) for point in points]))
    below = BelowSet(specimen.function, level)
    assert sum(below.contains(point) for point in points) >= 12
    assert stray_chord(below.contains, points) is None


@pytest.mark.syllabus("S0A-223", "S0B-057")
def test_convex_below_sets_do_not_make_a_function_convex(rng):
    root = Oracle(lambda x: float(np.sqrt(np.abs(x[0]))), lambda x: x)
    points = rng.uniform(-2.0, 2.0, size=(30, 1))
    for level in (0.3, 0.7, 1.2):
        assert stray_chord(BelowSet(root, level).contains, points) is None
    assert worst_chord(root.value, points).violates


@pytest.mark.syllabus("S0A-224")
def test_a_strictly_convex_function_has_one_minimiser_whatever_the_start(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    ends = [
        BFGS(tolerance=1e-11).minimize(function, 5.0 * rng.normal(size=4)).point
        for _ in range(4)
    ]
    # ‖w - w*‖ ≤ ‖gradient‖ / σ with σ ≥ 0.1.
    assert np.max(np.ptp(ends, axis=0)) <= 2 * 1e-11 / 0.1


@pytest.mark.syllabus("S0A-224")
def test_the_minimisers_of_a_convex_function_form_a_convex_set(rng):
    valley = Quadratic(np.diag([1.0, 0.0, 0.0]), np.array([-1.0, 0.0, 0.0]))
    ends = np.array(
        [BFGS().minimize(valley, 3.0 * rng.normal(size=3)).point for _ in range(6)]
    )
    minimum = min(valley.value(end) for end in ends)
    assert np.max(np.ptp(ends, axis=0)) > 1.0
    assert stray_chord(BelowSet(valley, minimum).contains, ends) is None


@pytest.mark.syllabus("S0A-225")
def test_a_point_of_a_box_is_optimal_when_no_vertex_lies_downhill(rng, make_definite):
    box = Box(np.zeros(4), np.ones(4))
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * 4)).reshape(4, -1).T
    bowl = Quadratic(make_definite(rng), 3.0 * rng.normal(size=4))
    point = np.full(4, 0.5)
    for _ in range(4000):
        point = box.project(point - bowl.gradient(point) / bowl.smoothness)
    slack = optimality_slack(bowl, point, box)
    assert np.any((point == 0.0) | (point == 1.0)), "a bound is active"
    assert slack == pytest.approx(0.0, abs=1e-12)
    downhill = (corners - point) @ bowl.gradient(point)
    assert slack == pytest.approx(np.min(downhill), abs=1e-12)
    # Elsewhere the slack is negative and bounds the distance from the minimum.
    for probe in rng.uniform(size=(10, 4)):
        gap = bowl.value(probe) - bowl.value(point)
        assert 0.0 < gap <= -optimality_slack(bowl, probe, box) + 1e-12


@pytest.mark.syllabus("S0A-225")
def test_without_constraints_the_minimiser_is_where_the_gradient_vanishes(
    rng, make_definite
):
    bowl = Quadratic(make_definite(rng), rng.normal(size=4))
    best = bowl.minimizer
    assert bowl.gradient(best) == pytest.approx(np.zeros(4), abs=1e-12)
    others = best + rng.normal(size=(50, 4))
    assert min(bowl.value(other) for other in others) > bowl.value(best)


def test_sums_of_numbers_planes_and_functions_read_as_algebra():
    x = np.array([1.0, -2.0])
    total = 1.0 + SquaredNorm() + Affine(np.ones(2), 2.0) - 3.0
    assert total.value(x) == 2.5 - 1.0 + 2.0 + 1.0 - 3.0
    assert isinstance(Norm(1.0) + SquaredNorm(), Sum)
    assert total.strong_convexity == total.smoothness == 1.0
