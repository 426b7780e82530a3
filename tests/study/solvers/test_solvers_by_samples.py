"""Variance reduction and Pegasos: one row at a time, and yet with a proof."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from infimum.data.designs import StandardizedDesign, as_design
from infimum.losses import Hinge, Huber, Logistic, Poisson, Squared, SquaredHinge
from infimum.objectives import LinearRisk
from infimum.penalties import Box, ElasticNet, GroupLasso, Lasso, Ridge, WeightedLasso
from infimum.solvers import InteriorPoint, Newton, ProximalGradient
from infimum.study.solvers import Pegasos, StochasticGradient, VarianceReduced, trace
from tests.solvers.problems import problem

PENALTIES = [
    Ridge(0.05),
    Lasso(0.05),
    ElasticNet(0.05, 0.5),
    Box(-0.3, 0.5),
    WeightedLasso(0.05, (1.0, 2.0, 0.0, 0.5)),
]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
@pytest.mark.parametrize(
    "loss", [Squared(), Logistic(), Huber(0.5), SquaredHinge()], ids=repr
)
def test_variance_reduction_finds_the_minimum_and_proves_it(loss, penalty, kind):
    risk = problem(loss, penalty, kind)
    solution = VarianceReduced().solve(risk)
    assert solution.certified
    least = ProximalGradient(1e-9, 50_000).solve(risk).certificate.primal
    assert solution.certificate.primal <= least + 1.1e-6 * risk.scale


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_compressed_rows_give_the_same_minimum_as_dense_ones(dtype, rng):
    X = (rng.normal(size=(80, 6)) * (rng.uniform(size=(80, 6)) < 0.3)).astype(dtype)
    X[:, 5] = 0.0  # a feature that no sample has
    y = np.where(X @ rng.normal(size=6) + 0.3 * rng.normal(size=80) > 0, 1.0, -1.0)
    thick = LinearRisk(as_design(X), y, Logistic(), ElasticNet(0.02, 0.5))
    thin = thick.afresh(design=as_design(sparse.csr_array(X)))
    dense, compressed = (VarianceReduced(1e-6).solve(risk) for risk in (thick, thin))
    assert dense.certified
    assert compressed.certified
    np.testing.assert_allclose(dense.point, compressed.point, atol=5e-3)
    assert compressed.point[5] == 0.0


def test_weights_offsets_and_standardised_designs_are_respected(rng):
    X, y = rng.normal(size=(40, 3)) * [1.0, 10.0, 0.1] + 5.0, rng.normal(size=40)
    weight, offset = rng.integers(0, 4, size=40).astype(float), rng.normal(size=40)
    design = StandardizedDesign(as_design(X), X.mean(axis=0), X.std(axis=0))
    risk = LinearRisk(design, y, Squared(), Ridge(0.1), weight, offset)
    found = VarianceReduced(1e-8).solve(risk)
    assert found.certified
    np.testing.assert_allclose(found.point, Newton(1e-10).solve(risk).point, atol=1e-3)
    rows = np.repeat(np.arange(40), weight.astype(int))
    repeated = LinearRisk(
        as_design(design.toarray()[rows]),
        y[rows],
        Squared(),
        Ridge(0.1),
        None,
        offset[rows],
    )
    again = VarianceReduced(1e-8).solve(repeated)
    np.testing.assert_allclose(found.point, again.point, atol=1e-3)


def test_the_noise_of_variance_reduction_vanishes_where_that_of_plain_steps_stays():
    risk = problem(Logistic(), Ridge(0.05), n=200, d=5)
    least = Newton(1e-12).solve(risk).certificate.primal
    reduced = trace(VarianceReduced(1e-12, 40), risk).values[-10:] - least
    plain = StochasticGradient(
        1e-12, 40, batch_size=1, step="constant", rate=0.1, averaged=False
    )
    noisy = trace(plain, risk).values[-10:] - least
    assert reduced.max() < 1e-3 * noisy.min()


@pytest.mark.parametrize("solver", [VarianceReduced, Pegasos], ids=lambda s: s.__name__)
def test_the_seed_decides_the_run(solver):
    risk = problem(Logistic() if solver is VarianceReduced else Hinge(), Ridge(0.05))
    runs = [solver(1e-14, 5, random_state=seed).solve(risk).point for seed in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert np.any(runs[0] != runs[2])


def test_pairs_without_a_step_by_samples_are_refused():
    reduced = VarianceReduced()
    assert "kink" in reduced.objection(problem(Hinge(), Ridge()))
    assert "curvature" in reduced.objection(problem(Poisson(), Ridge()))
    assert "couples" in reduced.objection(problem(Squared(), GroupLasso()))
    assert "hinge" in Pegasos().objection(problem(Logistic(), Ridge()))
    assert "ridge" in Pegasos().objection(problem(Hinge(), Lasso()))
    moved = problem(Hinge(), Ridge(), offset=np.ones(30))
    assert "offset" in Pegasos().objection(moved)


def plain_pegasos(risk, batches, *, project):
    """Take the steps one by one, in NumPy; return the last point and the mean."""
    X, y, strength = risk.design.toarray(), risk.y, risk.penalty.quadratic
    w, b, mean, total = np.zeros(X.shape[1]), risk.null[-1], 0.0, 0.0
    for t, rows in enumerate(batches, 1):
        inside = y[rows] * (X[rows] @ w + b) < 1.0
        step = y[rows] * inside * risk.weights[rows] * len(y) / len(rows)
        w = (1.0 - 1.0 / t) * w + step @ X[rows] / (strength * t)
        b += float(risk.intercept) * step.sum() / (strength * t)
        if project:
            w *= min(1.0, 1.0 / (np.sqrt(strength) * np.linalg.norm(w)))
        mean, total = mean + t * w, total + t
    return w, mean / total


@pytest.mark.syllabus("S3-056")
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("project", [False, True])
@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("intercept", [False, True])
def test_pegasos_takes_the_printed_steps(kind, project, size, intercept, rng):
    weight = rng.uniform(0.5, 2.0, size=30)
    risk = problem(Hinge(), Ridge(0.2), kind, intercept=intercept, sample_weight=weight)
    solver = Pegasos(1e-14, 3, batch_size=size, project=project, averaged=False)
    draw, passes = np.random.default_rng(0), []
    for _ in range(3):
        order = draw.permutation(30)
        passes.extend(order[: 30 - 30 % size].reshape(-1, size))
    last, mean = plain_pegasos(risk, passes, project=project)
    seen = trace(solver, risk)
    np.testing.assert_allclose(seen.point[:-1], last, atol=1e-10)
    averaged = trace(replace(solver, averaged=True), risk)
    np.testing.assert_allclose(averaged.point[:-1], mean, atol=1e-10)
    if project:
        assert np.linalg.norm(seen.points[:, :-1], axis=1).max() <= 1 / np.sqrt(0.2)


@pytest.mark.syllabus("S3-056")
def test_pegasos_reaches_the_machine_that_an_exact_method_finds():
    risk = problem(Hinge(), Ridge(0.1), n=300, d=5)
    solution = Pegasos(5e-3, 300).solve(risk)
    assert solution.certified
    exact = InteriorPoint(1e-9).solve(risk)
    assert np.linalg.norm(solution.point - exact.point) < 0.15
    least = exact.certificate.primal
    assert solution.certificate.primal - least <= 5e-3 * risk.scale


def test_the_mean_of_the_points_is_better_than_the_last_one():
    risk = problem(Hinge(), Ridge(0.01), n=300, d=5)
    least = InteriorPoint(1e-9).solve(risk).certificate.primal
    mean, last = (
        np.mean(
            [
                trace(Pegasos(1e-9, 10, averaged=averaged, random_state=s), risk).value
                for s in range(5)
            ]
        )
        - least
        for averaged in (True, False)
    )
    assert mean < 0.9 * last
