"""No certificate is ever wrong: every dual value lies below every risk."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infimum.certificates import (
    best_bound,
    certify,
    feasible_correlation,
    lower_bound,
)
from infimum.data.designs import as_design
from infimum.losses import Hinge, Logistic, Novelty, Softmax, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Box, ElasticNet, GroupLasso, Lasso, NoPenalty, Ridge
from infimum.solvers import Newton, choose
from tests.laws.parts import EVERY_LOSS, EVERY_VECTOR_LOSS
from tests.solvers.problems import KINDS, problem

PENALTIES = [
    Box(-0.3, 0.5),
    Box(0.0, np.inf),
    ElasticNet(0.1, 0.5),
    GroupLasso(0.1, groups=((0, 1), (2,))),
    Lasso(0.1),
    Lasso(0.05, positive=True),
    NoPenalty(),
    Ridge(0.1),
]
LOSSES = EVERY_LOSS + EVERY_VECTOR_LOSS


@cache
def optimum(loss, penalty, kind, options):
    """Return a risk, and a value that its optimum is known not to exceed."""
    risk = problem(loss, penalty, kind, seed=3, n=20, **dict(options))
    solver = choose(risk) if isinstance(penalty, Ridge) or loss.smooth else None
    if solver is None:
        return risk, risk.value(risk.null)
    return risk, solver(max_seconds=1.0).solve(risk).certificate.primal


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.sampled_from([0.0, 0.01, 1.0, 30.0]),
    which=st.integers(0, len(PENALTIES) - 1),
    kind=st.sampled_from(KINDS[:2]),
    intercept=st.booleans(),
)
def test_dual_is_below_and_primal_above_at_any_point(
    loss, seed, size, which, kind, intercept
):
    # A precision of 0 is no Gaussian: such losses need an intercept to start from.
    intercept = intercept or bool(getattr(loss, "positive_scores", ()))
    options = (("intercept", intercept),)
    risk, best = optimum(loss, PENALTIES[which], kind, options)
    rng = np.random.default_rng(seed)
    point = size * rng.normal(size=risk.null.shape)
    if loss.target == "count":
        point = np.clip(point, -3.0, 3.0)
    point[-1] *= intercept
    proof = certify(risk, point)
    slack = 1e-9 * (1.0 + abs(best))
    assert proof.dual <= best + slack
    if np.isfinite(proof.primal):
        assert proof.dual <= proof.primal + slack


@pytest.mark.parametrize("loss", EVERY_LOSS, ids=repr)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), which=st.integers(0, len(PENALTIES) - 1))
def test_slopes_that_a_liar_proposes_cannot_raise_the_bound_above_the_optimum(
    loss, seed, which
):
    risk, best = optimum(loss, PENALTIES[which], "dense", ())
    rng = np.random.default_rng(seed)
    low, high = (np.clip(end, -5.0, 5.0) for end in loss.slopes(risk.y))
    slopes = low + rng.uniform(size=len(low)) * (high - low)
    assert lower_bound(risk, slopes) <= best + 1e-9 * (1 + abs(best))
    outrageous = 100.0 * rng.normal(size=len(low))
    assert lower_bound(risk, outrageous) <= best + 1e-9 * (1 + abs(best))


def test_better_slopes_than_the_derivative_count():
    risk = problem(Hinge(), Ridge(0.1))
    solution = choose(risk)().solve(risk)
    without = certify(risk, solution.point)
    proved = certify(risk, solution.point, solution.slopes)
    assert proved.dual >= without.dual
    assert proved.closed


@pytest.mark.parametrize("loss", [Logistic(), Squared(), Hinge()], ids=repr)
def test_the_best_bound_at_hand_takes_the_best_of_all_slopes(loss):
    risk = problem(loss, Ridge(0.1))
    solution = choose(risk)().solve(risk)
    assert solution.slopes is not None or loss.smooth
    far = np.zeros_like(solution.point)
    proved = choose(risk)().solve(risk).certificate.dual
    best = risk.evaluate(solution.point).slopes
    best = best if solution.slopes is None else solution.slopes
    for point, slopes in ((far, best), (solution.point, 0.0 * best)):
        here = risk.evaluate(point)
        bounds = [risk.least, lower_bound(risk, slopes)]
        bounds += [feasible_correlation(here)[0]] if loss.smooth else []
        assert best_bound(risk.evaluate(point), slopes) == max(bounds)
    assert best_bound(risk.evaluate(far), best) == pytest.approx(proved, abs=1e-3)
    alone = best_bound(risk.evaluate(solution.point))
    assert alone == max(risk.least, feasible_correlation(here)[0])


def test_offsets_enter_the_dual():
    rng = np.random.default_rng(5)
    risk = problem(Logistic(), Ridge(0.1), n=40, offset=rng.normal(size=40))
    solution = Newton(tolerance=1e-12).solve(risk)
    assert solution.certified
    assert certify(risk, solution.point).gap <= 1e-10


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loss", [Squared(), Logistic(), Softmax(3)], ids=repr)
def test_without_a_penalty_repaired_slopes_close_the_gap(loss, kind):
    risk = problem(loss, NoPenalty(), kind, n=60, seed=4)
    solution = Newton(tolerance=1e-9).solve(risk)
    assert solution.certified
    pulled = risk.evaluate(solution.point).pulled_back
    assert np.any(pulled)  # the raw slopes are not feasible: they were mended


def test_correlations_made_feasible_stay_within_the_penalty(rng):
    risk = problem(Squared(), Lasso(0.2))
    for _ in range(10):
        here = risk.evaluate(rng.normal(size=5))
        dual, correlation = feasible_correlation(here)
        assert np.abs(correlation).max() <= 0.2 * (1 + 1e-12)
        proof = certify(risk, here)
        assert proof.dual + proof.slack == pytest.approx(dual, rel=1e-15)
        assert 0.0 < proof.slack < 1e-12


def test_samples_of_weight_zero_do_not_touch_the_proof(rng):
    risk = problem(Logistic(), Lasso(0.05), n=30)
    weights = np.append(np.ones(20), np.zeros(10))
    kept = type(risk)(
        risk.design.rows(np.arange(20)), risk.y[:20], risk.loss, risk.penalty
    )
    whole = type(risk)(risk.design, risk.y, risk.loss, risk.penalty, weights)
    point = rng.normal(size=5)
    assert certify(whole, point).dual == pytest.approx(certify(kept, point).dual)
    assert certify(whole, point).primal == pytest.approx(certify(kept, point).primal)


@pytest.mark.parametrize("tiny", [1e-16, 3e-14, 9e-13])
@pytest.mark.parametrize("intercept", [False, True])
def test_slopes_a_little_beyond_their_domain_prove_nothing(tiny, intercept):
    # A model along the one column pays nothing, so that no bound is above 0; slopes of
    # the forbidden sign balance the column, and conjugates take them as rounding.
    X = np.array([[1.0], [0.5]])
    slopes = tiny * np.array([0.5, -1.0])
    for loss, y in [(Novelty(1.0), np.zeros(2)), (Hinge(), np.ones(2))]:
        risk = LinearRisk(as_design(X), y, loss, NoPenalty(), intercept=intercept)
        for point in ([0.0, 0.0], [10.0, 0.0]):
            assert certify(risk, np.array(point), slopes).dual <= 0.0


@pytest.mark.parametrize("tiny", [1e-16, 1e-13, 9e-13])
@pytest.mark.parametrize("intercept", [False, True])
def test_slopes_of_several_scores_beyond_their_domain_prove_nothing(tiny, intercept):
    # The second sample needs a thousand times the weights of the first, and both have
    # a margin then.
    X, zeros = np.array([[1.0], [1e-3], [-1.0]]), np.zeros((2, 3))
    slopes = np.outer(tiny * np.array([1.0, -1e3, 0.0]), [1.0, 0.0, -1.0])
    labels = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for loss in EVERY_VECTOR_LOSS:
        if loss.outputs != 3 or loss.target not in {"class", "labels"}:
            continue
        y = labels if loss.target == "labels" else np.array([0.0, 0.0, 2.0])
        risk = LinearRisk(as_design(X), y, loss, NoPenalty(), intercept=intercept)
        far = np.array([[1e6, 0.0, -1e6], [0.0] * 3])
        for point in (zeros, far):
            proof = certify(risk, point, slopes)
            assert proof.dual <= max(risk.value(far), 0.0), loss


def test_chances_next_to_one_lose_nothing_in_entropies():
    # The entropy of a chance p next to 0 is p(1 - log p), up to p²/2.
    for p in 10.0 ** -np.arange(3.0, 15.0):
        right = -p * (1.0 - np.log(p) - 0.5 * p)
        for loss, y, s in (
            (Logistic(), 1.0, [-p]),
            (Softmax(3), 0.0, [[-p, p, 0.0]]),
        ):
            told = loss.conjugate(np.array([y]), np.array(s))
            np.testing.assert_allclose(told, right, rtol=p * p + 1e-15)
