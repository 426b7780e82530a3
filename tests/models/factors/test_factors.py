"""Factors of tables: scikit-learn's answers, or better ones of the same problem."""

import warnings

import numpy as np
import pytest
import sklearn.cross_decomposition
import sklearn.decomposition as theirs
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from infimum.errors import DataError, InvalidParameterError
from infimum.models import factors as ours
from infimum.models.factors import _nonnegative_descent as descent

PAIRS = ["PLSRegression", "PLSCanonical", "CCA", "PLSSVD"]
PARTS = [
    "x_weights_", "y_weights_", "x_loadings_", "y_loadings_", "x_rotations_",
    "y_rotations_", "coef_", "intercept_",
]  # fmt: skip


@pytest.fixture
def two_tables(rng):
    X = rng.normal(size=(80, 5))
    return X, X[:, :3] @ rng.normal(size=(3, 4)) + 0.3 * rng.normal(size=(80, 4))


@pytest.mark.filterwarnings("ignore:.*maximum number of iterations")
@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("name", PAIRS)
def test_pairs_of_directions_are_scikit_learns(two_tables, name, scale):
    X, Y = two_tables
    rooms = ours, sklearn.cross_decomposition
    mine, other = (getattr(r, name)(3, scale=scale).fit(X, Y) for r in rooms)
    for part in PARTS:
        if hasattr(other, part):
            np.testing.assert_allclose(
                getattr(mine, part), getattr(other, part), atol=1e-6, err_msg=part
            )
    for a, b in zip(mine.transform(X, Y), other.transform(X, Y), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)
    if hasattr(other, "predict"):
        np.testing.assert_allclose(mine.predict(X), other.predict(X), atol=1e-6)
        back, again = mine.inverse_transform(*mine.transform(X, Y))
        assert back.shape == X.shape
        assert again.shape == Y.shape


def test_one_target_is_told_flat(two_tables):
    X, Y = two_tables
    mine = ours.PLSRegression(2).fit(X, Y[:, 0])
    other = sklearn.cross_decomposition.PLSRegression(2).fit(X, Y[:, 0])
    np.testing.assert_allclose(mine.predict(X), other.predict(X))
    assert mine.coef_.shape == other.coef_.shape
    np.testing.assert_allclose(mine.x_scores_, other.x_scores_)
    with pytest.raises(InvalidParameterError, match="at most 5"):
        ours.PLSRegression(6).fit(X, Y)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"init": "random"},
        {"alpha_W": 0.01, "l1_ratio": 0.5},
        {"solver": "mu", "beta_loss": "kullback-leibler"},
        {"solver": "mu", "beta_loss": 1.5},
    ],
)
def test_nonnegative_factors_are_as_near_as_scikit_learns(rng, how):
    X = np.abs(rng.normal(size=(60, 12)))
    mine, other = (
        room.NMF(4, random_state=0, max_iter=2000, **how).fit(X)
        for room in (ours, theirs)
    )
    assert mine.reconstruction_err_ <= other.reconstruction_err_ * 1.001
    loadings = mine.transform(X)
    assert loadings.min() >= 0.0
    assert mine.components_.min() >= 0.0
    assert np.linalg.norm(X - mine.inverse_transform(loadings)) <= np.linalg.norm(X)


@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
def test_large_tables_lose_nothing_by_single_precision(rng, monkeypatch):
    X = rng.gamma(1, 1, (2500, 6)) @ rng.gamma(1, 1, (6, 50)) + rng.random((2500, 50))
    how = {"n_components": 5, "tol": 1e-8, "max_iter": 5000, "random_state": 0}
    quick = ours.NMF(**how).fit(X)
    assert X.size >= descent.LARGE
    monkeypatch.setattr(descent, "LARGE", np.inf)
    slow = ours.NMF(**how).fit(X)
    assert quick.reconstruction_err_ == pytest.approx(
        slow.reconstruction_err_, rel=1e-9
    )
    other = theirs.NMF(**{**how, "max_iter": 500}).fit(X)
    assert quick.reconstruction_err_ <= other.reconstruction_err_ * (1 + 1e-7)
    loadings = quick.fit_transform(X)
    slopes = (loadings @ quick.components_ - X) @ quick.components_.T
    assert np.abs(np.minimum(loadings, slopes)).max() < 1e-6 * np.abs(slopes).max()


