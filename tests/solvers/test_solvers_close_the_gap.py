"""Every solver that accepts a risk minimises it, proves it, and agrees with others."""

from itertools import product

import numpy as np
import pytest

from infimum import losses, penalties
from infimum.certificates import certify
from infimum.losses import Absolute, Loss, Squared, VectorLoss
from infimum.penalties import (
    Box,
    ElasticNet,
    GroupLasso,
    Lasso,
    NoPenalty,
    Penalty,
    Ridge,
)
from infimum.solvers import CoordinateDescent, InteriorPoint, Newton, choose
from tests.laws.parts import EVERY_SOLVER, exported
from tests.solvers.problems import problem

LOSSES = [
    cls()
    for kind in (Loss, VectorLoss)
    for cls in exported(losses, kind)
    if cls.convex  # others have stationary points, and no proof
]
PENALTIES = [
    Box(-0.3, 0.5),
    Box(0.0, np.inf),
    ElasticNet(0.05, 0.5),
    ElasticNet(0.05, 0.5, positive=True),
    GroupLasso(0.05),
    GroupLasso(0.05, groups=((0, 1), (2,))),
    Lasso(0.05),
    Lasso(0.03, positive=True),
    NoPenalty(),
    Ridge(0.05),
]
#: Methods that promise the last digits; the others stop at a coarser gap by default.
EXACT = [solver for solver in EVERY_SOLVER if solver().tolerance <= 1e-6]
#: Methods that do not see the units of the features.
SCALE_FREE = [Newton, CoordinateDescent, InteriorPoint]
#: A loss that couples scores by kinks is left to ridge penalties.
PAIRS = [
    (loss, penalty)
    for loss, penalty in product(LOSSES, PENALTIES)
    if isinstance(loss, Loss) or loss.smooth or penalty.quadratic
]
#: Penalties beyond those are met by one smooth loss and one with a kink.
OTHERS = [
    (loss, cls())
    for cls in exported(penalties, Penalty)
    if cls not in map(type, PENALTIES) and getattr(cls(), "convex", True)
    for loss in (Squared(), Absolute())
]
every_pair = pytest.mark.parametrize(
    ("loss", "penalty"), PAIRS, ids=[f"{loss}-{penalty}" for loss, penalty in PAIRS]
)


def hopeful(risk, solvers):
    return [solver for solver in solvers if solver().objection(risk) is None]


def check(risk, solvers, tolerance=1e-6):
    """Solve by each solver; all must prove the gap and agree within it."""
    solutions = [solver(tolerance=tolerance).solve(risk) for solver in solvers]
    for solver, solution in zip(solvers, solutions, strict=True):
        assert solution.certified, (solver.__name__, str(solution.certificate))
        proof = certify(risk, solution.point, solution.slopes)
        assert proof.primal == pytest.approx(solution.certificate.primal, rel=1e-9)
    if not solutions:
        return
    values = [solution.certificate.primal for solution in solutions]
    bound = max(solution.certificate.dual for solution in solutions)
    assert max(values) - min(values) <= tolerance * risk.scale + 1e-12
    assert bound <= min(values) + 1e-9 * max(risk.scale, abs(bound))


@every_pair
def test_on_dense_data_all_solvers_close_the_gap_and_agree(loss, penalty):
    risk = problem(loss, penalty, "dense", seed=1)
    solvers = hopeful(risk, EXACT)
    assert choose(risk) in solvers
    check(risk, solvers)


@every_pair
def test_on_sparse_data_the_chosen_solver_closes_the_gap(loss, penalty):
    risk = problem(loss, penalty, "sparse", seed=1)
    check(risk, [choose(risk)])


@every_pair
def test_on_badly_scaled_data_methods_blind_to_units_close_the_gap(loss, penalty):
    risk = problem(loss, penalty, "badly scaled", seed=2)
    check(risk, hopeful(risk, SCALE_FREE))


@pytest.mark.parametrize(
    ("loss", "penalty"), OTHERS, ids=[f"{loss}-{penalty}" for loss, penalty in OTHERS]
)
def test_every_other_penalty_is_solved_by_the_solver_chosen_for_it(loss, penalty):
    risk = problem(loss, penalty, "dense", seed=1, n=20, d=3)
    check(risk, [choose(risk)], tolerance=1e-4)
