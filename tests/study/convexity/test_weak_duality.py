"""Duality where nothing is convex, where it fails, and its saddle point."""

import numpy as np
import pytest

from infimum.study.convexity import (
    Affine,
    BarrierMethod,
    Box,
    ConvexProgram,
    CuttingPlane,
    Multipliers,
    NegativeDual,
    Oracle,
    SquaredNorm,
    dual_value,
    worst_chord,
)

NONE = np.empty(0)


@pytest.fixture
def bumpy():
    """Return a problem with many local minima, on a grid of points."""
    wave = Oracle(
        lambda w: float(np.sin(5.0 * w[0]) + 0.1 * w[0] ** 2),
        lambda w: 5.0 * np.cos(5.0 * w) + 0.2 * w,
    )
    low = Oracle(
        lambda w: float(np.cos(3.0 * w[0])) + 0.2, lambda w: -3.0 * np.sin(3.0 * w)
    )
    grid = np.linspace(-3.0, 3.0, 401)[:, None]
    return ConvexProgram(wave, (low, Affine(np.ones(1), -1.0))), grid


@pytest.mark.syllabus("S4B-309")
def test_the_dual_function_is_concave_whatever_the_problem_is(bumpy, rng):
    program, grid = bumpy
    assert worst_chord(program.objective, grid[::20]).violates
    dual = NegativeDual(program, np.zeros(1), among=grid)
    assert not worst_chord(dual, rng.exponential(size=(8, 2))).violates
    prices = rng.exponential(size=(8, 2))
    for here, there in zip(prices, prices[::-1], strict=True):
        plane = dual.value(here) + dual.gradient(here) @ (there - here)
        assert dual.value(there) >= plane - 1e-12


@pytest.mark.syllabus("S0B-028", "S4B-310", "S4B-315", "S2-049")
def test_weak_duality_needs_no_convexity_and_its_gap_tells_what_the_dual_is_worth(
    bumpy, rng
):
    program, grid = bumpy
    best = min(program.walled_value(w) for w in grid)
    for prices in rng.exponential(size=(40, 2)):
        bound = dual_value(program, Multipliers(prices, NONE), np.zeros(1), among=grid)
        assert bound <= best
    dual = NegativeDual(program, np.zeros(1), among=grid)
    trace = CuttingPlane().minimize(
        dual, np.zeros(2), Box(np.zeros(2), np.full(2, 20.0))
    )
    gap = best + trace.best
    assert trace.gap <= 1e-6, "the dual is convex, so its maximum is certain"
    assert 1e-3 < gap < 0.5 * abs(best), "small, and reported, but not 0"


@pytest.mark.syllabus("S4B-312", "S2-050")
def test_without_a_constraint_qualification_a_convex_problem_can_keep_a_gap_of_one():
    # e^-x subject to x²/y ≤ 0 for y > 0: only x = 0 is feasible.
    objective = Oracle(
        lambda w: float(np.exp(-w[0])), lambda w: np.array([-np.exp(-w[0]), 0.0])
    )
    squeezed = Oracle(
        lambda w: float(w[0] ** 2 / w[1]),
        lambda w: np.array([2.0 * w[0] / w[1], -((w[0] / w[1]) ** 2)]),
    )
    program = ConvexProgram(objective, (squeezed,))
    points = np.array([[x, y] for x in (-1.0, 0.0, 0.5, 2.0) for y in (0.5, 1.0, 3.0)])
    assert program.is_convex(points)
    assert not any(program.is_strictly_feasible(point) for point in points)
    assert min(program.walled_value(point) for point in points) == 1.0
    along = np.array([[t, t**3] for t in np.geomspace(1.0, 1e6, 50)])
    for price in (0.0, 1.0, 100.0, 1e4):
        bound = dual_value(
            program, Multipliers(np.array([price]), NONE), points[0], among=along
        )
        assert 0.0 <= bound <= 0.011, "no price proves more than 0"


@pytest.mark.syllabus("S0B-029", "S4B-314")
def test_optimal_point_and_prices_are_a_saddle_point_of_the_lagrangian(rng):
    program = ConvexProgram(
        SquaredNorm(), (Affine(-np.ones(2), 1.0),), (Affine(np.array([1.0, -1.0])),)
    )
    solution = BarrierMethod(tolerance=1e-10).solve(program, np.ones(2))
    point, prices = solution.point, solution.multipliers
    middle = program.lagrangian(prices).value(point)
    assert point == pytest.approx([0.5, 0.5], abs=1e-6)
    for _ in range(30):
        other = Multipliers(rng.exponential(size=1), rng.normal(size=1))
        assert program.lagrangian(other).value(point) <= middle + 1e-8
        elsewhere = point + rng.normal(size=2)
        assert program.lagrangian(prices).value(elsewhere) >= middle - 1e-8
    # Conversely the saddle point solves the problem.
    feasible = rng.uniform(0.5, 2.0, size=30)[:, None] * np.ones(2)
    assert all(program.objective.value(w) >= middle - 1e-8 for w in feasible)
    assert program.is_feasible(point, 1e-8)
