"""Two hundred random problems of all losses and penalties: cvxpy agrees on them."""

import warnings

import cvxpy as cp
import numpy as np
import pytest

from infimum import losses, penalties
from infimum.losses import Loss, Probit, VectorLoss
from infimum.penalties import Penalty
from infimum.solvers import choose
from tests.laws.parts import exported
from tests.solvers.problems import problem
from tests.solvers.strangers import LOSSES, PENALTIES

#: Each loss meets eight or nine penalties, each penalty about as many losses.
PROBLEMS = [
    (LOSSES[i % len(LOSSES)], PENALTIES[(i + 7 * (i // len(LOSSES))) % len(PENALTIES)])
    for i in range(200)
]


def stranger(risk, cost, price):
    """Return the least value that cvxpy with Clarabel finds, in its own words."""
    X, y = risk.design.toarray(), risk.y
    outputs = getattr(risk.loss, "outputs", None)
    w = cp.Variable(X.shape[1] if outputs is None else (X.shape[1], outputs))
    b = cp.Variable(() if outputs is None else (1, outputs))
    f = X @ w + (b if outputs is None else np.ones((len(y), 1)) @ b)
    paid, walls = price(w)
    program = cp.Problem(cp.Minimize(cp.sum(cost(y, f)) / len(y) + paid), walls)
    accuracy = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)
    with warnings.catch_warnings():
        # Where the infimum is not attained Clarabel warns; its value still counts.
        warnings.simplefilter("ignore")
        program.solve(solver=cp.CLARABEL, **accuracy)
    return program.value


@pytest.mark.parametrize("which", range(200))
def test_the_least_value_is_that_of_an_independent_program(which):
    (loss, cost), (penalty, price) = PROBLEMS[which]
    kind = ("dense", "sparse")[which % 2]
    risk = problem(loss, penalty, kind, seed=1000 + which, n=20)
    solution = choose(risk)(tolerance=1e-7).solve(risk)
    story = f"{loss}, {penalty}: {solution.certificate}"
    # Hinges of many scores with free columns may leave slopes no room to be balanced.
    tight = isinstance(loss, VectorLoss) and not loss.smooth
    honest = solution.certificate.relative_gap <= (1e-2 if tight else 1e-7)
    assert honest, story
    expected = stranger(risk, cost, price)
    slack = 1e-6 * max(abs(expected), risk.unit)
    assert solution.certificate.primal == pytest.approx(expected, abs=slack), story
    assert solution.certificate.dual <= expected + slack, story


def test_no_exported_part_is_left_out_but_the_one_that_cvxpy_cannot_say():
    met = {type(loss) for (loss, _), _ in PROBLEMS}
    everyone = {
        cls
        for kind in (Loss, VectorLoss)
        for cls in exported(losses, kind)
        if cls.convex
    }
    assert everyone - met == {Probit}
    tried = {type(penalty) for _, (penalty, _) in PROBLEMS}
    assert {c for c in exported(penalties, Penalty) if c.convex} == tried
    assert len({(repr(a[0]), repr(b[0])) for a, b in PROBLEMS}) == 200
