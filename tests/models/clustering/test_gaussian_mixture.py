"""Gaussian mixtures: the likelihood never falls, and strangers agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture as TheirMixture

from infimum.errors import DataError
from infimum.models.clustering import GaussianMixture, KMeans
from infimum.models.clustering.mixtures import _mixture_steps as steps

KINDS = ["full", "tied", "diag", "spherical"]
EYES = {
    "full": np.tile(np.eye(3), (3, 1, 1)),
    "tied": np.eye(3),
    "diag": np.ones((3, 3)),
    "spherical": np.ones(3),
}


def sample(rng, n=200):
    means = np.array([[0.0, 0.0, 0.0], [6.0, 0.0, 1.0], [0.0, 9.0, 5.0]])
    X = rng.normal(size=(3 * n, 3)) * [1.0, 2.0, 0.5]
    return X + np.repeat(means, n, axis=0), means


def started(kind, means, **options):
    return {
        "covariance_type": kind,
        "weights_init": np.full(3, 1 / 3),
        "means_init": means + 1.0,
        "precisions_init": EYES[kind],
        "max_iter": 25,
        "tol": 1e-9,
        **options,
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_step_is_that_of_scikit_learn(kind, rng):
    X, means = sample(rng)
    settings = started(kind, means)
    ours, theirs = GaussianMixture(3, **settings), TheirMixture(3, **settings)
    ours.fit(X), theirs.fit(X)
    for name in ("weights_", "means_", "covariances_", "precisions_"):
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-6, atol=1e-8
        )
    np.testing.assert_allclose(
        ours.precisions_cholesky_, theirs.precisions_cholesky_, rtol=1e-6, atol=1e-8
    )
    fresh = rng.normal(size=(30, 3)) * 5
    np.testing.assert_allclose(
        ours.score_samples(fresh), theirs.score_samples(fresh), rtol=1e-6
    )
    np.testing.assert_allclose(
        ours.predict_proba(fresh), theirs.predict_proba(fresh), atol=1e-6
    )
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.bic(X) == pytest.approx(theirs.bic(X))
    assert ours.aic(X) == pytest.approx(theirs.aic(X))


@pytest.mark.parametrize(
    "k, d, n", [(1, 1, 300), (4, 7, 501), (11, 3, 1000), (6, 24, 90)]
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_one_loop_makes_the_steps_of_any_number_of_components_and_columns(k, d, n):
    draw = np.random.default_rng(k)
    means = 2.0 * draw.normal(size=(k, d))
    X = means[draw.integers(0, k, n)] + draw.normal(size=(n, d))
    options = {
        "weights_init": np.full(k, 1.0 / k),
        "means_init": means + 0.3,
        "precisions_init": np.tile(np.eye(d), (k, 1, 1)),
        "max_iter": 4,
        "tol": 0.0,
        "reg_covar": 0.1,
    }
    ours, theirs = GaussianMixture(k, **options), TheirMixture(k, **options)
    ours.fit(X), theirs.fit(X)
    for name in ("weights_", "means_", "covariances_", "lower_bound_"):
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-8, atol=1e-10
        )


def test_rows_a_component_has_no_share_in_are_left_out_of_its_sums_only():
    draw = np.random.default_rng(5)
    X = np.vstack([draw.normal(size=(400, 2)), draw.normal(size=(3, 2)) + 60.0])
    model = GaussianMixture(2, means_init=[[0.0, 0.0], [60.0, 60.0]]).fit(X)
    for label, rows in enumerate((X[:400], X[400:])):
        np.testing.assert_allclose(model.means_[label], rows.mean(axis=0), rtol=1e-13)
        np.testing.assert_allclose(
            model.covariances_[label], np.cov(rows.T, bias=True) + 1e-6 * np.eye(2)
        )
    np.testing.assert_allclose(model.weights_, [400 / 403, 3 / 403], rtol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_the_likelihood_never_falls(kind, seed, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2)) * rng.uniform(0.1, 3.0, 2)
    model = GaussianMixture(
        k,
        covariance_type=kind,
        init_params="random",
        reg_covar=1e-10,
        tol=1e-5,
        max_iter=400,
        random_state=seed,
    ).fit(X)
    assert np.diff(model.lower_bounds_).min(initial=0.0) >= -1e-9
    assert model.score(X) >= model.lower_bounds_[0] - 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_a_weight_is_a_number_of_copies(kind, rng):
    X, _ = sample(rng, 40)
    weights = rng.integers(0, 3, len(X))
    rows = rng.permutation(np.repeat(np.arange(len(X)), weights))
    model = GaussianMixture(3, covariance_type=kind, random_state=0)
    weighted = model.fit(X, sample_weight=weights)
    means, widths = weighted.means_.copy(), weighted.covariances_.copy()
    repeated = model.fit(X[rows])
    np.testing.assert_allclose(means, repeated.means_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(widths, repeated.covariances_, rtol=1e-6, atol=1e-8)


def test_the_density_is_the_weighted_sum_of_normal_ones(rng):
    X, _ = sample(rng)
    model = GaussianMixture(3, random_state=0).fit(X)
    fresh = rng.normal(size=(20, 3)) * 4
    parts = [
        weight * multivariate_normal(mean, covariance).pdf(fresh)
        for weight, mean, covariance in zip(
            model.weights_, model.means_, model.covariances_, strict=True
        )
    ]
    np.testing.assert_allclose(np.exp(model.score_samples(fresh)), np.sum(parts, 0))
    shares = np.array(parts) / np.sum(parts, 0)
    np.testing.assert_allclose(model.predict_proba(fresh).T, shares, atol=1e-12)
    assert (model.predict(fresh) == shares.argmax(axis=0)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_samples_of_the_mixture_have_its_moments(kind, rng):
    X, _ = sample(rng)
    model = GaussianMixture(3, covariance_type=kind, random_state=0).fit(X)
    drawn, labels = model.sample(6000)
    assert drawn.shape == (6000, 3)
    assert abs(np.bincount(labels) / 6000 - model.weights_).max() < 0.03
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.25)
    again = GaussianMixture(3, covariance_type=kind, random_state=1).fit(drawn)
    assert again.score(X) == pytest.approx(model.score(X), abs=0.05)


def test_narrow_components_are_fitted_by_differences(rng):
    X = 1e-6 * rng.normal(size=(300, 2)) + np.repeat([[0, 0], [1, 2], [3, 1]], 100, 0)
    model = GaussianMixture(3, reg_covar=0.0, random_state=0).fit(X)
    for mean, covariance in zip(model.means_, model.covariances_, strict=True):
        mine = np.linalg.norm(X - mean, axis=1) < 0.1
        assert mine.sum() == 100
        np.testing.assert_allclose(covariance, np.cov(X[mine].T, ddof=0), rtol=1e-6)


def test_both_ways_to_take_moments_agree(rng, monkeypatch):
    X, means = sample(rng)
    settings = started("full", means, tol=1e-4)
    fast = GaussianMixture(3, **settings).fit(X)
    monkeypatch.setattr(steps, "WORST", 0.0)
    slow = GaussianMixture(3, **settings).fit(X)
    np.testing.assert_allclose(fast.lower_bounds_, slow.lower_bounds_, rtol=1e-12)
    np.testing.assert_allclose(fast.covariances_, slow.covariances_, atol=1e-10)


def test_a_warm_start_goes_on_where_it_stopped(rng):
    X, means = sample(rng)
    settings = started("full", means, tol=0.0)
    whole = GaussianMixture(3, **{**settings, "max_iter": 6})
    part = GaussianMixture(3, warm_start=True, **{**settings, "max_iter": 3})
    for model in (whole, part, part):
        with pytest.warns(match="did not settle"):
            model.fit(X)
    np.testing.assert_allclose(whole.means_, part.means_, rtol=1e-9)


@pytest.mark.parametrize("rule", ["kmeans", "k-means++", "random_from_data"])
def test_every_start_finds_clusters_far_apart(rule, rng):
    X, means = sample(rng)
    model = GaussianMixture(3, init_params=rule, n_init=4, random_state=0).fit(X)
    found = model.means_[np.argsort(model.means_ @ [1.0, 3.0, 0.0])]
    np.testing.assert_allclose(found, means, atol=0.6)
    assert KMeans(3, random_state=0).fit(X).inertia_ > 0


@pytest.mark.parametrize(
    "known",
    [
        {"weights_init": [0.5, 0.6]},
        {"means_init": np.zeros((3, 3))},
        {"precisions_init": -np.tile(np.eye(3), (2, 1, 1))},
        {"precisions_init": np.eye(3)},
    ],
    ids=["weights", "means", "negative", "shape"],
)
def test_a_start_that_cannot_be_is_refused(known, rng):
    with pytest.raises(DataError, match=r"GaussianMixture\.\w+_init"):
        GaussianMixture(2, **known).fit(rng.normal(size=(20, 3)))
