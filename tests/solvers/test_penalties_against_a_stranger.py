"""Norms, sets and weights: the minima are those of cvxpy, and the gaps are closed."""

import cvxpy as cp
import numpy as np
import pytest

from infimum.losses import (
    Absolute,
    Binomial,
    Exponential,
    Gamma,
    HeteroscedasticGaussian,
    Hinge,
    Huber,
    Logistic,
    MultivariateSquared,
    Poisson,
    Probit,
    Quantile,
    Softmax,
    Squared,
)
from infimum.penalties import (
    Ball,
    Entropy,
    FusedLasso,
    GraphLaplacian,
    LinearEqualities,
    NonNegative,
    NuclearNorm,
    PNorm,
    Simplex,
    SortedL1,
    SparseGroupLasso,
    TotalVariation,
    WeightedElasticNet,
    WeightedLasso,
    WeightedRidge,
)
from infimum.solvers import choose
from tests.solvers.problems import problem

WEIGHTS = (1.0, 0.0, 2.0, 3.0)
CHAIN = np.diff(np.eye(4), axis=0)


def jumps(w):
    return cp.sum(cp.abs(cp.diff(w)))


def sparse_groups(w):
    groups = np.sqrt(2) * (cp.norm(w[:2]) + cp.norm(w[2:]))
    return 0.05 * (0.3 * cp.norm1(w) + 0.7 * groups)


def sorted_l1(w):
    return 0.05 / 4 * sum(cp.sum_largest(cp.abs(w), k) for k in range(1, 5))


def prices(w):
    return 0.05 * cp.sum(cp.multiply(WEIGHTS, cp.abs(w)))


def squares(w):
    return 0.025 * cp.sum(cp.multiply(WEIGHTS, cp.square(w)))


STRANGERS = [
    (Ball(0.5, order=np.inf), lambda w: (0.0, [cp.norm_inf(w) <= 0.5])),
    (
        Entropy(0.05),
        lambda w: (0.05 * (cp.sum(-cp.entr(w)) + np.log(4)), [cp.sum(w) == 1]),
    ),
    (
        FusedLasso(0.05, l1_ratio=0.3),
        lambda w: (0.05 * (0.3 * cp.norm1(w) + 0.7 * jumps(w)), []),
    ),
    (GraphLaplacian(0.05), lambda w: (0.025 * cp.sum_squares(CHAIN @ w), [])),
    (
        LinearEqualities(((1.0, 0.0, 2.0, 0.0),), (0.5,)),
        lambda w: (0.0, [w[0] + 2 * w[2] == 0.5]),
    ),
    (NonNegative(), lambda w: (0.0, [w >= 0])),
    (NuclearNorm(0.05), lambda w: (0.05 * cp.norm(w), [])),
    (PNorm(0.05, order=1.5), lambda w: (0.025 * cp.square(cp.pnorm(w, 1.5)), [])),
    (Simplex(1.5), lambda w: (0.0, [w >= 0, cp.sum(w) == 1.5])),
    (SortedL1(0.05), lambda w: (sorted_l1(w), [])),
    (
        SparseGroupLasso(0.05, groups=((0, 1), (2, 3)), l1_ratio=0.3),
        lambda w: (sparse_groups(w), []),
    ),
    (TotalVariation(0.05), lambda w: (0.05 * jumps(w), [])),
    (WeightedElasticNet(0.1, WEIGHTS), lambda w: (prices(w) + squares(w), [])),
    (WeightedLasso(0.05, WEIGHTS), lambda w: (prices(w), [])),
    (WeightedRidge(0.05, WEIGHTS), lambda w: (squares(w), [])),
]
LOSSES = [
    (Squared(), lambda y, f: 0.5 * cp.square(f - y)),
    (Logistic(), lambda y, f: cp.logistic(cp.multiply(-y, f))),
    (Absolute(), lambda y, f: cp.abs(f - y)),
    (Exponential(), lambda y, f: cp.exp(cp.multiply(-y, f))),
    (Gamma(), lambda y, f: f + cp.multiply(y, cp.exp(-f))),
    (Hinge(), lambda y, f: cp.pos(1 - cp.multiply(y, f))),
]


@pytest.mark.parametrize("which", range(len(STRANGERS)), ids=repr)
@pytest.mark.parametrize("turn", [0, 1])
def test_the_minimum_is_the_one_an_independent_program_finds(which, turn):
    (penalty, price), (loss, cost) = (
        STRANGERS[which],
        LOSSES[(which + 3 * turn) % len(LOSSES)],
    )
    risk = problem(loss, penalty, ("dense", "sparse")[turn], seed=which)
    solution = choose(risk)().solve(risk)
    assert solution.certified
    w, b = cp.Variable(4), cp.Variable()
    cost_of_w, walls = price(w)
    f = risk.design.toarray() @ w + b
    program = cp.Problem(cp.Minimize(cp.sum(cost(risk.y, f)) / 30 + cost_of_w), walls)
    accuracy = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)
    program.solve(solver=cp.CLARABEL, **accuracy)
    found = solution.certificate.primal
    assert found == pytest.approx(program.value, abs=2e-6 * risk.scale)


def test_the_nuclear_norm_of_several_scores_is_cvxpys():
    risk = problem(MultivariateSquared(), NuclearNorm(0.2), seed=3)
    solution = choose(risk)().solve(risk)
    W, b = cp.Variable((4, 2)), cp.Variable((1, 2))
    f = risk.design.toarray() @ W + np.ones((30, 1)) @ b
    value = 0.5 * cp.sum_squares(f - risk.y) / 30 + 0.2 * cp.normNuc(W)
    least = cp.Problem(cp.Minimize(value)).solve(solver=cp.CLARABEL)
    assert solution.certified
    assert solution.certificate.primal == pytest.approx(least, rel=1e-5)


#: Each penalty meets four more losses, smooth and kinked, of one score and of several.
MORE = [
    Binomial(), Huber(), Poisson(), Probit(), Quantile(0.3), Softmax(3),
    HeteroscedasticGaussian(), MultivariateSquared(),
]  # fmt: skip
SAMPLE = [
    (MORE[(i + k) % len(MORE)], penalty)
    for i, (penalty, _) in enumerate(STRANGERS)
    for k in (0, 3, 4, 6)
]


@pytest.mark.parametrize(("loss", "penalty"), SAMPLE, ids=repr)
def test_a_sample_of_the_other_pairs_closes_the_gap_on_sparse_data(loss, penalty):
    risk = problem(loss, penalty, "sparse", seed=5)
    solution = choose(risk)().solve(risk)
    assert solution.certified, str(solution.certificate)
