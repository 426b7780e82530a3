"""Least squares, ridge and lasso in matrix form, in sums rather than means."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso as PeerLasso
from sklearn.linear_model import Ridge as PeerRidge

from infimum.data import linear_regression
from infimum.data.designs import as_design
from infimum.losses import Squared
from infimum.models.linear import (
    Lasso,
    LinearRegression,
    Ridge,
    RiskMinimizer,
    regularization_path,
)
from infimum.objectives import LinearRisk
from infimum.penalties import ElasticNet, GroupLasso, NoPenalty
from infimum.penalties import Lasso as LassoPenalty
from infimum.penalties import Ridge as RidgePenalty
from infimum.study.convexity import numeric_gradient
from infimum.study.features import InterceptColumn, PolynomialBasis

N, M = 40, 4


@pytest.fixture
def data():
    """Return 40 samples of 4 features, and targets."""
    toy = linear_regression(N, coefficients=(1.0, -2.0, 0.5, 0.0), random_state=3)
    return toy.X, toy.y


def cost(X, y, penalty, w):
    """Return eᵀe + 2N·Ω(w), computed by the library's risk."""
    risk = LinearRisk(as_design(X), y, Squared(), penalty, intercept=False)
    return 2 * len(y) * risk.value(np.append(w, 0.0))


def ridge_penalty(lam):
    return RidgePenalty(lam / N)


def lasso_penalty(lam):
    return LassoPenalty(lam / (2 * N))


@pytest.mark.syllabus("S2-002")
def test_a_column_of_ones_is_an_intercept(data):
    X, y = data
    y = y + 5.0
    model = LinearRegression().fit(X, y)
    ones = InterceptColumn().fit_transform(X)
    flat = LinearRegression(fit_intercept=False).fit(ones, y)
    np.testing.assert_allclose(flat.coef_, np.append(model.coef_, model.intercept_))
    np.testing.assert_allclose(flat.predict(ones), model.predict(X))


@pytest.mark.syllabus("S2-003")
def test_a_polynomial_basis_makes_a_linear_fit_a_polynomial_one(rng):
    x = rng.uniform(-1, 1, size=30)
    y = np.sin(3 * x) + 0.1 * rng.normal(size=30)
    basis = PolynomialBasis(degree=3).fit(x[:, None])
    model = LinearRegression().fit(basis.transform(x[:, None]), y)
    grid = np.linspace(-1, 1, 7)
    np.testing.assert_allclose(
        model.predict(basis.transform(grid[:, None])),
        np.polyval(np.polyfit(x, y, 3), grid),
        atol=1e-10,
    )


@pytest.mark.syllabus("S2-004")
def test_the_residual_sum_of_squares_is_the_squared_length_of_the_residual(data, rng):
    X, y = data
    w = rng.normal(size=M)
    total = sum((target - row @ w) ** 2 for row, target in zip(X, y, strict=True))
    e = y - X @ w
    assert cost(X, y, NoPenalty(), w) == pytest.approx(total)
    assert total == pytest.approx(e @ e)


@pytest.mark.syllabus("S2-005")
def test_least_squares_leaves_residuals_orthogonal_to_every_feature(data, rng):
    X, y = data
    w = LinearRegression(fit_intercept=False).fit(X, y).coef_
    np.testing.assert_allclose(w, np.linalg.lstsq(X, y)[0])
    np.testing.assert_allclose(X.T @ (y - X @ w), 0.0, atol=1e-10)
    risk = LinearRisk(as_design(X), y, Squared(), NoPenalty(), intercept=False)
    u = rng.normal(size=M)
    gradient = 2 * N * risk.gradient(np.append(u, 0.0))[:-1]
    np.testing.assert_allclose(gradient, -2 * X.T @ (y - X @ u))


def smoother(model, X):
    """Return the matrix that turns targets into fitted values, column by column."""
    return model.fit(X, np.eye(len(X))).predict(X)


