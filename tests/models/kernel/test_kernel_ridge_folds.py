"""Kernel ridge regression whose strength is chosen by folds."""

import weakref

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge as TheirKernelRidge
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit

from infimum.errors import InvalidParameterError
from infimum.kernels import Gaussian, Spectrum
from infimum.models.kernel import KernelRidge, KernelRidgeCV
from infimum.models.kernel.kernel_ridges import _ridge_folds as folds
from infimum.models.kernel.kernel_ridges._shifted_lanczos import KrylovSpace


def data(rng, n=60, d=3):
    X = rng.normal(size=(n, d))
    noise = 0.1 * rng.normal(size=(n, 2))
    return X, np.column_stack([np.sin(2 * X[:, 0]), X[:, 1]]) + noise


ALPHAS = np.geomspace(0.01, 10, 5)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian"])
@pytest.mark.parametrize("cv", [4, KFold(3, shuffle=True, random_state=0)])
def test_the_search_is_that_of_scikit_learn(kernel, cv, rng):
    X, Y = data(rng)
    for y in (Y, Y[:, 0]):
        ours = KernelRidgeCV(ALPHAS, kernel=kernel, cv=cv).fit(X, y)
        theirs = GridSearchCV(
            TheirKernelRidge(kernel=kernel),
            {"alpha": ALPHAS},
            cv=cv,
            scoring="neg_mean_squared_error",
        ).fit(X, y)
        errors = -theirs.cv_results_["mean_test_score"]
        assert ours.cv_errors_ == pytest.approx(errors, rel=1e-7)
        assert ours.alpha_ == theirs.best_params_["alpha"]
        assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-7)
        expected = theirs.best_estimator_.predict(X)
        assert ours.predict(X) == pytest.approx(expected, rel=1e-5, abs=1e-6)
        assert ours.certificate_.closed
        assert ours.certify(X, y).closed


@pytest.mark.parametrize("most", [0, 1_000], ids=["decomposed", "krylov"])
def test_weights_are_copies_that_stay_together(most, rng, monkeypatch):
    monkeypatch.setattr(folds, "FEW_STEPS", most)
    monkeypatch.setattr(folds, "SHARE", 0.0)
    X, Y = data(rng)
    weights = rng.integers(0, 4, size=len(X))
    at = np.repeat(np.arange(len(X)), weights)
    parts = list(ShuffleSplit(4, test_size=0.3, random_state=0).split(X))
    copied = [
        tuple(np.flatnonzero(np.isin(at, some)) for some in pair) for pair in parts
    ]
    weighted = KernelRidgeCV(ALPHAS, kernel="rbf", cv=parts).fit(X, Y, weights)
    copies = KernelRidgeCV(ALPHAS, kernel="rbf", cv=copied).fit(X[at], Y[at])
    assert weighted.cv_errors_ == pytest.approx(copies.cv_errors_, rel=1e-7)
    assert weighted.predict(X) == pytest.approx(copies.predict(X), rel=1e-5, abs=1e-6)
    assert not weighted.dual_coef_[weights == 0].any()


def test_small_strengths_are_decomposed_and_just_as_right(rng):
    X, Y = data(rng, n=450)
    alphas = np.array([1e-7, 1e-3])
    kernel = Gaussian(0.5)
    ours = KernelRidgeCV(alphas, kernel=kernel, cv=3).fit(X, Y[:, 0])
    assert ours.n_iter_ == 1
    held_out = np.split(np.arange(450), 3)
    for alpha, error in zip(alphas, ours.cv_errors_, strict=True):
        alone = [
            np.mean(
                (
                    Y[some, 0]
                    - KernelRidge(alpha, kernel=kernel)
                    .fit(np.delete(X, some, 0), np.delete(Y[:, 0], some))
                    .predict(X[some])
                )
                ** 2
            )
            for some in held_out
        ]
        assert error == pytest.approx(np.mean(alone), rel=1e-5)


def test_no_more_than_a_few_spaces_grow_together(rng, monkeypatch):
    X, Y = data(rng, n=120)
    targets = np.column_stack([Y] * 4)
    living, most, grow = weakref.WeakSet(), [], folds._grow

    class Counted(KrylovSpace):
        def __init__(self, *given):
            super().__init__(*given)
            living.add(self)

    def counted(gram, runs):
        most.append(len(living))
        return grow(gram, runs)

    monkeypatch.setattr(folds, "KrylovSpace", Counted)
    monkeypatch.setattr(folds, "_grow", counted)
    model = KernelRidgeCV(ALPHAS[3:], kernel="rbf", cv=20)
    parts = clone(model).fit(X, targets)
    assert parts.n_iter_ > 1
    assert max(most) <= folds.ABREAST < len(most)
    monkeypatch.setattr(folds, "FEW_STEPS", 0)
    monkeypatch.setattr(folds, "SHARE", 0.0)
    exact = clone(model).fit(X, targets)
    assert exact.n_iter_ == 1
    assert parts.cv_errors_ == pytest.approx(exact.cv_errors_, rel=1e-7)
    assert parts.dual_coef_ == pytest.approx(exact.dual_coef_, abs=1e-6)


def test_one_space_solves_the_systems_of_all_strengths(rng):
    root = rng.normal(size=(40, 40))
    A, right = root @ root.T / 40, rng.normal(size=40)
    space = KrylovSpace(right, 0.05)
    promised = []
    while space.left > 1e-12:
        space.extend(A @ space.newest)
        residual = right - (A + 0.05 * np.eye(40)) @ space.solution(0.05)
        promised.append(space.left)
        truly = np.linalg.norm(residual) / np.linalg.norm(right)
        assert truly == pytest.approx(space.left, rel=1e-4, abs=1e-12)
    assert len(promised) <= 41
    for alpha in (0.05, 1.0, 30.0):
        exact = np.linalg.solve(A + alpha * np.eye(40), right)
        assert space.solution(alpha) == pytest.approx(exact)


def test_a_space_ends_where_the_matrix_has_no_more_directions(rng):
    few = rng.normal(size=(30, 4))
    space = KrylovSpace(few @ rng.normal(size=4), 1e-6)
    while space.left > 1e-10:
        space.extend(few @ (few.T @ space.newest))
    assert space.size <= 5
    nothing = KrylovSpace(np.zeros(3), 1.0)
    assert nothing.left == 0.0
    assert not nothing.solution(1.0).any()


def test_folds_of_rows_of_any_kind(rng):
    X, Y = data(rng)
    dense = KernelRidgeCV(ALPHAS, kernel="rbf", cv=3).fit(X, Y[:, 0])
    thin = KernelRidgeCV(ALPHAS, kernel="rbf", cv=3).fit(sparse.csr_array(X), Y[:, 0])
    given = KernelRidgeCV(ALPHAS, kernel="precomputed", cv=3)
    given.fit(dense.kernel_(X), Y[:, 0])
    for other in (thin, given):
        assert other.cv_errors_ == pytest.approx(dense.cv_errors_)
        assert other.dual_coef_ == pytest.approx(dense.dual_coef_, abs=1e-7)
    words = ["aa", "aab", "bb", "abb", "ab", "bbb"]
    sizes = [float(len(word)) for word in words]
    text = KernelRidgeCV((0.01, 1.0), kernel=Spectrum(1), cv=3).fit(words, sizes)
    assert text.alpha_ == 0.01
    with pytest.raises(InvalidParameterError, match="alphas must be"):
        KernelRidgeCV((0.0, 1.0), cv=3).fit(X, Y)