def test_parts_are_as_large_in_one_factor_as_in_the_other(rng):
    """Violations would be of any size otherwise: parts may be scaled as one likes."""
    X = rng.gamma(1, 1, (200, 5)) @ rng.gamma(1, 1, (5, 40)) + 0.1
    model = ours.NMF(30, init="random", random_state=0)
    W = model.fit_transform(X)
    there = W.any(axis=0) & model.components_.any(axis=1)
    ratios = np.linalg.norm(W, axis=0)[there]
    ratios /= np.linalg.norm(model.components_, axis=1)[there]
    assert ratios.max() < 100.0
    assert ratios.min() > 0.01


def test_sparse_tables_have_the_same_factors(rng):
    X = np.abs(rng.normal(size=(40, 9))) * (rng.random((40, 9)) < 0.4)
    for how in ({}, {"solver": "mu", "beta_loss": "kullback-leibler"}):
        dense = ours.NMF(3, max_iter=500, **how).fit(X)
        thin = ours.NMF(3, max_iter=500, **how).fit(sparse.csr_array(X))
        np.testing.assert_allclose(dense.components_, thin.components_, atol=1e-5)


def test_what_is_negative_has_no_nonnegative_factors():
    with pytest.raises(DataError, match="Negative values"):
        ours.NMF(1).fit([[1.0, -1.0], [2.0, 3.0]])
    with pytest.raises(InvalidParameterError, match="needs solver='mu'"):
        ours.NMF(1, beta_loss=1.0).fit([[1.0, 1.0], [2.0, 3.0]])
    with pytest.warns(ConvergenceWarning, match="maximum number of iterations"):
        ours.NMF(2, max_iter=1).fit(np.arange(36.0).reshape(9, 4) % 7)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"algorithm": "deflation"},
        {"fun": "exp"},
        {"fun": "cube"},
        {"whiten": "arbitrary-variance"},
        {"n_components": 2},
    ],
)
def test_independent_sources_are_scikit_learns(rng, how):
    X = rng.laplace(size=(400, 3)) @ rng.normal(size=(3, 3))
    mine, other = (
        room.FastICA(random_state=0, **how).fit(X) for room in (ours, theirs)
    )
    assert mine.n_iter_ == other.n_iter_
    for part in ("components_", "mixing_", "whitening_"):
        np.testing.assert_allclose(
            np.abs(getattr(mine, part)), np.abs(getattr(other, part)), atol=1e-8
        )
    np.testing.assert_allclose(mine.mean_, other.mean_)


def test_a_contrast_may_be_a_function(rng):
    X = rng.laplace(size=(300, 2)) @ rng.normal(size=(2, 2))

    def cube(x):
        return x**3, (3 * x**2).mean(axis=-1)

    given = ours.FastICA(fun=cube, random_state=0).fit(X)
    named = ours.FastICA(fun="cube", random_state=0).fit(X)
    np.testing.assert_allclose(given.components_, named.components_)
    with pytest.raises(InvalidParameterError, match="alpha must be"):
        ours.FastICA(fun_args={"alpha": 9.0}).fit(X)


@pytest.mark.parametrize("rotation", [None, "varimax", "quartimax"])
def test_factor_analysis_is_scikit_learns(rng, rotation):
    X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 6)) + rng.normal(size=(200, 6))
    mine, other = (
        room.FactorAnalysis(2, rotation=rotation, tol=1e-6).fit(X)
        for room in (ours, theirs)
    )
    np.testing.assert_allclose(
        np.abs(mine.components_), np.abs(other.components_), atol=1e-5
    )
    np.testing.assert_allclose(mine.noise_variance_, other.noise_variance_, atol=1e-5)
    assert mine.score(X) == pytest.approx(other.score(X))
    np.testing.assert_allclose(
        np.abs(mine.transform(X)), np.abs(other.transform(X)), atol=1e-4
    )
    assert (np.diff(mine.loglike_) >= -1e-9).all()


def test_float32_stays_float32(rng):
    X = np.abs(rng.normal(size=(30, 5))).astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for model in (ours.NMF(2), ours.FastICA(2, random_state=0)):
            assert model.fit_transform(X).dtype == np.float32
            assert model.components_.dtype == np.float32
