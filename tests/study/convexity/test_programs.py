"""Constrained problems: feasibility, Lagrangian, duality and optimality conditions."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.errors import DataError, IncompatibleError
from infimum.study.convexity import (
    ActiveSet,
    Affine,
    BarrierMethod,
    Box,
    ConvexProgram,
    Multipliers,
    NegativeDual,
    Oracle,
    PathFollowing,
    ProjectedBarzilaiBorwein,
    ProjectedGradient,
    Quadratic,
    QuadraticProgram,
    SquaredNorm,
    dual_value,
    kkt_report,
    projected_gradient,
    worst_chord,
)

NONE = np.empty(0)
#: Half the square of w, for 1 ≤ w ≤ 2.
BETWEEN = ConvexProgram(
    SquaredNorm(), (Affine(-np.ones(1), 1.0), Affine(np.ones(1), -2.0))
)
BETWEEN_QP = QuadraticProgram(
    np.eye(1),
    np.zeros(1),
    inequality_matrix=np.array([[-1.0], [1.0]]),
    inequality_limit=np.array([-1.0, 2.0]),
)


@pytest.fixture
def program(rng, make_definite):
    """Return a random quadratic over a few half-spaces and a plane, and its minimum."""
    bowl = Quadratic(make_definite(rng), 3.0 * rng.normal(size=4))
    walls = tuple(Affine(row, -0.3) for row in rng.normal(size=(5, 4)))
    plane = Affine(rng.normal(size=4), 0.1)
    problem = ConvexProgram(bowl, walls, (plane,))
    return problem, BarrierMethod(tolerance=1e-9).solve(problem, np.zeros(4))


@pytest.mark.syllabus("S0B-020", "S4B-302")
def test_a_point_is_feasible_when_it_keeps_every_constraint(program):
    problem, solution = program
    assert problem.is_feasible(solution.point, 1e-8)
    assert not problem.is_feasible(solution.point + 1.0, 1e-8)
    assert BETWEEN.is_feasible(np.array([2.0]))
    assert not BETWEEN.is_feasible(np.array([2.0 + 1e-6]))
    assert BETWEEN.is_feasible(np.array([2.0 + 1e-6]), tolerance=1e-5)
    assert BETWEEN.violation(np.array([0.25])) == 0.75


@pytest.mark.syllabus("S4B-302")
def test_an_equality_is_two_inequalities_which_are_convex_only_if_it_is_affine(rng):
    points = rng.normal(size=(12, 2))
    plane, circle = Affine(np.ones(2), -1.0), SquaredNorm() + Affine(np.zeros(2), -0.5)
    for equality, convex in ((plane, True), (circle, False)):
        problem = ConvexProgram(SquaredNorm(), (), (equality,))
        assert problem.is_convex(points) is convex
        above, below = equality.value, lambda w, e=equality: -e.value(w)
        both = [worst_chord(f, points).violates for f in (above, below)]
        assert any(both) is not convex
    with pytest.raises(IncompatibleError, match="affine equalities"):
        BarrierMethod().solve(ConvexProgram(SquaredNorm(), (), (circle,)), np.ones(2))


@pytest.mark.syllabus("S4B-302")
def test_from_every_start_the_same_minimum_is_found(program, rng):
    problem, solution = program
    for _ in range(3):
        again = BarrierMethod(tolerance=1e-9).solve(problem, 5.0 * rng.normal(size=4))
        assert again.value == pytest.approx(solution.value, abs=1e-8)


@pytest.mark.syllabus("S0B-021")
def test_half_the_square_between_one_and_two_has_its_minimum_at_one():
    box = Box(np.ones(1), np.full(1, 2.0))
    for found in (
        ActiveSet().solve(BETWEEN_QP).point,
        PathFollowing().solve(BETWEEN_QP).point,
        BarrierMethod().solve(BETWEEN, np.array([1.7])).point,
        ProjectedGradient(box).minimize(SquaredNorm(), np.full(1, 1.7)).point,
        ProjectedBarzilaiBorwein(box).minimize(SquaredNorm(), np.full(1, 1.7)).point,
    ):
        assert found == pytest.approx(np.ones(1), abs=1e-7)
    assert SquaredNorm().gradient(np.ones(1)) == [1.0], "the slope is not 0 there"
    assert projected_gradient(SquaredNorm(), np.ones(1), box) == [0.0]
    solution = ActiveSet().solve(BETWEEN_QP)
    assert solution.multipliers.inequality.tolist() == [1.0, 0.0]
    assert solution.report.lower_bound == 0.5


@pytest.mark.syllabus("S0B-027", "S2-045", "S2-046", "S2-047")
def test_the_largest_lagrangian_is_the_objective_inside_and_a_wall_outside(rng):
    prices = [rng.exponential(size=2) for _ in range(50)]
    inside, outside = np.array([1.4]), np.array([2.5])
    for w in (inside, outside):
        above = BETWEEN.constraints(w).inequality
        for alpha in prices:
            value = BETWEEN.lagrangian(Multipliers(alpha, NONE)).value(w)
            assert value == pytest.approx(0.5 * w[0] ** 2 + alpha @ above)
    at_inside = [BETWEEN.lagrangian(Multipliers(a, NONE)).value(inside) for a in prices]
    assert max(at_inside) <= BETWEEN.walled_value(inside) == 0.5 * 1.4**2
    nothing = BETWEEN.lagrangian(Multipliers(np.zeros(2), NONE))
    assert nothing.value(inside) == BETWEEN.walled_value(inside), "attained at 0"
    grown = [
        BETWEEN.lagrangian(Multipliers(np.array([0.0, t]), NONE)).value(outside)
        for t in (1.0, 1e3, 1e6)
    ]
    assert grown[2] > 4e5
    assert BETWEEN.walled_value(outside) == np.inf
    line = np.linspace(0.0, 3.0, 301)[:, None]
    assert min(BETWEEN.walled_value(w) for w in line) == 0.5


@pytest.mark.syllabus("S0B-027", "S2-046")
def test_prices_of_inequalities_below_zero_are_refused():
    with pytest.raises(DataError, match="non-negative multipliers"):
        BETWEEN.lagrangian(Multipliers(np.array([-0.1, 0.0]), NONE))
    with pytest.raises(DataError, match="2 inequalities and 0 equalities"):
        BETWEEN.lagrangian(Multipliers(np.zeros(1), NONE))


@pytest.mark.syllabus(
    "S0B-028", "S2-048", "S2-049", "S3-057", "S3-058", "S4B-308", "S4B-310"
)
def test_no_prices_give_a_dual_value_above_the_minimum(program, rng):
    problem, solution = program
    for _ in range(40):
        prices = Multipliers(rng.exponential(size=5), rng.normal(size=1))
        bound = dual_value(problem, prices, np.zeros(4))
        lagrangian = problem.lagrangian(prices)
        numeric = minimize(lagrangian.value, np.zeros(4), jac=lagrangian.gradient)
        assert bound == pytest.approx(numeric.fun, rel=1e-6), "it is the infimum"
        assert bound <= solution.value + 1e-9
    assert dual_value(problem, solution.multipliers, np.zeros(4)) <= solution.value


@pytest.mark.syllabus("S0B-029", "S2-050", "S3-061", "S4B-311", "S4B-312", "S0B-030")
def test_under_slaters_condition_the_dual_problem_reaches_the_minimum(program):
    problem, solution = program
    assert problem.is_strictly_feasible(solution.trace.points[0])
    dual = NegativeDual(problem, np.zeros(4))
    ascent = ProjectedBarzilaiBorwein(dual.prices, tolerance=1e-9).minimize(
        dual, np.zeros(6)
    )
    assert -ascent.best == pytest.approx(solution.value, abs=1e-7)
    # The gap bounds the true error at every stage, and closes.
    for prices in ascent.points[::5]:
        w = dual.minimizer(prices)
        if problem.is_feasible(w):
            assert problem.objective.value(w) - solution.value <= (
                problem.objective.value(w) + dual.value(prices) + 1e-12
            )
    assert dual.minimizer(ascent.best_point) == pytest.approx(
        solution.point, abs=1e-5
    ), "the primal point comes with the prices"


@pytest.mark.syllabus("S0B-030")
def test_the_gap_is_never_below_the_true_error(program):
    _, solution = program
    best = solution.report.lower_bound
    errors = solution.trace.values - best
    assert np.all(errors <= solution.trace.gaps + 1e-10)
    assert solution.trace.gaps[-1] <= 1e-9


@pytest.mark.syllabus("S0B-031", "S2-051", "S2-052", "S3-062", "S3-063", "S4B-306")
def test_the_report_is_clean_at_the_optimum_and_nowhere_else(program, rng):
    problem, solution = program
    report = solution.report
    assert report.satisfied(1e-5)
    assert report.gap == pytest.approx(0.0, abs=1e-8)
    alpha = solution.multipliers.inequality
    above = problem.constraints(solution.point).inequality
    # A price means no room, and room means no price.
    assert np.all((alpha < 1e-6) | (above > -1e-6))
    assert np.any(alpha > 1e-3)
    assert np.any(above < -1e-3)
    for _ in range(10):
        other = kkt_report(
            problem, solution.point + 0.1 * rng.normal(size=4), solution.multipliers
        )
        assert not other.satisfied(1e-3)
    wrong = Multipliers(alpha - 0.5, solution.multipliers.equality)
    assert kkt_report(problem, solution.point, wrong).dual_infeasibility >= 0.5 - 1e-6
    assert "stationarity" in str(report)


@pytest.mark.syllabus("S4B-304", "S4B-305")
def test_an_equality_is_met_where_the_gradients_are_parallel():
    problem = QuadraticProgram(
        2.0 * np.eye(2), np.zeros(2), np.ones((1, 2)), np.ones(1)
    )
    point, prices = problem.solve_equalities()
    assert point.tolist() == [0.5, 0.5]
    assert prices.equality.tolist() == [-1.0]
    assert problem.value(point) - 1.0 == -0.5
    lagrangian = problem.program.lagrangian(Multipliers(NONE, prices.equality))
    assert lagrangian.gradient(point) == pytest.approx(np.zeros(2))
    constraint = problem.program.equalities[0]
    assert constraint.value(point) == 0.0, "the slope in the multiplier"
    slope = problem.program.objective.gradient(point)
    assert slope == pytest.approx(-prices.equality[0] * constraint.gradient(point))


@pytest.mark.syllabus("S4B-306")
def test_a_wall_is_either_met_and_priced_or_has_room_and_no_price():
    for place, active in ((3.0, True), (0.5, False)):
        problem = QuadraticProgram(
            np.eye(1),
            np.array([-place]),
            inequality_matrix=np.ones((1, 1)),
            inequality_limit=np.ones(1),
        )
        solution = PathFollowing().solve(problem)
        price = float(solution.multipliers.inequality[0])
        assert (price > 1.0) is active
        assert (solution.point[0] < 0.9) is not active
        assert abs(price * (solution.point[0] - 1.0)) < 1e-8


@pytest.mark.syllabus("S4B-307")
def test_the_largest_rectangle_of_a_perimeter_is_a_square_though_not_convex(rng):
    area = Oracle(
        lambda x: -float(x[0] * x[1]), lambda x: -x[::-1], lambda _: -np.eye(2)[::-1]
    )
    problem = ConvexProgram(area, (Affine(np.array([2.0, 2.0]), -1.0),))
    assert not problem.is_convex(rng.normal(size=(10, 2)))
    square, price = np.array([0.25, 0.25]), Multipliers(np.array([0.125]), NONE)
    slope = area.gradient(square) + 0.125 * problem.inequalities[0].gradient(square)
    assert slope.tolist() == [0.0, 0.0]
    assert problem.constraints(square).inequality.tolist() == [0.0]
    sides = np.linspace(0.0, 0.5, 101)
    areas = [problem.walled_value(np.array([a, b])) for a in sides for b in sides]
    assert min(areas) == area.value(square) == -1 / 16
    # Not convex: the Lagrangian has no minimum, its gap stays open.
    corners = np.array([[s * t, s] for s in (1.0, 30.0) for t in (1.0, -1.0)])
    assert dual_value(problem, price, square, among=corners) < -100.0
