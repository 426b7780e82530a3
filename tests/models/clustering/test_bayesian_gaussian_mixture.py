"""Gaussian mixtures with a prior."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import BayesianGaussianMixture as Peer

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import BayesianGaussianMixture

KINDS = ["full", "tied", "diag", "spherical"]
PRIORS = ["dirichlet_process", "dirichlet_distribution"]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def blobs(n=60, units=(1.0, 10.0, 0.1)):
    draw = np.random.default_rng(0)
    centres = [(0, 0, 0), (4, 0, 1), (0, 5, 2)]
    return np.concatenate([draw.normal(c, 0.7, (n, 3)) for c in centres]) * units


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prior", PRIORS)
def test_the_belief_is_that_of_scikit_learn(kind, prior):
    settings = {
        "n_components": 5,
        "covariance_type": kind,
        "weight_concentration_prior_type": prior,
        "weight_concentration_prior": 0.01,
        "init_params": "random",
        "random_state": 3,
        "max_iter": 15,
        "tol": 0.0,
    }
    X = blobs()
    ours, theirs = BayesianGaussianMixture(**settings).fit(X), Peer(**settings).fit(X)
    for name in (
        "weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_",
        "mean_precision_", "degrees_of_freedom_", "covariance_prior_", "mean_prior_",
        "weight_concentration_", "weight_concentration_prior_", "mean_precision_prior_",
        "degrees_of_freedom_prior_", "lower_bound_",
    ):  # fmt: skip
        found = np.asarray(getattr(ours, name))
        expected = np.asarray(getattr(theirs, name)).reshape(found.shape)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, atol=1e-10 * scale, err_msg=name)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X))
    np.testing.assert_allclose(
        ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10
    )
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prior", PRIORS)
def test_the_bound_never_falls(kind, prior):
    model = BayesianGaussianMixture(
        n_components=6, covariance_type=kind, weight_concentration_prior_type=prior,
        reg_covar=0.0, random_state=1, max_iter=60, tol=0.0,
    ).fit(blobs())  # fmt: skip
    assert (np.diff(model.lower_bounds_) >= -1e-9 * abs(model.lower_bound_)).all()


@pytest.mark.parametrize("prior", PRIORS)
def test_components_that_nothing_supports_fade(prior):
    X = blobs(200)
    model = BayesianGaussianMixture(
        n_components=8, weight_concentration_prior_type=prior, max_iter=500,
        weight_concentration_prior=1e-3, random_state=0,
    ).fit(X)  # fmt: skip
    assert np.sum(model.weights_ > 0.02) == 3
    labels = model.predict(X)
    assert [len(set(labels[p : p + 200])) for p in (0, 200, 400)] == [1, 1, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_weights_mean_repetition(kind):
    X = blobs(20)
    weights = np.random.default_rng(2).integers(0, 4, len(X))
    settings = {"n_components": 3, "covariance_type": kind, "max_iter": 30, "tol": 0.0}
    settings |= {"init_params": "kmeans", "random_state": 0}
    one = BayesianGaussianMixture(**settings).fit(X, sample_weight=weights)
    two = BayesianGaussianMixture(**settings).fit(np.repeat(X, weights, axis=0))
    # The starts of k-means may name the components otherwise.
    first, second = np.argsort(one.means_[:, 0]), np.argsort(two.means_[:, 0])
    np.testing.assert_allclose(one.means_[first], two.means_[second], rtol=0.02)
    np.testing.assert_allclose(one.covariance_prior_, two.covariance_prior_)
    np.testing.assert_allclose(one.mean_prior_, two.mean_prior_)


def test_a_warm_start_goes_on_where_the_last_fit_ended():
    X = blobs()
    settings = {"n_components": 4, "random_state": 5, "tol": 0.0, "reg_covar": 0.0}
    whole = BayesianGaussianMixture(**settings, max_iter=12).fit(X)
    parts = BayesianGaussianMixture(**settings, max_iter=6, warm_start=True)
    parts.fit(X).fit(X)
    np.testing.assert_allclose(parts.means_, whole.means_, rtol=1e-9)
    np.testing.assert_allclose(parts.lower_bound_, whole.lower_bound_)


def test_priors_pull_towards_themselves():
    X = blobs()
    far = BayesianGaussianMixture(
        mean_prior=[100.0, 100.0, 100.0], mean_precision_prior=1e6
    ).fit(X)
    np.testing.assert_allclose(far.means_, [[100.0, 100.0, 100.0]], rtol=0.02)
    stiff = BayesianGaussianMixture(
        covariance_prior=1e9 * np.eye(3), degrees_of_freedom_prior=1e9
    ).fit(X)
    np.testing.assert_allclose(stiff.covariances_[0], np.eye(3), atol=0.01)


def test_samples_come_from_the_expected_density():
    X = blobs(200, units=1.0)
    model = BayesianGaussianMixture(n_components=3, random_state=0).fit(X)
    drawn, labels = model.sample(3000)
    for label in range(3):
        own = drawn[labels == label]
        error = 4.0 * np.sqrt(model.covariances_[label].diagonal() / len(own))
        assert (np.abs(own.mean(axis=0) - model.means_[label]) < error).all()


def test_constant_columns_and_float32_are_welcome():
    X = np.column_stack([blobs(), np.ones(180)]).astype(np.float32)
    model = BayesianGaussianMixture(n_components=2, random_state=0).fit(X)
    assert model.means_.dtype == np.float32
    assert np.isfinite(model.score(X))


def test_what_cannot_be_fitted_is_told_in_one_sentence():
    X = blobs()
    with pytest.raises(DataError, match="as many samples as components"):
        BayesianGaussianMixture(n_components=9).fit(X[:5])
    for name, value in [
        ("weight_concentration_prior_type", "stick"),
        ("weight_concentration_prior", 0.0),
        ("mean_precision_prior", -1.0),
        ("degrees_of_freedom_prior", 1.5),
        ("mean_prior", [1.0]),
        ("covariance_prior", np.eye(2)),
    ]:
        with pytest.raises(InvalidParameterError, match=f"Mixture.{name}"):
            BayesianGaussianMixture(**{name: value}).fit(X)
    with pytest.raises(DataError, match="positive definite"):
        BayesianGaussianMixture(covariance_prior=-np.eye(3)).fit(X)


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_too_few_steps_are_told():
    with pytest.warns(ConvergenceWarning, match="did not settle in 1 steps"):
        BayesianGaussianMixture(n_components=3, max_iter=1).fit(blobs())
