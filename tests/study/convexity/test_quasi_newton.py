"""Quasi-Newton methods and the secant equation."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.study.convexity import (
    BFGS,
    ExactStep,
    LimitedMemoryBFGS,
    Quadratic,
    Situation,
    Softplus,
    SquaredNorm,
    WolfeStep,
    conjugate_gradient,
    curvature_holds,
    direct_update,
    inverse_update,
)


@pytest.fixture
def pair(rng, make_definite):
    move = rng.normal(size=5)
    return move, make_definite(rng, size=5) @ move


@pytest.mark.syllabus("S0A-276", "S0B-001")
def test_the_updated_hessian_satisfies_the_secant_equation(rng, make_definite, pair):
    move, turn = pair
    updated = direct_update(make_definite(rng, size=5), move, turn)
    assert updated @ move == pytest.approx(turn, rel=1e-10)
    assert np.array_equal(updated, updated.T)
    assert np.linalg.eigvalsh(updated)[0] > 0.0


@pytest.mark.syllabus("S0A-276", "S0B-001")
def test_wolfe_steps_guarantee_positive_curvature(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    for _ in range(20):
        point = 3.0 * rng.normal(size=4)
        gradient = function.gradient(point)
        here = Situation(function, point, gradient, -gradient, 1)
        move = here.ahead(WolfeStep()(here)) - point
        turn = function.gradient(point + move) - gradient
        # ⟨s, y⟩ ≥ (c₂ - 1)⟨g, s⟩ > 0, by the second condition.
        assert move @ turn >= (0.9 - 1.0) * (gradient @ move) - 1e-15
        assert curvature_holds(move, turn)


@pytest.mark.syllabus("S0A-276", "S0B-001")
def test_a_pair_without_positive_curvature_is_skipped():
    assert not curvature_holds(np.array([1.0, 0.0]), np.array([-1.0, 3.0]))
    assert not curvature_holds(np.array([1.0, 0.0]), np.array([0.0, 3.0]))
    compass = BFGS().compass(SquaredNorm())
    compass(np.zeros(2), np.array([1.0, 1.0]))
    # The gradient turned against the move: no update, steepest descent again.
    assert compass(np.ones(2), np.array([0.5, 0.0])).tolist() == [-0.5, 0.0]


@pytest.mark.syllabus("S0A-277", "S0B-002")
def test_the_inverse_update_is_symmetric_definite_and_maps_turns_to_moves(
    rng, make_definite, pair
):
    move, turn = pair
    inverse = make_definite(rng, size=5)
    updated = inverse_update(inverse, move, turn)
    rho, eye = 1.0 / (turn @ move), np.eye(5)
    left = eye - rho * np.outer(move, turn)
    formula = left @ inverse @ left.T + rho * np.outer(move, move)
    assert updated == pytest.approx(formula, rel=1e-9)
    assert np.array_equal(updated, updated.T)
    assert updated @ turn == pytest.approx(move, rel=1e-10)
    assert np.linalg.eigvalsh(updated)[0] > 0.0
    assert np.linalg.matrix_rank(updated - inverse, tol=1e-9) == 2


@pytest.mark.syllabus("S0A-277", "S0B-002")
def test_the_inverse_update_inverts_the_direct_update(rng, make_definite, pair):
    move, turn = pair
    hessian = make_definite(rng, size=5)
    product = direct_update(hessian, move, turn) @ inverse_update(
        np.linalg.inv(hessian), move, turn
    )
    assert product == pytest.approx(np.eye(5), abs=1e-9)


@pytest.mark.syllabus("S0A-277", "S0B-002")
def test_no_other_symmetric_solution_of_the_secant_equation_is_nearer(
    rng, make_definite, pair
):
    move, turn = pair
    inverse = make_definite(rng, size=5)
    updated = inverse_update(inverse, move, turn)
    # Weighted by the root of any matrix W with W move = turn.
    weight = direct_update(make_definite(rng, size=5), move, turn)
    values, axes = np.linalg.eigh(weight)
    root = (axes * np.sqrt(values)) @ axes.T

    def distance(candidate):
        return float(np.linalg.norm(root @ (candidate - inverse) @ root))

    for _ in range(20):
        # Symmetric changes that leave B turn alone.
        across = rng.normal(size=5)
        across -= turn * (turn @ across) / (turn @ turn)
        other = updated + 0.1 * np.outer(across, across)
        assert other @ turn == pytest.approx(move, rel=1e-9)
        assert distance(other) > distance(updated)


@pytest.mark.syllabus("S0A-278", "S0B-003")
def test_bfgs_with_exact_steps_ends_in_as_many_steps_as_variables(rng, make_definite):
    matrix, target = make_definite(rng, size=6, floor=1.0), rng.normal(size=6)
    trace = BFGS(ExactStep(), tolerance=1e-8).minimize(
        Quadratic(matrix, -target), np.zeros(6)
    )
    assert trace.reason == "gradient"
    assert trace.iterations <= 6
    conjugate = conjugate_gradient(lambda p: matrix @ p, target)
    assert trace.points[:6] == pytest.approx(conjugate.points[:6], abs=1e-8)


@pytest.mark.syllabus("S0A-278", "S0B-003")
def test_bfgs_rescales_its_first_matrix_before_the_first_update(
    rng, make_logistic_ridge
):
    function, _ = make_logistic_ridge(rng)
    trace = BFGS(max_iterations=2).minimize(function, 2.0 * np.ones(4))
    assert np.array_equal(trace.directions[0], -trace.gradients[0])
    move = trace.points[1] - trace.points[0]
    turn = trace.gradients[1] - trace.gradients[0]
    scale = (move @ turn) / (turn @ turn)
    inverse = inverse_update(scale * np.eye(4), move, turn)
    assert trace.directions[1] == pytest.approx(-inverse @ trace.gradients[1])


@pytest.mark.syllabus("S0A-278", "S0B-003")
def test_bfgs_converges_superlinearly_to_scipys_minimum(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    start = 2.0 * rng.normal(size=4)
    trace = BFGS(tolerance=1e-10).minimize(function, start)
    theirs = minimize(
        function.value,
        start,
        jac=function.gradient,
        method="BFGS",
        options={"gtol": 1e-9},
    )
    assert trace.point == pytest.approx(theirs.x, abs=1e-7)
    errors = np.linalg.norm(trace.points[:-1] - trace.point, axis=1)
    ratios = errors[1:] / errors[:-1]
    assert np.max(ratios[-2:]) < 0.2 * np.max(ratios[:4])


@pytest.mark.syllabus("S0A-279", "S0B-004")
def test_limited_memory_with_room_for_all_pairs_is_dense_bfgs(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng, samples=60, size=10)
    start = 2.0 * rng.normal(size=10)
    dense = BFGS(max_iterations=15).minimize(function, start)
    limited = LimitedMemoryBFGS(max_iterations=15, memory=20, scaling="first").minimize(
        function, start
    )
    scale = np.linalg.norm(dense.directions, axis=1)
    apart = np.linalg.norm(dense.directions - limited.directions, axis=1)
    assert np.all(apart <= 1e-8 * scale)


@pytest.mark.syllabus("S0A-279", "S0B-004")
@pytest.mark.parametrize("memory", [1, 3, 10])
def test_limited_memory_reaches_scipys_minimum(memory, rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng, samples=80, size=20, strength=0.01)
    start = rng.normal(size=20)
    trace = LimitedMemoryBFGS(memory=memory, tolerance=1e-8).minimize(function, start)
    theirs = minimize(
        function.value,
        start,
        jac=function.gradient,
        method="L-BFGS-B",
        options={"gtol": 1e-10, "ftol": 1e-15},
    )
    assert trace.reason == "gradient"
    # A gradient of 1e-8 leaves a gap of at most 1e-16 / 2σ.
    assert trace.value <= theirs.fun + 1e-16 / 0.02 + 1e-15


@pytest.mark.syllabus("S0A-279", "S0B-004")
def test_limited_memory_works_where_a_dense_matrix_would_not_fit(rng):
    size = 20_000  # a dense matrix would take 3 GB
    target = rng.normal(size=size)
    function = Softplus(1e-3) + SquaredNorm(scale=1e-3) + 0.0
    trace = LimitedMemoryBFGS(memory=5, tolerance=1e-5).minimize(function, target)
    assert trace.reason == "gradient"
    assert np.ptp(trace.point) <= 2e-2, "every coordinate has the same minimiser"


@pytest.mark.syllabus("S0A-271", "S0A-280", "S0B-005")
def test_memoryless_bfgs_with_exact_steps_is_hestenes_stiefel(rng, make_logistic_ridge):
    function, _ = make_logistic_ridge(rng)
    point = 2.0 * rng.normal(size=4)
    direction = -function.gradient(point)
    for _ in range(5):
        gradient = function.gradient(point)
        step = ExactStep()(Situation(function, point, gradient, direction, 1))
        move = step * direction
        after = function.gradient(point + move)
        turn = after - gradient
        memoryless = -inverse_update(np.eye(4), move, turn) @ after
        conjugate = -after + (turn @ after) / (turn @ direction) * direction
        written_out = -after + (turn @ after) / (turn @ move) * move
        size = np.linalg.norm(after)
        assert memoryless == pytest.approx(conjugate, abs=1e-9 * size)
        assert written_out == pytest.approx(conjugate, abs=1e-12 * size)
        point, direction = point + move, conjugate
