"""Convexity by chords, curvature and planes; subgradients and their use."""

import numpy as np
import pytest
from scipy.optimize import check_grad

from infimum.errors import DataError
from infimum.study.convexity import (
    Affine,
    Ball,
    BelowSet,
    ConvexHull,
    ExponentialSum,
    FixedStep,
    GradientDescent,
    Maximum,
    Norm,
    Oracle,
    Quadratic,
    SquaredNorm,
    numeric_gradient,
    sampled_moduli,
    smallest_curvature,
    stray_chord,
    tangent_slack,
    worst_chord,
)


@pytest.mark.syllabus("S4B-299")
def test_a_chord_leaves_a_ring_but_no_polytope_and_no_ball(rng):
    points = rng.uniform(-2.0, 2.0, size=(40, 2))
    polytope = ConvexHull(np.array([[-2.0, -1.0], [2.0, 0.0], [0.0, 2.0]]))
    assert stray_chord(polytope.contains, points[:15]) is None
    assert stray_chord(Ball(2.0, 1.5).contains, points) is None
    stray = stray_chord(lambda x: bool(1.0 <= np.linalg.norm(x) <= 2.0), points)
    assert stray is not None
    assert np.linalg.norm(stray.middle) < 1.0


@pytest.mark.syllabus("S4B-300")
def test_chords_and_curvature_tell_convex_functions_from_others(rng):
    line = rng.uniform(-2.0, 2.0, size=(12, 1))
    square = Oracle(lambda x: float(x[0] ** 2), lambda x: 2.0 * x)
    cube = Oracle(lambda x: float(x[0] ** 3), lambda x: 3.0 * x**2)
    for function, convex in ((square, True), (ExponentialSum(), True), (cube, False)):
        assert worst_chord(function, line).violates is not convex
        curvatures = [smallest_curvature(function, x) for x in line]
        assert (min(curvatures) >= 0.0) is convex
    product = Oracle(lambda x: -float(x[0] * x[1]), lambda x: -x[::-1])
    assert worst_chord(product, rng.normal(size=(12, 2))).violates
    assert smallest_curvature(product, np.ones(2)) == pytest.approx(-1.0, abs=1e-6)
    opposite = Oracle(lambda x: float(x[0] * x[1]), lambda x: x[::-1])
    assert smallest_curvature(opposite, np.ones(2)) == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.syllabus("S4B-301")
def test_convex_functions_have_convex_below_sets_but_not_only_they(rng):
    points = rng.normal(size=(25, 2))
    for level in (0.3, 1.0):
        below = BelowSet(Norm(1.0) + SquaredNorm(), level)
        assert stray_chord(below.contains, points) is None
    line = np.linspace(-2.0, 2.0, 25)[:, None]
    root = Oracle(lambda x: float(np.sqrt(np.abs(x[0]))), np.sign)
    assert worst_chord(root, line).violates
    for level in (0.3, 1.0):
        assert stray_chord(BelowSet(root, level).contains, line) is None


@pytest.mark.syllabus("S4B-303")
def test_the_gradient_is_right_and_points_where_the_function_grows_most(rng):
    waves = Oracle(
        lambda x: float(np.cos(x[0]) * np.sin(x[1])),
        lambda x: np.array([-np.sin(x[0]) * np.sin(x[1]), np.cos(x[0]) * np.cos(x[1])]),
    )
    for x in rng.uniform(-3.0, 3.0, size=(8, 2)):
        gradient = waves.gradient(x)
        assert numeric_gradient(waves, x) == pytest.approx(gradient, abs=1e-8)
        assert check_grad(waves.value, waves.gradient, x) < 1e-6
        steepest = gradient / np.linalg.norm(gradient)
        rise = waves.value(x + 1e-4 * steepest)
        angles = np.linspace(0.0, 2.0 * np.pi, 33)
        for direction in np.column_stack([np.cos(angles), np.sin(angles)]):
            assert waves.value(x + 1e-4 * direction) <= rise + 1e-8


