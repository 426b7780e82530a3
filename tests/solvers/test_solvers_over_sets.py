"""Frank-Wolfe, spectral projected gradient and mirror descent over bounded sets."""

import numpy as np
import pytest

from infimum.certificates import certify, lower_bound
from infimum.data.designs import as_design
from infimum.losses import Absolute, Hinge, Huber, Logistic, Poisson, Softmax, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Ball, Box, Entropy, NonNegative, PNorm, Ridge, Simplex
from infimum.solvers import ProximalGradient
from infimum.study.convexity import ExponentiatedGradient, FixedStep, Oracle
from infimum.study.solvers import (
    FrankWolfe,
    MirrorDescent,
    SpectralProjectedGradient,
    trace,
)
from tests.solvers.problems import KINDS, problem

SETS = [
    Simplex(),
    Simplex(2.5),
    Ball(0.8, 1),
    Ball(0.8),
    Ball(0.8, np.inf),
    Box(-0.3, 0.5),
    Box(0.0, 0.4),
]
every_set = pytest.mark.parametrize("set_", SETS, ids=repr)


def value(risk):
    return ProximalGradient(1e-9, 50_000).solve(risk).certificate.primal


@every_set
@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize(
    "loss", [Squared(), Logistic(), Huber(0.5), Poisson()], ids=repr
)
def test_both_methods_find_the_minimum_over_the_set_and_prove_it(loss, set_, kind):
    risk = problem(loss, set_, kind, d=6)
    least = value(risk)
    for solver in (FrankWolfe(), SpectralProjectedGradient()):
        solution = solver.solve(risk)
        assert solution.certified
        assert set_.value(solution.point[:-1]) == 0.0
        assert solution.certificate.primal <= least + 1.1e-6 * risk.scale


@every_set
def test_the_gap_of_frank_wolfe_is_the_duality_gap(set_, rng):
    risk = problem(Squared(), set_, d=6, intercept=False)
    w = set_.prox(rng.normal(size=6), 1.0)
    here = risk.evaluate(np.append(w, 0.0))
    corner_value = -set_.conjugate(-here.pulled_back)  # min ⟨gradient, s⟩ over the set
    gap = here.pulled_back @ w - corner_value
    bound = lower_bound(risk, here.slopes)
    assert here.value - bound == pytest.approx(gap)
    best = max(bound, lower_bound(risk, np.zeros_like(here.slopes)))
    assert certify(risk, here).gap == pytest.approx(here.value - best)


def test_pairwise_steps_converge_linearly_where_plain_steps_creep():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(100, 10))
    shares = np.repeat([0.2, 0.0], 5) - np.repeat([0.0, 0.05], 5)
    risk = LinearRisk(as_design(X), X @ shares, Squared(), Simplex(), intercept=False)
    short = {"tolerance": 1e-9, "max_iterations": 300}
    plain = trace(FrankWolfe(**short, pairwise=False), risk)
    pairs = trace(FrankWolfe(**short), risk)
    solution = pairs.best_point[:-1]
    assert 1 < np.count_nonzero(solution > 1e-6) < 10  # on a face, not at a corner
    assert pairs.reason == "gap closed"
    assert pairs.iterations < 200
    assert plain.reason == "iteration limit"
    assert plain.gap > 1e3 * pairs.gap


def test_points_are_mixes_of_few_corners():
    risk = problem(Squared(), Ball(0.5, 1), n=50, d=40)
    for k in (1, 5):
        solution = FrankWolfe(1e-12, max_iterations=k).solve(risk)
        assert np.count_nonzero(solution.point[:-1]) <= k + 1


def test_a_free_intercept_is_kept_at_its_best():
    risk = problem(Logistic(), Ball(0.3), n=50, d=5)
    for record in trace(FrankWolfe(1e-8), risk):
        pull = risk.evaluate(record.point).weighted_slopes.sum()
        assert abs(pull) <= 1e-9


