"""The cutting plane method and its certificate."""

import numpy as np
import pytest
from scipy.optimize import linprog

from infimum.errors import DataError
from infimum.study.convexity import (
    Affine,
    Box,
    CuttingPlane,
    Maximum,
    Norm,
    SquaredNorm,
    Translated,
    first_order_model,
)

BOX = Box(np.full(3, -2.0), np.full(3, 2.0))


@pytest.mark.syllabus("S0A-284", "S0B-012")
def test_tangent_planes_bound_the_function_from_below_and_tighten(rng):
    function = Translated(Norm(1.0), np.array([0.5, -0.5, 1.0])) + 0.1 * SquaredNorm()
    trace = CuttingPlane().minimize(function, np.zeros(3), BOX)
    planes = trace.planes
    for point, plane in zip(trace.points, planes.terms, strict=True):
        tangent, probe = first_order_model(function, point), rng.normal(size=3)
        assert plane.value(probe) == pytest.approx(tangent.value(probe), abs=1e-12)
    for probe in rng.uniform(-2.0, 2.0, size=(40, 3)):
        assert planes.value(probe) <= function.value(probe) + 1e-12
    for point, value in zip(trace.points, trace.values, strict=True):
        assert planes.value(point) == pytest.approx(value, abs=1e-12)
    fewer = Maximum(planes.terms[:3])
    assert fewer.value(trace.point) <= planes.value(trace.point), "planes only add"


@pytest.mark.syllabus("S0A-284", "S0B-014")
def test_the_gap_certifies_the_minimum_of_a_kinked_function(rng):
    place = np.array([0.5, -0.5, 1.0])
    function = Translated(Norm(1.0), place) + Translated(Norm(np.inf), -place)
    trace = CuttingPlane(tolerance=1e-8).minimize(function, np.zeros(3), BOX)
    lowest = min(function.value(p) for p in rng.uniform(-2.0, 2.0, size=(2000, 3)))
    assert trace.gap + 1e-12 >= 0.0
    assert trace.gap <= 1e-8
    assert function.value(trace.point) <= lowest
    assert np.all(np.diff(trace.lower_bounds) >= 0.0)
    assert np.all(np.diff(trace.gaps) <= 0.0)
    assert np.all(trace.lower_bounds <= function.value(trace.point) + 1e-12)


@pytest.mark.syllabus("S0A-284", "S0B-013")
def test_on_a_piecewise_linear_function_it_ends_at_the_linear_programs_minimum(rng):
    slopes, offsets = rng.normal(size=(12, 3)), rng.normal(size=12)
    function = Maximum(
        tuple(Affine(s, float(o)) for s, o in zip(slopes, offsets, strict=True))
    )
    trace = CuttingPlane(tolerance=1e-9).minimize(function, np.ones(3), BOX)
    whole = linprog(
        c=[0.0, 0.0, 0.0, 1.0],
        A_ub=np.hstack([slopes, -np.ones((12, 1))]),
        b_ub=-offsets,
        bounds=[(-2.0, 2.0)] * 3 + [(None, None)],
    )
    assert np.min(trace.values) == pytest.approx(whole.fun, abs=1e-9)
    assert len(trace.points) <= 13, "each piece is met at most once"


@pytest.mark.syllabus("S0B-015")
def test_four_planes_of_a_curve_leave_the_gap_of_the_fourth_iteration():
    curve = Translated(SquaredNorm(), np.array([0.6]))
    box = Box(np.array([-2.0]), np.array([2.0]))
    trace = CuttingPlane(max_iterations=4).minimize(curve, np.array([-1.5]), box)
    grid = np.linspace(-2.0, 2.0, 4001)
    lowest = min(trace.planes.value(np.array([t])) for t in grid)
    assert len(trace.planes.terms) == 4
    # On a grid of width 0.001 the planes, of slope at most 2.6, miss by 0.0013.
    assert trace.lower_bounds[-1] == pytest.approx(lowest, abs=2e-3)
    assert trace.gap == pytest.approx(np.min(trace.values) - trace.lower_bounds[-1])
    assert curve.value(trace.point) <= trace.gap + 1e-12, "the true minimum is 0"


def test_an_unbounded_box_is_refused_in_a_sentence():
    free = Box(np.full(2, -np.inf), np.full(2, np.inf))
    with pytest.raises(DataError, match="bounded box"):
        CuttingPlane().minimize(Norm(1.0), np.ones(2), free)


def test_a_used_up_budget_still_returns_the_gap():
    trace = CuttingPlane(max_iterations=3).minimize(SquaredNorm(), np.ones(3), BOX)
    assert len(trace.points) == 3
    assert trace.gap > 1e-6
