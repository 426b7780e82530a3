"""An independent program (cvxpy with Clarabel) finds the same minima."""

import cvxpy as cp
import numpy as np
import pytest

from infimum.losses import (
    Absolute,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    Poisson,
    Quantile,
    Softmax,
    Squared,
    SquaredEpsilonInsensitive,
    SquaredHinge,
)
from infimum.penalties import (
    Box,
    ElasticNet,
    GroupLasso,
    Lasso,
    NoPenalty,
    Ridge,
)
from infimum.solvers import choose
from tests.solvers.problems import problem


def pinball(level):
    return lambda y, f: cp.maximum(level * (y - f), (1 - level) * (f - y))


def softmax(y, f):
    chosen = np.eye(f.shape[1])[y.astype(int)]
    return cp.log_sum_exp(f, axis=1) - cp.sum(cp.multiply(chosen, f), axis=1)


LOSSES = [
    (Squared(), lambda y, f: 0.5 * cp.square(f - y)),
    (Absolute(), lambda y, f: cp.abs(f - y)),
    (Huber(0.7), lambda y, f: 0.5 * cp.huber(f - y, 0.7)),
    (Quantile(0.3), pinball(0.3)),
    (EpsilonInsensitive(0.2), lambda y, f: cp.pos(cp.abs(f - y) - 0.2)),
    (
        SquaredEpsilonInsensitive(0.2),
        lambda y, f: cp.square(cp.pos(cp.abs(f - y) - 0.2)),
    ),
    (Logistic(), lambda y, f: cp.logistic(cp.multiply(-y, f))),
    (Hinge(), lambda y, f: cp.pos(1 - cp.multiply(y, f))),
    (SquaredHinge(), lambda y, f: cp.square(cp.pos(1 - cp.multiply(y, f)))),
    (Poisson(), lambda y, f: cp.exp(f) - cp.multiply(y, f)),
    (Softmax(3), softmax),
]
PENALTIES = [
    (NoPenalty(), lambda _: (0.0, [])),
    (Ridge(0.1), lambda w: (0.05 * cp.sum_squares(w), [])),
    (Lasso(0.05), lambda w: (0.05 * cp.sum(cp.abs(w)), [])),
    (Lasso(0.05, positive=True), lambda w: (0.05 * cp.sum(w), [w >= 0])),
    (
        ElasticNet(0.1, 0.3),
        lambda w: (0.03 * cp.sum(cp.abs(w)) + 0.035 * cp.sum_squares(w), []),
    ),
    (Box(-0.2, 0.4), lambda w: (0.0, [w >= -0.2, w <= 0.4])),
    (Box(0.0, np.inf), lambda w: (0.0, [w >= 0])),
    (
        GroupLasso(0.1, groups=((0, 1), (2,))),
        lambda w: (
            0.1 * (np.sqrt(2) * cp.norm(w[:2], "fro" if w.ndim > 1 else 2))
            + 0.1 * cp.norm(w[2]),
            [],
        ),
    ),
]
#: Each loss meets four penalties, each penalty five or six losses.
PAIRS = [
    pytest.param(LOSSES[i], PENALTIES[(3 * i + 2 * k + i // 4) % 8], i, id=f"{i}-{k}")
    for i in range(len(LOSSES))
    for k in range(4)
]


def stranger(risk, loss, penalty, *, weights, offset):
    """Return the least value that cvxpy finds, in its own words."""
    X, y = risk.design.toarray(), risk.y
    outputs = getattr(risk.loss, "outputs", None)
    w = cp.Variable(X.shape[1] if outputs is None else (X.shape[1], outputs))
    b = cp.Variable(() if outputs is None else (1, outputs))
    ones = np.ones((len(y), 1))
    f = (
        X @ w
        + (b if outputs is None else ones @ b)
        + (0.0 if offset is None else offset)
    )
    price, walls = penalty(w)
    shares = weights / weights.sum()
    program = cp.Problem(cp.Minimize(shares @ loss(y, f) + price), walls)
    accuracy = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)
    program.solve(solver=cp.CLARABEL, **accuracy)
    return program.value


@pytest.mark.parametrize(("loss", "penalty", "seed"), PAIRS)
def test_the_minimum_is_the_one_an_independent_program_finds(loss, penalty, seed):
    rng = np.random.default_rng(100 + seed)
    n = 24
    weights = rng.integers(1, 4, size=n).astype(float)
    scalar = not isinstance(loss[0], Softmax)
    offset = 0.3 * rng.normal(size=n) if scalar and seed % 2 else None
    kind = "sparse" if seed % 3 == 0 else "dense"
    risk = problem(
        loss[0],
        penalty[0],
        kind,
        seed=seed,
        n=n,
        d=3,
        sample_weight=weights,
        offset=offset,
    )
    expected = stranger(risk, loss[1], penalty[1], weights=weights, offset=offset)
    solution = choose(risk)(tolerance=1e-7).solve(risk)
    assert solution.certified
    assert solution.certificate.primal == pytest.approx(expected, rel=1e-6, abs=1e-8)
    assert solution.certificate.dual <= expected + 1e-7 * (1 + abs(expected))
