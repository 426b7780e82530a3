"""The linear risk: weights are copies, offsets shift scores, the intercept is free."""

import numpy as np
import pytest
from scipy import sparse

from infimum.data.designs import as_design
from infimum.losses import Absolute, Logistic, Poisson, Softmax, Squared
from infimum.objectives import LinearRisk
from infimum.penalties import Lasso, NoPenalty, Ridge
from infimum.solvers import Newton, choose
from tests.laws.parts import EVERY_LOSS, EVERY_VECTOR_LOSS, targets

every_loss = pytest.mark.parametrize("loss", EVERY_LOSS + EVERY_VECTOR_LOSS, ids=repr)
N, D = 25, 4


@pytest.fixture(name="X")
def samples(rng):
    return rng.normal(size=(N, D))


def point_for(risk, rng):
    point = 0.5 * rng.normal(size=risk.null.shape)
    for k in getattr(risk.loss, "positive_scores", ()):
        point[:, k] = np.append(np.zeros(D), 1.0)  # positive for every sample
    return point


@every_loss
def test_integer_weights_are_repetition(loss, X, rng):
    y, counts = targets(loss, N, rng), rng.integers(0, 4, size=N)
    rows = np.repeat(np.arange(N), counts)
    weighted = LinearRisk(as_design(X), y, loss, Ridge(0.1), counts.astype(float))
    repeated = LinearRisk(as_design(X[rows]), y[rows], loss, Ridge(0.1))
    point = point_for(weighted, rng)
    assert weighted.value(point) == pytest.approx(repeated.value(point), rel=1e-13)
    np.testing.assert_allclose(
        weighted.gradient(point), repeated.gradient(point), atol=1e-13
    )
    np.testing.assert_allclose(weighted.null, repeated.null, atol=1e-9)
    assert weighted.scale == pytest.approx(repeated.scale, rel=1e-9)
    assert weighted.weights.sum() == pytest.approx(1.0, rel=1e-15)


@every_loss
def test_the_null_model_is_the_best_without_coefficients(loss, X, rng):
    risk = LinearRisk(as_design(X), targets(loss, N, rng), loss, Ridge(0.1))
    best = risk.value(risk.null)
    assert not risk.null[:-1].any()
    for move in rng.normal(size=(20, *np.shape(risk.null[-1]))):
        rival = risk.null.copy()
        rival[-1] = rival[-1] + 0.3 * move
        assert best <= risk.value(rival) + 1e-12
    assert risk.scale >= 0.0


def test_offsets_under_the_squared_loss_are_a_shift_of_the_target(X, rng):
    y, offset, point = rng.normal(size=N), rng.normal(size=N), rng.normal(size=D + 1)
    shifted = LinearRisk(as_design(X), y - offset, Squared(), Ridge(0.1))
    risk = LinearRisk(as_design(X), y, Squared(), Ridge(0.1), offset=offset)
    assert risk.value(point) == pytest.approx(shifted.value(point), rel=1e-13)
    first, second = Newton().solve(risk), Newton().solve(shifted)
    np.testing.assert_allclose(first.point, second.point, atol=1e-10)
    assert first.certified


def test_an_offset_of_log_exposure_makes_rates_of_counts(X, rng):
    exposure = rng.uniform(0.5, 4.0, size=N)
    rates = np.exp(0.3 * X[:, 0])
    risk = LinearRisk(
        as_design(X),
        exposure * rates,
        Poisson(),
        NoPenalty(),
        offset=np.log(exposure),
    )
    solution = Newton(tolerance=1e-12).solve(risk)
    np.testing.assert_allclose(solution.point, [0.3, 0, 0, 0, 0], atol=1e-6)
    # The same as rates weighted by exposure, up to a constant in the objective.
    weighted = LinearRisk(as_design(X), rates, Poisson(), NoPenalty(), exposure)
    same = Newton(tolerance=1e-12).solve(weighted)
    np.testing.assert_allclose(solution.point, same.point, atol=1e-6)