@pytest.mark.syllabus("S3-051")
def test_tangents_lie_below_and_a_point_without_slope_is_a_global_minimum(
    rng, make_definite, make_logistic_ridge
):
    functions = (
        make_logistic_ridge(rng)[0],
        Quadratic(make_definite(rng), rng.normal(size=4)),
    )
    for function in functions:
        least = GradientDescent(tolerance=1e-10).minimize(function, np.zeros(4)).point
        assert function.gradient(least) == pytest.approx(np.zeros(4), abs=1e-9)
        for _ in range(20):
            x, y = 3.0 * rng.normal(size=(2, 4))
            assert tangent_slack(function, x, y) >= -1e-12
            assert function.value(y) >= function.value(least) - 1e-12
    wave = Oracle(lambda w: float(np.cos(w[0])), lambda w: -np.sin(w))
    slacks = [tangent_slack(wave, np.zeros(1), np.array([t])) for t in (1.0, 2.0)]
    assert max(slacks) < 0.0, "without convexity the tangent may lie above"


@pytest.mark.syllabus("S3-052", "S3-053")
def test_subgradients_are_the_planes_below_one_where_smooth_many_at_a_kink(rng):
    probes = rng.normal(size=(60, 1))

    def is_subgradient(function, x, slope):
        at, rise = np.array([x]), np.array([slope])
        return all(tangent_slack(function, at, z, rise) >= -1e-12 for z in probes)

    absolute = Norm(1.0)
    candidates = np.linspace(-1.5, 1.5, 61)
    at_kink = [s for s in candidates if is_subgradient(absolute, 0.0, s)]
    assert (min(at_kink), max(at_kink)) == pytest.approx((-1.0, 1.0))
    assert len(at_kink) == 41, "the whole interval"
    smooth = [s for s in candidates if is_subgradient(absolute, 0.5, s)]
    assert smooth == pytest.approx([float(absolute.gradient(np.array([0.5]))[0])])
    # 0 is a subgradient exactly at the minimiser.
    places = (-0.5, 0.0, 0.25)
    assert [is_subgradient(absolute, x, 0.0) for x in places] == [False, True, False]
    flipped = Oracle(lambda x: -float(abs(x[0])), lambda x: -np.sign(x))
    assert not any(is_subgradient(flipped, 0.0, s) for s in candidates), "may be none"


@pytest.mark.syllabus("S3-053")
def test_a_convex_function_has_a_subgradient_at_every_point(specimen, rng):
    for _ in range(5):
        x = specimen.draw(rng)
        slope = specimen.function.gradient(x)
        for _ in range(10):
            z = specimen.draw(rng)
            slack = tangent_slack(specimen.function, x, z, slope)
            assert slack >= -1e-9 * (1.0 + abs(specimen.function.value(z)))


@pytest.mark.syllabus("S3-055")
def test_a_small_subgradient_step_comes_nearer_though_the_value_may_rise():
    function = Maximum(
        (Affine(np.array([1.0, 5.0])), Affine(np.array([1.0, -5.0])), Norm(1.0))
    )
    trace = GradientDescent(FixedStep(0.05), tolerance=0.0, max_iterations=40).minimize(
        function, np.array([3.0, 0.2])
    )
    distances = np.linalg.norm(trace.points, axis=1)
    # A step below 2(f - f*)/‖g‖² shortens the distance to the minimiser 0.
    allowed = 2.0 * trace.values[:-1] / trace.gradient_norms[:-1] ** 2
    small = allowed > 0.05
    assert np.all(np.diff(distances)[small] < 0.0)
    assert np.sum(small) > 30
    assert np.any(np.diff(trace.values)[small] > 0.0), "yet some values rise"


def test_sampled_moduli_stay_within_the_stated_ones(strongly_convex, smooth, rng):
    for specimen in (strongly_convex, smooth):
        points = np.array([specimen.draw(rng) for _ in range(8)])
        sigma, steep = sampled_moduli(specimen.function, points)
        assert sigma >= specimen.function.strong_convexity * (1 - 1e-9)
        assert steep <= specimen.function.smoothness * (1 + 1e-9)
    with pytest.raises(DataError, match="two points"):
        sampled_moduli(SquaredNorm(), np.zeros((1, 2)))
