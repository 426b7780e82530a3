"""Least angle regression and the lasso along its exact path."""

import numpy as np
import pytest
import sklearn.linear_model as theirs
from sklearn.datasets import load_diabetes

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.linear import (
    Lars,
    LarsCV,
    Lasso,
    LassoLars,
    LassoLarsCV,
    LassoLarsIC,
    lars_path,
    lars_path_gram,
    lasso_homotopy,
)

X, Y = load_diabetes(return_X_y=True)
CENTRED = Y - Y.mean()


@pytest.mark.parametrize("method", ["lar", "lasso"])
def test_paths_are_those_of_scikit_learn(method):
    found = lars_path(X, CENTRED, method=method, return_n_iter=True)
    wanted = theirs.lars_path(X, CENTRED, method=method, return_n_iter=True)
    np.testing.assert_allclose(found[0], wanted[0], atol=1e-12)
    np.testing.assert_allclose(found[2], wanted[2], rtol=1e-9, atol=1e-9)
    assert found[1] == list(wanted[1])
    assert found[3] == wanted[3]


@pytest.mark.parametrize("method", ["lar", "lasso"])
def test_products_alone_give_the_same_path(method):
    given = {"n_samples": len(Y), "method": method}
    found = lars_path_gram(X.T @ CENTRED, X.T @ X, **given)
    wanted = lars_path(X, CENTRED, method=method)
    np.testing.assert_allclose(found[0], wanted[0], atol=1e-12)
    np.testing.assert_allclose(found[2], wanted[2], rtol=1e-8, atol=1e-8)


def test_the_end_of_a_path_alone_can_be_asked_for():
    alphas, active, coefs = lars_path(X, CENTRED, alpha_min=0.5)
    end = lars_path(X, CENTRED, alpha_min=0.5, return_path=False, return_n_iter=True)
    assert end[0] == alphas[-1] == 0.5
    assert end[1] == active
    np.testing.assert_array_equal(end[2], coefs[:, -1])
    assert end[3] == len(alphas) - 1


def test_on_a_least_angle_path_all_active_features_pull_equally_and_ever_less(rng):
    A = rng.normal(size=(40, 6)) @ rng.normal(size=(6, 6))
    target = rng.normal(size=40)
    alphas, active, coefs = lars_path(A, target)
    pulls = A.T @ (target[:, None] - A @ coefs) / len(A)
    assert (np.diff(alphas) < 0).all()
    for corner, alpha in enumerate(alphas):
        joined = active[: max(corner, 1)]
        np.testing.assert_allclose(np.abs(pulls[joined, corner]), alpha, atol=1e-9)
        assert np.abs(pulls[:, corner]).max() <= alpha + 1e-9
    np.testing.assert_allclose(coefs[:, -1], np.linalg.lstsq(A, target)[0], rtol=1e-6)


@pytest.mark.parametrize(
    "model, attributes",
    [
        ("Lars", ["alphas_", "coef_path_"]),
        ("LassoLars", ["alphas_", "coef_path_"]),
        ("LassoLarsCV", ["alpha_", "cv_alphas_", "mse_path_", "alphas_"]),
        ("LassoLarsIC", ["alpha_", "alphas_", "criterion_", "noise_variance_"]),
    ],
)
def test_estimators_agree_with_scikit_learn(model, attributes):
    settings = {"alpha": 0.2} if model == "LassoLars" else {}
    ours = {"Lars": Lars, "LassoLars": LassoLars}
    ours |= {"LassoLarsCV": LassoLarsCV, "LassoLarsIC": LassoLarsIC}
    found = ours[model](**settings).fit(X, Y)
    wanted = getattr(theirs, model)(**settings).fit(X, Y)
    for name in ["coef_", "intercept_", "n_iter_", *attributes]:
        np.testing.assert_allclose(
            getattr(found, name), getattr(wanted, name), rtol=1e-8, atol=1e-8
        )
    if hasattr(wanted, "active_"):
        assert found.active_ == list(wanted.active_)
    np.testing.assert_allclose(found.predict(X), wanted.predict(X))


def test_folds_choose_the_same_end_of_a_least_angle_path_as_scikit_learn(rng):
    # Independent columns: on others its correlations rise again along the way.
    A = np.linalg.qr(rng.normal(size=(120, 6)))[0]
    A = np.vstack([A] * 5) + 1e-3 * rng.normal(size=(600, 6))
    y = A @ [5.0, -4.0, 3.0, 0.0, 0.0, 0.0] + 0.1 * rng.normal(size=600)
    found, wanted = LarsCV().fit(A, y), theirs.LarsCV().fit(A, y)
    np.testing.assert_allclose(found.cv_alphas_, wanted.cv_alphas_, atol=1e-9)
    np.testing.assert_allclose(found.mse_path_, wanted.mse_path_, rtol=1e-6)
    np.testing.assert_allclose(found.coef_, wanted.coef_, rtol=1e-6, atol=1e-8)
    assert found.alpha_ == pytest.approx(wanted.alpha_)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.05, 0.7])