@pytest.mark.syllabus("S2-006")
def test_the_hat_matrix_is_a_projection_of_rank_m(data):
    X, y = data
    H = smoother(LinearRegression(fit_intercept=False), X)
    np.testing.assert_allclose(H @ H, H, atol=1e-12)
    np.testing.assert_allclose(H, H.T, atol=1e-12)
    assert np.trace(H) == pytest.approx(M)
    fitted = LinearRegression(fit_intercept=False).fit(X, y).predict(X)
    np.testing.assert_allclose(H @ y, fitted)


@pytest.mark.syllabus("S2-007")
def test_equal_features_leave_the_coefficients_undetermined(data):
    X, y = data
    twins = np.column_stack([X[:, 0], X[:, 0]])
    assert np.linalg.cond(twins.T @ twins) > 1e15
    model = LinearRegression(fit_intercept=False).fit(twins, y)
    assert model.rank_ == 1
    least = cost(twins, y, NoPenalty(), model.coef_)
    for size in (1.0, 100.0, 1e4):
        moved = model.coef_ + size * np.array([1.0, -1.0])
        assert cost(twins, y, NoPenalty(), moved) == pytest.approx(least)


@pytest.mark.syllabus("S2-008")
@pytest.mark.parametrize(
    "penalty",
    [ridge_penalty(3.0), lasso_penalty(3.0), ElasticNet(0.1), GroupLasso(0.1)],
)
def test_any_penalty_can_be_added_to_the_squared_residuals(penalty, data, rng):
    X, y = data
    model = RiskMinimizer("squared", penalty, fit_intercept=False, tol=1e-9).fit(X, y)
    e, w = y - X @ model.coef_, model.coef_
    assert cost(X, y, penalty, w) == pytest.approx(e @ e + 2 * N * penalty.value(w))
    for _ in range(20):
        elsewhere = cost(X, y, penalty, w + 0.01 * rng.normal(size=M))
        assert cost(X, y, penalty, w) <= elsewhere + 1e-7


@pytest.mark.syllabus("S2-009")
def test_the_ridge_cost_is_one_quadratic_form(data, rng):
    X, y = data
    w, lam = rng.normal(size=M), 2.5
    form = y @ y - 2 * w @ X.T @ y + w @ (X.T @ X + lam * np.eye(M)) @ w
    assert cost(X, y, ridge_penalty(lam), w) == pytest.approx(form)


@pytest.mark.syllabus("S2-010")
def test_ridge_has_a_closed_form_and_treats_twins_alike(data):
    X, y = data
    model = Ridge(alpha=2.5, fit_intercept=False).fit(X, y)
    closed = np.linalg.solve(X.T @ X + 2.5 * np.eye(M), X.T @ y)
    np.testing.assert_allclose(model.coef_, closed)
    peer = PeerRidge(alpha=2.5, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_)
    np.testing.assert_allclose(model.predict(X), X @ closed)
    twins = np.column_stack([X[:, 0], X[:, 0]])
    first, second = Ridge(alpha=0.1, fit_intercept=False).fit(twins, y).coef_
    assert first == pytest.approx(second)


@pytest.mark.syllabus("S2-011")
def test_the_lasso_cost_is_scikit_learns_in_other_units(data):
    X, y = data
    lam = 20.0
    model = Lasso(alpha=lam / (2 * N), fit_intercept=False, tol=1e-10).fit(X, y)
    peer = PeerLasso(alpha=lam / (2 * N), fit_intercept=False, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, atol=1e-6)
    e = y - X @ model.coef_
    assert cost(X, y, lasso_penalty(lam), model.coef_) == pytest.approx(
        e @ e + lam * np.abs(model.coef_).sum()
    )


@pytest.mark.syllabus("S2-012")
def test_the_lasso_slope_is_a_sign_minus_twice_a_correlation(data, rng):
    X, y = data
    lam, w = 20.0, rng.normal(size=M)
    slope = lam * np.sign(w) - 2 * X.T @ (y - X @ w)
    numeric = numeric_gradient(lambda u: cost(X, y, lasso_penalty(lam), u), w)
    np.testing.assert_allclose(numeric, slope, rtol=1e-5)
    model = Lasso(alpha=lam / (2 * N), fit_intercept=False, tol=1e-10).fit(X, y)
    pull = 2 * X.T @ (y - X @ model.coef_)
    asleep = model.coef_ == 0
    assert asleep.any()
    assert np.all(np.abs(pull[asleep]) <= lam)
    signs = np.sign(model.coef_[~asleep])
    np.testing.assert_allclose(pull[~asleep], lam * signs, rtol=1e-4)


