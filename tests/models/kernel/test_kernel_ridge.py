"""Kernel ridge regression: closed forms, whole paths, and systems too large to hold."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge as TheirKernelRidge

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import Gaussian, Linear, Spectrum
from infimum.models.kernel import KernelRidge, KernelRidgeClassifier, KernelRidgeCV
from infimum.models.kernel.kernel_ridges._ridge_system import WORTH_SINGLE
from infimum.models.linear import Ridge, RidgeClassifier
from infimum.models.warnings import UncertifiedWarning


def data(rng, n=50, d=3):
    X = rng.normal(size=(n, d))
    noise = 0.1 * rng.normal(size=(n, 2))
    return X, np.column_stack([np.sin(2 * X[:, 0]), X[:, 1]]) + noise


@pytest.mark.parametrize("solver", ["cholesky", "conjugate_gradient"])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "laplacian", "cosine"])
@pytest.mark.parametrize("weighted", [False, True])
def test_answers_are_those_of_scikit_learn(solver, kernel, weighted, rng):
    X, Y = data(rng)
    weights = rng.integers(0, 4, size=len(X)).astype(float) if weighted else None
    for y in (Y, Y[:, 0]):
        ours = KernelRidge(0.5, kernel=kernel, solver=solver, tol=1e-14)
        theirs = TheirKernelRidge(alpha=0.5, kernel=kernel)
        fresh = rng.normal(size=(7, 3))
        expected = theirs.fit(X, y, weights).predict(fresh)
        assert ours.fit(X, y, weights).predict(fresh) == pytest.approx(expected)
        assert ours.certificate_.closed
        assert ours.certify(X, y, weights).closed


@pytest.mark.syllabus("S4A-161")
def test_the_coefficients_solve_the_shifted_system(rng):
    X, Y = data(rng)
    n, strength, y = len(X), 0.02, Y[:, 0]
    K = Gaussian(1.0)(X)
    model = KernelRidge(n * strength, kernel=Gaussian(1.0)).fit(X, y)
    by_hand = np.linalg.solve(n * strength * np.eye(n) + K, y)
    assert model.dual_coef_ == pytest.approx(by_hand)
    c = model.dual_coef_
    gradient = -2.0 / n * K @ (y - K @ c) + 2.0 * strength * K @ c
    assert gradient == pytest.approx(np.zeros(n), abs=1e-12)
    linear = KernelRidge(0.3, kernel=Linear()).fit(X, y)
    ridge = Ridge(0.3, fit_intercept=False).fit(X, y)
    assert linear.predict(X) == pytest.approx(ridge.predict(X))


@pytest.mark.syllabus("S4A-159")
def test_without_a_penalty_the_function_goes_through_the_data(rng):
    X, Y = data(rng, n=20)
    model = KernelRidge(0.0, kernel=Gaussian(0.5)).fit(X, Y[:, 0])
    assert model.predict(X) == pytest.approx(Y[:, 0], abs=1e-6)
    assert model.certificate_.closed
    K = Gaussian(0.5)(X)
    assert model.dual_coef_ == pytest.approx(np.linalg.solve(K, Y[:, 0]), rel=1e-5)
    # Where the matrix is singular the pseudo-inverse takes the place of the inverse.
    twice = np.vstack([X, X])
    both = KernelRidge(0.0, kernel=Gaussian(0.5)).fit(twice, np.tile(Y[:, 0], 2))
    assert both.predict(X) == pytest.approx(Y[:, 0], abs=1e-6)


@pytest.mark.syllabus("S4A-160")
def test_weights_of_features_and_of_samples_are_the_same_solution(rng):
    X, Y = data(rng, n=4, d=6)
    y = Y[:, 0]
    model = KernelRidge(0.0, kernel=Linear()).fit(X, y)
    w = X.T @ model.dual_coef_
    assert w == pytest.approx(np.linalg.pinv(X) @ y)
    assert w == pytest.approx(X.T @ np.linalg.pinv(X @ X.T) @ y)
    assert w == pytest.approx(np.linalg.pinv(X.T @ X) @ X.T @ y)


@pytest.mark.syllabus("S4A-162")
def test_basis_functions_at_the_samples_are_not_kernel_ridge(rng):
    X, Y = data(rng, n=20)
    y, n, strength = Y[:, 0], 20, 0.05
    K = Gaussian(1.0)(X)
    kernel = KernelRidge(n * strength, kernel=Gaussian(1.0)).fit(X, y).dual_coef_
    basis = Ridge(n * strength, fit_intercept=False).fit(K, y).coef_
    by_hand = np.linalg.solve(K @ K + n * strength * np.eye(n), K @ y)
    assert basis == pytest.approx(by_hand)

    def objective(c, penalty):
        return np.mean((y - K @ c) ** 2) + strength * c @ penalty @ c

    assert np.abs(kernel - basis).max() > 0.01
    assert objective(kernel, K) < objective(basis, K) - 1e-6
    assert objective(basis, np.eye(n)) < objective(kernel, np.eye(n)) - 1e-6


def test_a_path_is_many_fits_and_many_samples_left_out(rng):
    X, Y = data(rng)
    weights = rng.integers(1, 4, size=len(X)).astype(float)
    alphas = np.geomspace(0.01, 10, 4)
    path = KernelRidge(kernel="rbf").path(X, Y, alphas, weights)
    for k, alpha in enumerate(alphas):
        model = KernelRidge(alpha, kernel="rbf").fit(X, Y, weights)
        assert path.dual_coefs[k] == pytest.approx(model.dual_coef_)
        assert path.certificates[k].closed
        alone = [
            KernelRidge(alpha, kernel="rbf").fit(X, y, weights).certificate_.primal
            for y in Y.T
        ]
        assert np.isclose(path.certificates[k].primal, alone, rtol=1e-8).any()
        for i in (0, 7, 23):
            fewer = weights.copy()
            fewer[i] -= 1.0
            without = KernelRidge(alpha, kernel="rbf").fit(X, Y, fewer)
            left_out = Y[i] - without.predict(X[[i]])[0]
            assert path.errors[k, i] == pytest.approx(left_out)
    assert (np.diff(path.degrees_of_freedom) < 0).all()


def test_the_strength_of_least_leave_one_out_error_is_chosen(rng):
    X, Y = data(rng, n=15)
    alphas = np.geomspace(1e-3, 1e3, 4)
    model = KernelRidgeCV(alphas, kernel="rbf").fit(X, Y[:, 0])
    errors = [
        np.mean(
            [
                Y[i, 0]
                - TheirKernelRidge(alpha=a, kernel="rbf")
                .fit(np.delete(X, i, 0), np.delete(Y[:, 0], i))
                .predict(X[[i]])[0]
                for i in range(len(X))
            ]
            ** np.array(2)
        )
        for a in alphas
    ]
    assert model.cv_errors_ == pytest.approx(errors)
    assert model.alpha_ == alphas[np.argmin(errors)]
    refit = KernelRidge(model.alpha_, kernel="rbf").fit(X, Y[:, 0])
    assert model.dual_coef_ == pytest.approx(refit.dual_coef_)
    assert model.certify(X, Y[:, 0]).closed


def test_single_precision_factors_give_double_precision_answers(rng):
    X = rng.normal(size=(WORTH_SINGLE, 2))
    y = np.sin(3 * X[:, 0])
    K = Gaussian(1.0)(X)
    alpha = 0.05
    model = KernelRidge(alpha, kernel="precomputed").fit(K, y)
    residual = K @ model.dual_coef_ + alpha * model.dual_coef_ - y
    assert np.abs(residual).max() <= 1e-11
    assert 1 < model.n_iter_ <= 20
    tiled = KernelRidge(
        alpha, kernel=Gaussian(1.0), solver="conjugate_gradient", cache_size=1
    ).fit(X, y)
    assert tiled.certificate_.relative_gap <= 1e-10
    assert tiled.predict(X) == pytest.approx(model.predict(K), abs=1e-4)
    assert tiled.n_iter_ < 60


def test_a_kernel_matrix_beyond_the_cache_is_not_formed(rng, monkeypatch):
    X = rng.normal(size=(400, 2))
    y, kernel = np.sin(3 * X[:, 0]), Gaussian(1.0)
    whole = KernelRidge(0.1, kernel=kernel).fit(X, y)
    assert whole.certificate_.reason == "closed form"

    def refuse(*_):
        raise AssertionError("the kernel matrix was formed")

    monkeypatch.setattr(
        "infimum.models.kernel.kernel_ridges._ridge_fit.gram_of", refuse
    )
    # 400² values and their factor take 1.83 MB.
    tiled = KernelRidge(0.1, kernel=kernel, cache_size=1.8).fit(X, y)
    assert tiled.certificate_.reason == "conjugate gradients"
    assert tiled.certificate_.closed
    assert tiled.predict(X) == pytest.approx(whole.predict(X), abs=1e-4)
    with pytest.raises(AssertionError, match="was formed"):
        KernelRidge(0.1, kernel=kernel, cache_size=1.9).fit(X, y)


def test_least_squares_classification_has_a_free_intercept(rng):
    X, Y = data(rng)
    labels = np.digitize(Y[:, 0], [-0.4, 0.4])
    ours = KernelRidgeClassifier(0.7, kernel="linear").fit(X, labels)
    theirs = RidgeClassifier(0.7).fit(X, labels)
    fresh = rng.normal(size=(9, 3))
    assert ours.decision_function(fresh) == pytest.approx(
        theirs.decision_function(fresh)
    )
    assert ours.intercept_ == pytest.approx(theirs.intercept_)
    assert ours.dual_coef_.sum(axis=1) == pytest.approx(np.zeros(3), abs=1e-9)
    assert ours.certify(X, labels).closed
    balanced = KernelRidgeClassifier(0.7, kernel="linear", class_weight="balanced")
    other = RidgeClassifier(0.7, class_weight="balanced").fit(X, labels)
    assert balanced.fit(X, labels).intercept_ == pytest.approx(other.intercept_)


def test_strengths_differ_between_targets_and_sparse_rows_stay_sparse(rng):
    X, Y = data(rng)
    both = KernelRidge([0.1, 2.0], kernel="rbf").fit(sparse.csr_array(X), Y)
    assert sparse.issparse(both.X_fit_)
    for k, alpha in enumerate((0.1, 2.0)):
        one = KernelRidge(alpha, kernel="rbf").fit(X, Y[:, k])
        assert both.predict(X)[:, k] == pytest.approx(one.predict(X))
    words, sizes = ["aa", "aab", "bb", "abb"], [2.0, 3.0, 2.0, 3.0]
    text = KernelRidge(0.01, kernel=Spectrum(1)).fit(words, sizes)
    assert text.predict(["aabb"]) == pytest.approx([4.0], abs=0.1)


def test_what_cannot_be_proved_is_said(rng):
    X, Y = data(rng)
    indefinite = X @ np.diag([1.0, 1.0, -1.0]) @ X.T
    with pytest.warns(UncertifiedWarning, match="may be indefinite"):
        KernelRidge(500.0, kernel="precomputed").fit(indefinite, Y[:, 0])
    with pytest.raises(InvalidParameterError, match=r"alpha must be in \[0, inf\)"):
        KernelRidge(-1.0).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="solver must be one of"):
        KernelRidge(solver="magic").fit(X, Y)
    model = KernelRidge().fit(X, Y)
    before = model.dual_coef_
    with pytest.raises(DataError):
        model.set_params(kernel="precomputed").fit(X, Y)
    assert model.dual_coef_ is before
    assert model.n_features_in_ == 3