def test_the_lasso_at_the_end_of_its_path_is_proved(alpha, positive):
    model = LassoLars(alpha=alpha, positive=positive).fit(X, Y)
    assert model.certificate_.relative_gap < 1e-10
    other = Lasso(alpha=alpha, positive=positive, tol=1e-14).fit(X, Y)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-4, atol=1e-4)
    assert not positive or model.coef_.min() >= 0


def test_the_path_is_the_homotopy():
    path, model = lasso_homotopy(X, Y), LassoLars(alpha=0.0).fit(X, Y)
    np.testing.assert_allclose(model.alphas_, path.alphas, atol=1e-12)
    np.testing.assert_allclose(model.coef_path_.T, path.coefs, rtol=1e-9, atol=1e-9)


def test_columns_that_repeat_others_leave_the_lasso_optimal(rng):
    A = rng.normal(size=(30, 4))
    A = np.hstack([A, A, A[:, :2] + A[:, 2:]])
    y = A[:, 0] - 2 * A[:, 1] + 0.1 * rng.normal(size=30)
    for alpha in (0.5, 0.1, 0.01):
        assert LassoLars(alpha=alpha).fit(A, y).certificate_.closed
    assert np.isfinite(Lars().fit(A, y).coef_).all()


def test_more_features_than_samples_end_with_an_interpolation(rng):
    A, y = rng.normal(size=(10, 40)), rng.normal(size=10)
    model = Lars().fit(A, y)
    np.testing.assert_allclose(model.predict(A), y, atol=1e-8)
    assert np.count_nonzero(model.coef_) <= 9


def test_several_targets_have_paths_of_their_own(rng):
    both = np.column_stack([Y, rng.permutation(Y)])
    model = LassoLars(alpha=0.3).fit(X, both)
    for k in range(2):
        alone = LassoLars(alpha=0.3).fit(X, both[:, k])
        np.testing.assert_allclose(model.coef_[k], alone.coef_)
        np.testing.assert_allclose(model.alphas_[k], alone.alphas_)
        assert model.active_[k] == alone.active_
    assert model.predict(X).shape == both.shape
    assert len(model.certificates_) == 2


def test_jitter_adds_the_noise_of_scikit_learn():
    settings = {"jitter": 10.0, "random_state": 4, "n_nonzero_coefs": 3}
    found = Lars(**settings).fit(X, Y)
    wanted = theirs.Lars(**settings).fit(X, Y)
    np.testing.assert_allclose(found.coef_, wanted.coef_, rtol=1e-7)
    assert not np.allclose(found.coef_, Lars(n_nonzero_coefs=3).fit(X, Y).coef_)


def test_without_a_path_only_its_end_is_kept():
    model = LassoLars(alpha=0.3, fit_path=False).fit(X, Y)
    assert not hasattr(model, "coef_path_")
    assert model.alphas_.tolist() == [0.3]
    np.testing.assert_array_equal(
        model.coef_, LassoLars(alpha=0.3).fit(X, Y).coef_path_[:, -1]
    )


def test_what_cannot_be_is_refused_in_one_sentence(rng):
    with pytest.raises(IncompatibleError, match="pass through 0"):
        lars_path(X, CENTRED, positive=True)
    with pytest.raises(InvalidParameterError, match=r"lars_path_gram\.method must be"):
        lars_path_gram(np.ones(2), np.eye(2), n_samples=4, method="ridge")
    with pytest.raises(IncompatibleError, match=r"lars_path_gram\(positive=True\)"):
        lars_path_gram(np.ones(2), np.eye(2), n_samples=4, positive=True)
    with pytest.raises(InvalidParameterError, match=r"LassoLars\.alpha must be in"):
        LassoLars(alpha=-1.0).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="one of 'aic', 'bic'"):
        LassoLarsIC("cp").fit(X, Y)
    with pytest.raises(DataError, match="set noise_variance"):
        LassoLarsIC().fit(rng.normal(size=(5, 8)), rng.normal(size=5))
    with pytest.raises(DataError, match="square with one product"):
        lars_path_gram(np.ones(3), np.eye(2), n_samples=4)


def test_what_is_stored_in_single_precision_is_what_is_proved(rng):
    X = (rng.standard_normal((20, 6)) + 1e7).astype(np.float32)
    y = X[:, 0].astype(float) - 1e7 + rng.standard_normal(20)
    model = LassoLars(alpha=0.01).fit(X, y)
    left = y - X.astype(float) @ model.coef_.astype(float) - model.intercept_
    risk = 0.5 * np.mean(left**2) + 0.01 * np.abs(model.coef_.astype(float)).sum()
    assert risk == pytest.approx(model.certificate_.primal, rel=1e-5)
