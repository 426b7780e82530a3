"""The fast ways through large tables find what the plain ways find."""

import numpy as np
import pytest
from scipy import sparse

from infimum.compiled import threads
from infimum.data.designs import DenseDesign, SparseDesign, StandardizedDesign
from infimum.losses import Hinge, Logistic, Poisson, Softmax
from infimum.objectives import Evaluation, LinearRisk
from infimum.penalties import ElasticNet, Ridge
from infimum.solvers import CoordinateDescent, DualCoordinateAscent, Newton
from infimum.solvers.second_order._block_preconditioner import block_preconditioner
from infimum.solvers.second_order._newton_direction import LARGE
from infimum.solvers.second_order._smoothing import Envelope, smoothed_minima
from infimum.solvers.second_order.newton import FEWEST, SHARE

RNG = np.random.default_rng(0)
TALL = RNG.standard_normal((60_000, 10))
SIGNS = np.where(RNG.random(60_000) < 1 / (1 + np.exp(-TALL[:, 0])), 1.0, -1.0)
COUNTS = RNG.poisson(np.exp(0.3 * TALL[:, 0])).astype(float)
POINT = RNG.standard_normal(11) * 0.3


def risk_of(loss, y, penalty=None, X=TALL):
    design = StandardizedDesign(DenseDesign(X), X.mean(axis=0), X.std(axis=0))
    return LinearRisk(design, y, loss, penalty or Ridge(1e-3))


