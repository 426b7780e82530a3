"""Quadratic programs: one linear system, the active set, the interior point."""

import cvxpy
import numpy as np
import pytest

from infimum.errors import DataError, IncompatibleError
from infimum.study.convexity import (
    ActiveSet,
    PathFollowing,
    QuadraticProgram,
)


def random_program(rng, definite, size=6):
    walls = np.vstack([np.eye(size), -np.eye(size), rng.normal(size=(3, size))])
    limits = np.concatenate([np.full(2 * size, 0.5), rng.exponential(size=3)])
    rows = rng.normal(size=(2, size))
    target = rows @ (0.05 * rng.normal(size=size))
    slope = 4.0 * rng.normal(size=size)
    return QuadraticProgram(definite(rng, size), slope, rows, target, walls, limits)


def reference(program):
    w = cvxpy.Variable(len(program.slope))
    cost = 0.5 * cvxpy.quad_form(w, cvxpy.psd_wrap(program.hessian)) + program.slope @ w
    problem = cvxpy.Problem(
        cvxpy.Minimize(cost),
        [
            program.equality_matrix @ w == program.equality_target,
            program.inequality_matrix @ w <= program.inequality_limit,
        ],
    )
    return problem.solve(solver="CLARABEL")


@pytest.mark.syllabus("S0B-035")
@pytest.mark.parametrize("method", [PathFollowing(), ActiveSet()], ids=["inner", "set"])
def test_a_canonical_quadratic_program_is_solved_like_clarabels(
    method, rng, make_definite
):
    for _ in range(4):
        program = random_program(rng, make_definite)
        solution = method.solve(program)
        assert solution.value == pytest.approx(reference(program), abs=1e-6)
        assert program.program.is_feasible(solution.point, 1e-8)
        assert solution.gap <= 1e-6


@pytest.mark.syllabus("S0B-036")
def test_equalities_alone_are_one_linear_system(rng, make_definite):
    program = QuadraticProgram(
        make_definite(rng), rng.normal(size=4), rng.normal(size=(2, 4)), np.ones(2)
    )
    w, prices = program.solve_equalities()
    stacked = np.concatenate([w, prices.equality])
    target = np.concatenate([-program.slope, program.equality_target])
    assert program.kkt_matrix @ stacked == pytest.approx(target, abs=1e-9)
    ways = np.linalg.svd(program.equality_matrix)[2][2:]
    for _ in range(30):
        other = w + rng.normal(size=2) @ ways
        assert program.equality_matrix @ other == pytest.approx(np.ones(2))
        assert program.value(other) >= program.value(w)


@pytest.mark.syllabus("S0B-037")
def test_the_reduced_hessian_decides_whether_the_minimiser_is_unique(rng):
    # Indefinite, but definite along the constraint, where the last entry is fixed.
    saddle = QuadraticProgram(
        np.diag([1.0, 2.0, -5.0]),
        np.ones(3),
        np.array([[0.0, 0.0, 1.0]]),
        np.array([0.3]),
    )
    assert saddle.is_unique
    w, prices = saddle.solve_equalities()
    assert w == pytest.approx([-1.0, -0.5, 0.3])
    # There the derivative is balanced by the price of the constraint.
    falls = saddle.program.objective.gradient(w)
    assert falls == pytest.approx([0.0, 0.0, 1.0 - 5.0 * 0.3], abs=1e-12)
    assert prices.equality == pytest.approx(-falls[2:])
    for _ in range(20):
        other = np.append(rng.normal(size=2), 0.3)
        assert saddle.value(other) >= saddle.value(w)
    flat = QuadraticProgram(
        np.diag([0.0, 1.0, 1.0]), np.ones(3), np.array([[0.0, 0.0, 1.0]]), np.ones(1)
    )
    double = QuadraticProgram(np.eye(3), np.ones(3), np.ones((2, 3)), np.ones(2))
    for program in (flat, double):
        assert not program.is_unique
        assert np.linalg.matrix_rank(program.kkt_matrix) < len(program.kkt_matrix)
        with pytest.raises(IncompatibleError, match="no unique minimiser"):
            program.solve_equalities()


@pytest.mark.syllabus("S0B-038")
def test_at_the_minimum_only_the_active_walls_have_a_price(rng, make_definite):
    met = 0
    for _ in range(6):
        program = random_program(rng, make_definite)
        solution = ActiveSet().solve(program)
        w, (alpha, beta) = solution.point, solution.multipliers
        active = program.active_set(w)
        idle = np.setdiff1d(np.arange(len(alpha)), active)
        walls, rows = program.inequality_matrix, program.equality_matrix
        slope = program.hessian @ w + program.slope
        total = slope + rows.T @ beta + walls[active].T @ alpha[active]
        assert total == pytest.approx(np.zeros(6), abs=1e-8)
        assert rows @ w == pytest.approx(program.equality_target, abs=1e-9)
        assert walls[active] @ w == pytest.approx(program.inequality_limit[active])
        assert np.all(walls[idle] @ w < program.inequality_limit[idle])
        assert np.all(alpha >= 0.0)
        assert np.all(alpha[idle] == 0.0)
        met += len(active)
        # Knowing the active set is knowing the answer.
        held = QuadraticProgram(
            program.hessian,
            program.slope,
            np.vstack([rows, walls[active]]),
            np.concatenate([program.equality_target, program.inequality_limit[active]]),
        )
        assert held.solve_equalities()[0] == pytest.approx(w, abs=1e-8)
    assert met > 5


@pytest.mark.syllabus("S0B-038")
def test_the_objective_falls_from_guess_to_guess_and_starts_are_kept(
    rng, make_definite
):
    program = random_program(rng, make_definite)
    start = PathFollowing().solve(
        QuadraticProgram(
            np.eye(6),
            np.zeros(6),
            program.equality_matrix,
            program.equality_target,
            program.inequality_matrix,
            program.inequality_limit,
        )
    )
    solution = ActiveSet().solve(program, start.point)
    assert np.array_equal(solution.trace.points[0], start.point)
    assert np.all(np.diff(solution.trace.values) <= 1e-12)
    assert solution.value == pytest.approx(ActiveSet().solve(program).value)


def test_flat_directions_and_contradictions_are_said_in_a_sentence():
    slab = np.array([[1.0, 0.0], [-1.0, 0.0]])
    flat = QuadraticProgram(
        np.diag([1.0, 0.0]),
        np.zeros(2),
        inequality_matrix=slab,
        inequality_limit=np.ones(2),
    )
    with pytest.raises(IncompatibleError, match="use PathFollowing"):
        ActiveSet().solve(flat)
    empty = QuadraticProgram(
        np.eye(2),
        np.zeros(2),
        inequality_matrix=slab,
        inequality_limit=np.array([-1.0, -1.0]),
    )
    for method in (ActiveSet(), PathFollowing()):
        with pytest.raises(DataError, match="no feasible point"):
            method.solve(empty)
