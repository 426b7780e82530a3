"""Linear programs: canonical form, dual, dual of the dual, interior point."""

import numpy as np
import pytest
from scipy.optimize import linprog

from infimum.errors import DataError
from infimum.study.convexity import (
    LinearProgram,
    Multipliers,
    PathFollowing,
    canonical_form,
    dual_value,
)


def random_program(rng, rows=4, size=9):
    """Return a program with a primal and a dual feasible point, hence a minimum."""
    matrix = rng.normal(size=(rows, size))
    target = matrix @ rng.exponential(size=size)
    cost = matrix.T @ rng.normal(size=rows) + rng.exponential(size=size)
    return LinearProgram(cost, matrix, target)


def reference(program):
    return linprog(program.cost, A_eq=program.matrix, b_eq=program.target)


@pytest.mark.syllabus("S0B-032")
def test_a_canonical_program_is_solved_like_scipys(rng):
    for _ in range(15):
        program = random_program(rng, rng.integers(1, 6), rng.integers(7, 15))
        solution = PathFollowing().solve(program)
        assert solution.value == pytest.approx(reference(program).fun, abs=1e-7)
        assert np.min(solution.point) >= 0.0
        assert program.matrix @ solution.point == pytest.approx(
            program.target, abs=1e-8
        )
        assert solution.iterations <= 25


@pytest.mark.syllabus("S0B-033")
def test_inequalities_and_free_variables_come_into_canonical_form_and_back(rng):
    for _ in range(5):
        matrix, size = rng.normal(size=(7, 3)), 3
        target = matrix @ rng.normal(size=size) - rng.exponential(size=7)
        cost = matrix.T @ rng.exponential(size=7)
        form = canonical_form(cost, matrix, target)
        assert form.program.matrix.shape == (7, 2 * size + 7)
        solution = PathFollowing().solve(form.program)
        w = form.restore(solution.point)
        direct = linprog(cost, A_ub=-matrix, b_ub=-target, bounds=(None, None))
        assert solution.value == pytest.approx(direct.fun, abs=1e-7)
        assert cost @ w == pytest.approx(direct.fun, abs=1e-7)
        assert np.all(matrix @ w >= target - 1e-7)
        slack = solution.point[2 * size :]
        assert matrix @ w - target == pytest.approx(slack, abs=1e-7)


@pytest.mark.syllabus("S0B-034", "S4B-311", "S4B-312")
def test_primal_and_dual_have_one_value_and_their_points_check_each_other(rng):
    for _ in range(8):
        program = random_program(rng)
        primal = PathFollowing(tolerance=1e-10).solve(program)
        dual = PathFollowing(tolerance=1e-10).solve(program.dual())
        assert -dual.value == pytest.approx(primal.value, abs=1e-8)
        prices = program.prices(dual.point)
        # Aᵀβ + α = c with α ≥ 0, and β free: the sign of the Lagrangian is -β.
        beta = -prices.equality
        assert program.matrix.T @ beta + prices.inequality == pytest.approx(
            program.cost, abs=1e-7
        )
        assert program.target @ beta == pytest.approx(primal.value, abs=1e-7)
        report = program.report(primal.point, prices)
        assert report.satisfied(1e-6)
        assert prices.inequality * primal.point == pytest.approx(np.zeros(9), abs=1e-7)
        assert np.any(beta < 0.0) or np.any(beta > 0.0)


@pytest.mark.syllabus("S0B-034")
def test_the_dual_with_the_other_sign_of_its_slack_would_be_unbounded(rng):
    program = random_program(rng)
    rows = program.matrix.shape[0]
    flipped = np.hstack([program.matrix.T, -program.matrix.T, -np.eye(9)])
    dual = program.dual()
    assert np.array_equal(dual.matrix[:, 2 * rows :], np.eye(9))
    wrong = linprog(dual.cost, A_eq=flipped, b_eq=dual.target)
    assert wrong.status in (2, 3), "unbounded, or reported as not solvable"


@pytest.mark.syllabus("S0B-034")
def test_the_dual_has_2m_plus_n_variables_and_n_equations(rng):
    dual = random_program(rng, rows=4, size=9).dual()
    assert len(dual.cost) == 2 * 4 + 9
    assert len(dual.target) == 9


@pytest.mark.syllabus("S0B-034", "S0B-065")
def test_the_dual_of_the_dual_is_the_primal(rng):
    program = random_program(rng, rows=3, size=6)
    twice = program.dual().dual()
    first, again = PathFollowing().solve(program), PathFollowing().solve(twice)
    assert again.value == pytest.approx(first.value, abs=1e-7)
    size = len(program.cost)
    w = again.point[size : 2 * size] - again.point[:size]
    assert w == pytest.approx(first.point, abs=1e-6)
    assert program.matrix @ w == pytest.approx(program.target, abs=1e-6)


@pytest.mark.syllabus("S0B-034", "S0B-028")
def test_every_dual_feasible_price_is_a_lower_bound_and_others_prove_nothing(rng):
    program = random_program(rng)
    best = reference(program).fun
    for _ in range(20):
        beta = rng.normal(size=4)
        alpha = program.cost - program.matrix.T @ beta
        if np.min(alpha) >= 0.0:
            prices = Multipliers(alpha, -beta)
            bound = dual_value(program.program, prices, np.zeros(9))
            assert bound == pytest.approx(program.target @ beta)
            assert bound <= best + 1e-9
        lifted = Multipliers(np.abs(alpha) + 1.0, -beta)
        assert dual_value(program.program, lifted, np.zeros(9)) == -np.inf


def test_the_interior_points_gap_is_that_of_its_point_and_prices(rng):
    program = random_program(rng)
    solution = PathFollowing().solve(program)
    proved = solution.trace.gaps[np.isfinite(solution.trace.gaps)]
    assert np.all(np.diff(proved) < 0.0), "every step leaves a share below one"
    assert solution.gap == pytest.approx(proved[-1], abs=1e-9)
    best = reference(program).fun
    for record in solution.trace:
        if np.isfinite(record.gap):
            assert record.value - best <= record.gap + 1e-5


def test_contradictions_and_unbounded_programs_are_said_in_a_sentence():
    with pytest.raises(DataError, match="no feasible point"):
        PathFollowing().solve(LinearProgram(np.ones(2), np.ones((1, 2)), -np.ones(1)))
    with pytest.raises(DataError, match="unbounded below"):
        PathFollowing().solve(
            LinearProgram(-np.ones(2), np.array([[1.0, -1.0]]), np.ones(1))
        )
    with pytest.raises(DataError, match=r"shape \(1, 2\)"):
        LinearProgram(np.ones(2), np.ones((2, 2)), np.ones(1))