@pytest.mark.parametrize(
    "loss, y",
    [(Logistic(), SIGNS), (Poisson(), COUNTS), (Envelope(Hinge(), 0.2), SIGNS)],
    ids=["logistic", "poisson", "rounded hinge"],
)
def test_one_reading_of_x_finds_value_gradient_and_slopes(loss, y):
    risk = risk_of(loss, y)
    fast, plain = risk.judge(POINT), risk.evaluate(POINT)
    assert fast.sides is not None
    assert plain.sides is None
    assert fast.value == pytest.approx(plain.value, rel=1e-13)
    np.testing.assert_allclose(fast.slopes, plain.slopes, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(fast.gradient, plain.gradient, rtol=1e-9, atol=1e-14)
    sums = [np.maximum(plain.slopes, 0.0), np.minimum(plain.slopes, 0.0)]
    expected = [risk.design.pull_back(risk.weights * part) for part in sums]
    np.testing.assert_allclose(fast.sides[:, :-1], expected, rtol=1e-8, atol=1e-13)


def test_results_do_not_depend_on_the_number_of_threads(monkeypatch):
    monkeypatch.setattr(threads, "SHORT", 0.0)  # short work wakes the pool as well
    many = Newton(tolerance=1e-6).solve(risk_of(Logistic(), SIGNS))

    monkeypatch.setattr(threads._here, "enlisted", True, raising=False)
    one = Newton(tolerance=1e-6).solve(risk_of(Logistic(), SIGNS))
    assert np.array_equal(one.point, many.point)
    assert one.certificate.gap == many.certificate.gap


@pytest.mark.parametrize(
    "loss, y", [(Logistic(), SIGNS), (Poisson(), COUNTS)], ids=["logistic", "poisson"]
)
def test_a_sampled_hessian_leads_to_the_optimum_of_all_rows(loss, y):
    sampled = Newton(tolerance=1e-10).solve(risk_of(loss, y))
    full = Newton(tolerance=1e-12).solve(risk_of(loss, y), start=POINT)
    assert sampled.certified
    assert full.certified
    np.testing.assert_allclose(sampled.point, full.point, atol=1e-5)


def test_the_envelope_touches_the_loss_from_below():
    f = np.linspace(-3.0, 3.0, 301)
    y = np.ones_like(f)
    rounded, sharp = Envelope(Hinge(), 0.5), Hinge()
    gap = sharp.value(y, f) - rounded.value(y, f)
    assert np.all(gap >= -1e-15)
    assert gap.max() == pytest.approx(0.25)
    step = 1e-6
    slope = (rounded.value(y, f + step) - rounded.value(y, f - step)) / (2 * step)
    np.testing.assert_allclose(rounded.derivative(y, f), slope, atol=1e-5)
    low, high = sharp.slopes(y)
    assert np.all(
        (rounded.derivative(y, f) >= low) & (high >= rounded.derivative(y, f))
    )


def test_rounded_kinks_prove_a_bound_for_the_sharp_problem():
    risk = risk_of(Hinge(), SIGNS)
    slopes, here = next(iter(smoothed_minima(risk, 1e-3, 0)))
    assert isinstance(here, Evaluation)
    assert here.risk is risk
    assert np.all((SIGNS * slopes <= 0.0) & (SIGNS * slopes >= -1.0))
    solution = DualCoordinateAscent(tolerance=1e-3).solve(risk)
    assert solution.certified
    assert solution.iterations == 1


def test_few_rows_are_not_rounded():
    risk = LinearRisk(DenseDesign(TALL[:500]), SIGNS[:500], Hinge(), Ridge(1e-2))
    assert list(smoothed_minima(risk, 1e-3, 0)) == []


def test_a_remembered_gram_matrix_leads_to_the_same_optimum():
    X, y = np.asfortranarray(TALL[:2_000]), SIGNS[:2_000]
    risk = LinearRisk(DenseDesign(X), y, Logistic(), ElasticNet(0.05, 0.5))
    solver = CoordinateDescent(tolerance=1e-10)
    start = solver.solve(risk).here
    weak = risk.with_penalty(ElasticNet(0.01, 0.5))
    warm = solver.solve(weak, start)
    cold = solver.solve(LinearRisk(DenseDesign(X), y, Logistic(), weak.penalty))
    assert warm.certified
    np.testing.assert_allclose(warm.point, cold.point, atol=1e-5)


def test_blocks_precondition_a_loss_with_several_scores():
    y = RNG.integers(0, 3, 10_000).astype(float)
    risk = LinearRisk(DenseDesign(TALL[:10_000]), y, Softmax(3), Ridge(1e-2))
    here = risk.evaluate(risk.null)
    guess = block_preconditioner(here)
    assert guess is not None
    solution = Newton(tolerance=1e-10).solve(risk)
    assert solution.certified
    step = guess(-here.gradient)
    np.testing.assert_allclose(step.sum(axis=1), 0.0, atol=1e-12)
    assert risk.value(here.point + step) < here.value


def test_blocks_know_numbers_too_large_for_single_precision():
    y = RNG.integers(0, 3, 10_000).astype(float)
    X = np.column_stack([1e25 * TALL[:10_000, :3], TALL[:10_000, 3:]])
    risk = LinearRisk(DenseDesign(X), y, Softmax(3), Ridge(1e-2))
    here = risk.evaluate(risk.null)
    step = block_preconditioner(here)(-here.gradient)
    assert np.isfinite(step).all()
    assert risk.value(here.point + step) < here.value


def test_rows_without_weight_stand_for_nobody():
    weights = np.ones(10_000)
    weights[::2] = 0.0
    y = RNG.integers(0, 3, 10_000).astype(float)
    X, kept = TALL[:10_000], weights > 0.0
    whole = LinearRisk(DenseDesign(X), y, Softmax(3), Ridge(1e-2), weights)
    part = LinearRisk(DenseDesign(X[kept]), y[kept], Softmax(3), Ridge(1e-2))
    steps = [
        block_preconditioner(here)(-here.gradient)
        for here in (risk.evaluate(risk.null) for risk in (whole, part))
    ]
    np.testing.assert_allclose(*steps, rtol=1e-5)
    assert Newton().solve(whole).certified


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_large_sparse_products_agree_with_scipy(form):
    X = sparse.random_array((3_000, 400), density=0.25, rng=1, format=form)
    design = SparseDesign(X)
    assert design.pooled
    s, w = RNG.standard_normal(3_000), RNG.standard_normal(400)
    np.testing.assert_allclose(design.scores(w), X @ w, atol=1e-12)
    np.testing.assert_allclose(design.pull_back(s), X.T @ s, atol=1e-12)
    squares = X.power(2)
    np.testing.assert_allclose(design.squared_norms(s**2), squares.T @ s**2, atol=1e-12)
    np.testing.assert_allclose(design.row_lengths(), squares.sum(axis=1), atol=1e-12)
    some = design.columns(np.arange(5))
    expected = (X.T @ sparse.diags_array(s**2) @ X[:, np.arange(5)]).toarray()
    np.testing.assert_allclose(design.cross(some, s**2), expected, atol=1e-12)


def test_several_scores_start_from_a_part_of_many_rows(rng):
    n, d = SHARE * FEWEST, LARGE // (SHARE * FEWEST) + 1
    X, y = rng.standard_normal((n, d)), rng.integers(0, 3, n)
    X[:, 0] += y
    risk = LinearRisk(DenseDesign(X), y, Softmax(3), Ridge(0.01))
    solution = Newton().solve(risk)
    assert solution.certified
    first = solution.history[0]
    null = risk.evaluate(risk.null)
    assert first.primal - solution.certificate.primal < 0.5 * (
        null.value - solution.certificate.primal
    )


def test_a_part_of_the_rows_which_misleads_is_not_believed(rng):
    n, d = SHARE * FEWEST, LARGE // (SHARE * FEWEST) + 1
    X, y = rng.standard_normal((n, d)), rng.integers(0, 3, n)
    X[:, 0] += 3.0 * y
    y[::SHARE] = 2 - y[::SHARE]
    risk = LinearRisk(DenseDesign(X), y, Softmax(3), Ridge(1e-4))
    solution = Newton(max_iterations=1).solve(risk)
    assert solution.history[0].primal == risk.evaluate(risk.null).value