@pytest.mark.syllabus("S2-013")
def test_the_ridge_slope_is_proportional_to_the_weight(data, rng):
    X, y = data
    lam, w = 3.0, rng.normal(size=M)
    risk = LinearRisk(as_design(X), y, Squared(), ridge_penalty(lam), intercept=False)
    gradient = 2 * N * risk.evaluate(np.append(w, 0.0)).gradient[:-1]
    np.testing.assert_allclose(gradient, 2 * lam * w - 2 * X.T @ (y - X @ w))
    numeric = numeric_gradient(lambda u: cost(X, y, ridge_penalty(lam), u), w)
    np.testing.assert_allclose(gradient, numeric, rtol=1e-5)


@pytest.mark.syllabus("S2-014")
def test_lasso_reaches_zero_at_a_finite_strength_and_ridge_never(data):
    x, y = data[0][:, :1], data[1]
    limit = 2 * abs(float(x[:, 0] @ y))
    for share, gone in ((0.99, False), (1.01, True)):
        alpha = share * limit / (2 * N)
        w = Lasso(alpha=alpha, fit_intercept=False, tol=1e-10).fit(x, y).coef_[0]
        assert bool(w == 0.0) is gone
    for lam in (limit, 1e3 * limit, 1e6 * limit):
        assert Ridge(alpha=lam, fit_intercept=False).fit(x, y).coef_[0] != 0.0


@pytest.mark.syllabus("S2-015")
def test_the_training_error_only_grows_with_the_strength(data):
    X, y = data
    path = regularization_path(Ridge(), X, y, n_values=12)
    errors = [float(((y - m.predict(X)) ** 2).sum()) for m in path.models]
    assert np.all(np.diff(path.values) < 0)
    assert np.all(np.diff(errors) <= 1e-9)  # so the least is at strength 0
    assert errors[-1] >= ((y - LinearRegression().fit(X, y).predict(X)) ** 2).sum()


def test_the_thin_decomposition_gives_the_eigenvectors_of_the_gram_matrix(data):
    X, y = data
    U, d, Vt = np.linalg.svd(X, full_matrices=False)
    assert (U.shape, d.shape, Vt.shape) == ((N, M), (M,), (M, M))
    np.testing.assert_allclose(U * d @ Vt, X)
    gram = as_design(X).gram()
    np.testing.assert_allclose(gram, Vt.T * d**2 @ Vt)
    np.testing.assert_allclose(np.linalg.eigvalsh(gram)[::-1], d**2)
    model = LinearRegression(fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.singular_, d)
    means = X.mean(axis=0)
    np.testing.assert_allclose(
        as_design(X - means).gram(), N * np.cov(X.T, bias=True), atol=1e-12
    )


@pytest.mark.syllabus("S2-021")
def test_least_squares_projects_the_targets_onto_the_left_singular_vectors(data):
    X, y = data
    U = np.linalg.svd(X, full_matrices=False)[0]
    fitted = LinearRegression(fit_intercept=False).fit(X, y).predict(X)
    np.testing.assert_allclose(fitted, U @ (U.T @ y))
    again = LinearRegression(fit_intercept=False).fit(X, fitted).predict(X)
    np.testing.assert_allclose(again, fitted)


@pytest.mark.syllabus("S2-022")
def test_ridge_shrinks_each_singular_direction_by_its_own_factor(data):
    X, y = data
    U, d, _ = np.linalg.svd(X, full_matrices=False)
    factors = d**2 / (d**2 + 7.0)
    assert np.all((factors >= 0) & (factors < 1))
    model = Ridge(alpha=7.0, fit_intercept=False)
    np.testing.assert_allclose(model.fit(X, y).predict(X), U @ (factors * (U.T @ y)))
    assert np.trace(smoother(model, X)) == pytest.approx(factors.sum())