@pytest.mark.parametrize("loss", [Squared(), Logistic(), Absolute()], ids=repr)
def test_shifting_the_columns_moves_only_the_intercept(loss, X, rng):
    y = targets(loss, N, rng)
    shift = rng.normal(size=D)
    plain = LinearRisk(as_design(X), y, loss, Ridge(0.1))
    moved = LinearRisk(as_design(X + shift), y, loss, Ridge(0.1))
    first = choose(plain)(tolerance=1e-10).solve(plain).point
    second = choose(moved)(tolerance=1e-10).solve(moved).point
    np.testing.assert_allclose(first[:-1], second[:-1], atol=1e-5)
    assert second[-1] == pytest.approx(first[-1] - shift @ first[:-1], abs=1e-5)


def test_shifting_the_target_moves_only_the_intercept(X, rng):
    y = rng.normal(size=N)
    first, second = (
        Newton().solve(LinearRisk(as_design(X), t, Squared(), Ridge(0.1))).point
        for t in (y, y + 7.0)
    )
    np.testing.assert_allclose(second - first, [0, 0, 0, 0, 7.0], atol=1e-10)


@pytest.mark.parametrize("loss", [Logistic(), Softmax(3)], ids=repr)
def test_without_an_intercept_it_stays_zero(loss, X, rng):
    y = targets(loss, N, rng)
    risk = LinearRisk(as_design(X), y, loss, Ridge(0.1), intercept=False)
    point = point_for(risk, rng)
    assert not risk.gradient(point)[-1].any()
    assert not choose(risk)().solve(risk).point[-1].any()


def test_smoothness_bounds_the_change_of_the_gradient_and_is_not_idle(X, rng):
    for holder in (np.asarray, sparse.csr_array):
        y = targets(Logistic(), N, rng)
        risk = LinearRisk(as_design(holder(X)), y, Logistic(), Ridge(0.1))
        joined = np.column_stack([X, np.ones(N)])
        largest = np.linalg.eigvalsh(joined.T @ joined / N)[-1]
        assert largest * (1 - 1e-9) <= risk.largest_eigenvalue <= 1.02 * largest
        for a, b in rng.normal(size=(20, 2, D + 1)):
            change = np.linalg.norm(risk.gradient(a) - risk.gradient(b))
            assert change <= risk.smoothness * np.linalg.norm(a - b)


def test_the_hessian_is_the_slope_of_the_gradient(X, rng):
    y = targets(Logistic(), N, rng)
    risk = LinearRisk(as_design(X), y, Logistic(), Ridge(0.3))
    point = rng.normal(size=D + 1)
    hessian = risk.hessian(risk.evaluate(point).bends)
    for j, unit in enumerate(np.eye(D + 1)):
        ahead, behind = (
            risk.evaluate(point + s * 1e-6 * unit).gradient for s in (1, -1)
        )
        np.testing.assert_allclose(hessian[j], (ahead - behind) / 2e-6, atol=1e-7)


def test_the_proximal_step_leaves_the_intercept_alone(X, rng):
    risk = LinearRisk(as_design(X), rng.normal(size=N), Squared(), Lasso(1.0))
    moved = risk.prox(np.array([0.2, -3.0, 0.0, 5.0, 9.0]), 0.5)
    np.testing.assert_allclose(moved, [0.0, -2.5, 0.0, 4.5, 9.0])


def test_sparse_and_dense_are_the_same_risk(X, rng):
    X = X * (rng.uniform(size=X.shape) < 0.5)
    y, point = rng.normal(size=N), rng.normal(size=D + 1)
    dense, thin = (
        LinearRisk(as_design(h(X)), y, Squared(), Ridge(0.1))
        for h in (np.asarray, sparse.csc_array)
    )
    assert dense.value(point) == pytest.approx(thin.value(point), rel=1e-13)
    np.testing.assert_allclose(dense.gradient(point), thin.gradient(point), atol=1e-13)
