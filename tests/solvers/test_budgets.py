"""Whatever ends a run, the best point so far comes back with its gap and the reason."""

import time

import numpy as np
import pytest

from infimum.certificates import certify
from infimum.losses import Absolute, Hinge, Huber, Logistic, Quantile, Softmax, Squared
from infimum.penalties import Box, Lasso, NoPenalty, Ridge
from infimum.solvers import (
    LBFGS,
    AugmentedLagrangian,
    CoordinateDescent,
    Newton,
    ProximalGradient,
)
from tests.laws.parts import EVERY_SOLVER
from tests.solvers.problems import problem

EXAMPLES = [
    problem(Logistic(), Ridge(1e-3), n=60, d=5),
    problem(Hinge(), Ridge(1e-2), n=60, d=5),
    problem(Absolute(), Lasso(1e-2), n=60, d=5),
    problem(Huber(0.5), Lasso(1e-2), n=60, d=5),
]
#: Solved to the last digit by one or two iterations: nothing is left to interrupt.
AT_ONCE = {(AugmentedLagrangian, Huber)}
CASES = [
    pytest.param(solver, risk, id=f"{solver.__name__}-{type(risk.loss).__name__}")
    for solver in EVERY_SOLVER
    for risk in EXAMPLES
    if solver().objection(risk) is None and (solver, type(risk.loss)) not in AT_ONCE
]
every_case = pytest.mark.parametrize(("solver", "risk"), CASES)
HARDEST = 1e-14


def check_honest(risk, solution):
    """Check that the point has the value it claims and the history only improves."""
    assert risk.value(solution.point) == pytest.approx(solution.certificate.primal)
    primal = [record.primal for record in solution.history]
    dual = [record.dual for record in solution.history]
    assert primal == sorted(primal, reverse=True)
    assert dual == sorted(dual)
    assert solution.certificate.primal == primal[-1]
    if solution.certified:  # a point that closes the gap carries its own proof
        assert solution.certificate.dual <= dual[-1]
    else:
        proof = solution.certificate
        assert proof.dual + proof.slack == pytest.approx(dual[-1], rel=1e-9, abs=1e-15)
    seconds = [record.seconds for record in solution.history]
    assert seconds == sorted(seconds)


@every_case
def test_the_history_is_monotone_and_ends_where_the_solution_is(solver, risk):
    solution = solver(max_iterations=300).solve(risk)
    check_honest(risk, solution)
    assert solution.iterations == solution.history[-1].iteration


@every_case
def test_the_iteration_limit_holds_and_is_told(solver, risk):
    solution = solver(max_iterations=2, tolerance=HARDEST).solve(risk)
    check_honest(risk, solution)
    assert solution.iterations <= 2
    assert solution.reason in {
        "iteration limit",
        "no further progress in floating point",
    }
    assert not solution.certified
    assert "NOT proved" in str(solution.certificate)


@every_case
def test_the_time_limit_holds_and_is_told(solver, risk):
    began = time.perf_counter()
    solution = solver(max_seconds=1e-9, tolerance=HARDEST).solve(risk)
    assert time.perf_counter() - began < 5.0
    check_honest(risk, solution)
    assert solution.reason == "time limit"
    assert len(solution.history) == 1


@every_case
def test_the_callback_can_stop_the_run(solver, risk):
    seen = []

    def stop_at_the_second(record):
        seen.append(record)
        return len(seen) >= 2

    solution = solver(tolerance=HARDEST).solve(risk, callback=stop_at_the_second)
    check_honest(risk, solution)
    assert solution.reason == "stopped by the callback"
    assert tuple(seen) == solution.history


@every_case
def test_an_interruption_returns_the_best_point_with_its_gap(solver, risk):
    seen = []

    def press_control_c(record):
        seen.append(record)
        if len(seen) == 2:
            raise KeyboardInterrupt

    solution = solver(tolerance=HARDEST).solve(risk, callback=press_control_c)
    check_honest(risk, solution)
    assert solution.reason == "interrupted"
    assert solution.certificate.primal == min(record.primal for record in seen)
    proof = certify(risk, solution.point, solution.slopes)
    assert proof.primal - solution.certificate.gap <= proof.primal
    assert solution.certificate.dual <= solution.certificate.primal


def test_an_interruption_before_the_first_proof_still_returns_a_point(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Newton, "_descend", interrupted)
    risk = EXAMPLES[0]
    solution = Newton().solve(risk)
    assert solution.reason == "interrupted"
    np.testing.assert_array_equal(solution.point, risk.null)


@pytest.mark.parametrize(
    "solver",
    [Newton, LBFGS, CoordinateDescent, ProximalGradient],
    ids=lambda s: s.__name__,
)
@pytest.mark.parametrize("penalty", [Ridge(0.01), Lasso(0.01)], ids=repr)
def test_a_warm_start_at_the_optimum_ends_at_once(solver, penalty):
    risk = problem(Logistic(), penalty, n=60, d=5)
    if solver().objection(risk) is not None:
        penalty = Ridge(0.05)
        risk = problem(Logistic(), penalty, n=60, d=5)
    best = solver(tolerance=1e-10).solve(risk)
    again = solver(tolerance=1e-8).solve(risk, start=best.point)
    assert again.iterations == 0
    assert again.reason == "gap closed"
    assert len(again.history) == 1
    np.testing.assert_allclose(again.point, best.point, atol=1e-12)


@every_case
def test_a_start_is_never_overwritten(solver, risk):
    start = np.random.default_rng(0).normal(size=risk.null.shape)
    kept = start.copy()
    solver(max_iterations=5).solve(risk, start=start)
    np.testing.assert_array_equal(start, kept)


@pytest.mark.parametrize("solver", EVERY_SOLVER, ids=lambda s: s.__name__)
def test_the_same_run_twice_gives_the_same_point(solver):
    for risk in EXAMPLES:
        if solver().objection(risk) is None:
            first, second = (solver(max_iterations=60).solve(risk) for _ in range(2))
            np.testing.assert_array_equal(first.point, second.point)


@pytest.mark.parametrize(
    "loss", [Squared(), Absolute(), Quantile(0.3), Softmax(2)], ids=repr
)
def test_when_there_is_nothing_to_learn_the_null_model_is_proved(loss):
    risk = problem(loss, Ridge(0.1))
    constant = type(risk)(risk.design, np.ones(len(risk.y)), loss, Ridge(0.1))
    for solver in EVERY_SOLVER:
        if solver().objection(constant) is None:
            solution = solver().solve(constant)
            assert solution.certified
            assert np.abs(solution.point[:-1]).max() <= 1e-6


def test_a_start_outside_the_walls_is_brought_inside():
    risk = problem(Squared(), Box(-0.1, 0.1))
    for solver in (CoordinateDescent, ProximalGradient):
        solution = solver().solve(risk, start=np.full(5, 9.0))
        assert solution.certified
        assert np.abs(solution.point[:-1]).max() <= 0.1


def test_an_unpenalised_fit_that_is_separable_says_that_its_gap_is_open():
    risk = problem(Logistic(), NoPenalty(), n=6, d=8)
    assert set(risk.y) == {-1.0, 1.0}
    solution = Newton(max_iterations=3, tolerance=1e-12).solve(risk)
    assert not solution.certified
    assert solution.certificate.dual <= 0.0 <= solution.certificate.primal