def test_sets_without_corners_are_refused_in_words():
    for risk in (
        problem(Squared(), NonNegative()),
        problem(Squared(), Box(0.0, np.inf)),
        problem(Squared(), Ridge()),
    ):
        assert "no bounded set" in FrankWolfe().objection(risk)
    assert "kink" in FrankWolfe().objection(problem(Hinge(), Simplex()))
    assert "couples" in FrankWolfe().objection(problem(Softmax(3), Ball()))


def test_a_patient_search_needs_fewer_steps_than_an_impatient_one():
    risk = problem(Squared(), Box(-2.0, 2.0), n=200, d=60, seed=5)
    solver = SpectralProjectedGradient
    patient = solver(1e-10, check_every=1).solve(risk)
    impatient = solver(1e-10, window=1, decrease=0.9, check_every=1).solve(risk)
    assert patient.certified
    assert patient.iterations < impatient.iterations
    values = trace(solver(1e-10), risk).values
    assert np.any(np.diff(values) > 0.0)  # single values may rise


MIRRORS = [
    Simplex(),
    Simplex(2.5),
    Entropy(0.1),
    Ball(0.5, 1),
    PNorm(0.1, 1.3),
    Ridge(),
]


@pytest.mark.parametrize("penalty", MIRRORS, ids=repr)
@pytest.mark.parametrize("loss", [Squared(), Logistic(), Absolute(), Hinge()], ids=repr)
def test_mirror_descent_closes_in_on_the_minimum_in_every_geometry(loss, penalty):
    risk = problem(loss, penalty, "dense", d=6)
    solution = MirrorDescent(2e-2, 20_000).solve(risk)
    assert solution.certified
    w = solution.point[:-1]
    if isinstance(penalty, Simplex | Entropy):
        assert np.all(w >= 0.0)
    proof = certify(risk, solution.point, solution.slopes)
    assert proof.gap <= 2e-2 * risk.scale


def test_multiplicative_steps_are_those_of_exponentiated_gradient():
    risk = problem(Squared(), Simplex(), intercept=False)
    bend = risk.design.squared_norms(risk.weights).max()
    seen = trace(MirrorDescent(1e-12, 8), risk)

    def smooth(w):
        return risk.evaluate(np.append(w, 0.0))

    plain = ExponentiatedGradient(
        step=FixedStep(1.0 / bend), max_iterations=8, normalized=True
    ).minimize(
        Oracle(lambda w: smooth(w).empirical, lambda w: smooth(w).pulled_back),
        np.full(4, 0.25),
    )
    np.testing.assert_allclose(seen.points[:, :-1], plain.points)


def test_many_useless_features_cost_multiplicative_steps_little():
    """The dimension enters through its logarithm; Euclidean steps pay more."""
    rng = np.random.default_rng(0)
    n, d = 200, 1_000
    risk = problem(Squared(), Simplex(), n=n, d=d, intercept=False)
    X = np.sign(rng.normal(size=(n, d)))
    risk = type(risk)(
        type(risk.design)(X), X[:, 3], Squared(), Simplex(), intercept=False
    )
    start = risk.value(np.append(np.full(d, 1 / d), 0.0))
    seen = trace(MirrorDescent(1e-12, 60), risk)
    assert seen.values[-1] < 1e-2 * start
    # Here L = 1 in the geometry's norm, and D(w*, w₀) = log d.
    k = np.arange(1, 61)
    assert np.all(seen.values[1:] <= np.log(d) / k)


def test_a_geometry_nobody_has_is_refused():
    assert "geometry" in MirrorDescent().objection(problem(Squared(), Box()))
    assert "curvature" in MirrorDescent().objection(problem(Poisson(), Ridge()))
    fixed = MirrorDescent(step="fixed")
    assert "curvature" in fixed.objection(problem(Hinge(), Ridge()))
    with pytest.raises(ValueError, match=r"MirrorDescent\.rate"):
        MirrorDescent(rate=-1.0)
