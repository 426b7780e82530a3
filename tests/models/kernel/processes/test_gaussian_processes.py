"""Gaussian processes against scikit-learn, closed forms and finite differences."""

import numpy as np
import pytest
import sklearn.gaussian_process as theirs
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import multivariate_normal, norm
from sklearn.gaussian_process import kernels as their_kernels

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.kernels import Gaussian, Matern
from infimum.models.kernel import (
    GaussianProcessClassifier,
    GaussianProcessRegressor,
    KernelRidge,
)
from infimum.models.kernel.processes._laplace import averaged_sigmoid


def field(n=60, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.uniform(-3, 3, (n, 2))
    return X, np.sin(X[:, 0]) * X[:, 1] + 0.1 * draw.standard_normal(n)


NEW = np.random.default_rng(9).uniform(-3, 3, (15, 2))


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("outputs", [1, 2])
def test_same_posterior_as_scikit_learn(normalize, outputs):
    X, y = field()
    y = y if outputs == 1 else np.column_stack((y, 3 * np.cos(X[:, 1]) + 1))
    kernel = 1.0 * their_kernels.RBF([1.0, 1.0]) + their_kernels.WhiteKernel(0.1)
    settings = {"normalize_y": normalize}
    ours = GaussianProcessRegressor(kernel, **settings).fit(X, y)
    peer = theirs.GaussianProcessRegressor(kernel, **settings).fit(X, y)
    np.testing.assert_allclose(
        ours.log_marginal_likelihood_value_,
        np.sum(peer.log_marginal_likelihood_value_),
        rtol=1e-6,
    )
    for mode in ("return_std", "return_cov"):
        mean, spread = ours.predict(NEW, **{mode: True})
        expected = peer.predict(NEW, **{mode: True})
        np.testing.assert_allclose(mean, expected[0], atol=1e-4)
        np.testing.assert_allclose(spread, expected[1], atol=1e-4)
    assert ours.certificate_.closed


def test_our_kernels_find_the_parameters_scikit_learns_find():
    X, y = field()
    ours = GaussianProcessRegressor(2.0 * Gaussian(1.0), alpha=0.01).fit(X, y)
    peer = theirs.GaussianProcessRegressor(
        2.0 * their_kernels.RBF(1.0), alpha=0.01
    ).fit(X, y)
    np.testing.assert_allclose(
        ours.log_marginal_likelihood_value_,
        peer.log_marginal_likelihood_value_,
        rtol=1e-7,
    )
    np.testing.assert_allclose(
        ours.kernel_.kernel.width, peer.kernel_.k2.length_scale, rtol=1e-4
    )


def test_the_evidence_is_the_density_of_the_targets_and_its_slope_is_right():
    X, y = field(20)
    model = GaussianProcessRegressor(
        1.5 * Matern(2.5, 0.7) + 0.3 * Gaussian(2.0), alpha=0.1, optimizer=None
    ).fit(X, y)
    gram = model.kernel_(X) + 0.1 * np.eye(20)
    np.testing.assert_allclose(
        model.log_marginal_likelihood_value_,
        multivariate_normal(np.zeros(20), gram).logpdf(y),
    )
    theta = np.log([0.7, 1.5, 2.0, 0.3])
    value, slope = model.log_marginal_likelihood(theta, eval_gradient=True)
    np.testing.assert_allclose(value, model.log_marginal_likelihood_value_)
    for j in range(4):
        move = np.where(np.arange(4) == j, 1e-4, 0.0)
        rise = model.log_marginal_likelihood(theta + move)
        rise -= model.log_marginal_likelihood(theta - move)
        np.testing.assert_allclose(slope[j], rise / 2e-4, rtol=1e-5)


def test_the_mean_is_kernel_ridge_and_weights_are_divided_variances():
    X, y = field()
    process = GaussianProcessRegressor(Gaussian(1.0), alpha=0.2, optimizer=None)
    ridge = KernelRidge(alpha=0.2, kernel=Gaussian(1.0)).fit(X, y)
    np.testing.assert_allclose(process.fit(X, y).predict(NEW), ridge.predict(NEW))
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    weighted = GaussianProcessRegressor(
        Gaussian(1.0), alpha=0.2 / counts, optimizer=None
    ).fit(X, y)
    repeated = process.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    for result in (False, True):
        np.testing.assert_allclose(
            weighted.predict(NEW, return_std=result),
            repeated.predict(NEW, return_std=result),
            atol=1e-8,
        )


def test_the_prior_speaks_before_any_data():
    process = GaussianProcessRegressor(4.0 * Gaussian(1.0))
    mean, deviation = process.predict(NEW, return_std=True)
    assert not mean.any()
    np.testing.assert_allclose(deviation, 2.0)
    draws = process.sample_y(NEW[:3], 4000, random_state=0)
    np.testing.assert_allclose(
        np.cov(draws), 4.0 * Gaussian(1.0)(NEW[:3]), atol=6 * 4 * np.sqrt(2 / 4000)
    )


def test_draws_from_the_posterior_pass_through_the_data():
    X, y = field(10)
    process = GaussianProcessRegressor(Gaussian(1.0), optimizer=None).fit(X, y)
    draws = process.sample_y(X, 5, random_state=0)
    np.testing.assert_allclose(draws, np.repeat(y[:, None], 5, axis=1), atol=1e-3)


def test_restarts_find_a_higher_hill():
    X, y = field()
    start = 1.0 * Gaussian(1e-4)
    alone = GaussianProcessRegressor(start, alpha=0.01).fit(X, y)
    again = GaussianProcessRegressor(
        start, alpha=0.01, n_restarts_optimizer=4, random_state=0
    ).fit(X, y)
    gained = again.log_marginal_likelihood_value_ - alone.log_marginal_likelihood_value_
    assert gained > 1.0


@pytest.mark.parametrize("scheme", ["one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("cuts", [[0.0], [-0.7, 0.7]])
def test_same_classes_and_evidence_as_scikit_learn(scheme, cuts):
    X, y = field()
    labels = np.array(["a", "b", "c"])[np.digitize(y, cuts)]
    kernel = 4.0 * their_kernels.RBF(1.0)
    settings = {"multi_class": scheme, "optimizer": None}
    ours = GaussianProcessClassifier(kernel, **settings).fit(X, labels)
    peer = theirs.GaussianProcessClassifier(kernel, **settings).fit(X, labels)
    np.testing.assert_allclose(
        ours.log_marginal_likelihood_value_,
        peer.log_marginal_likelihood_value_,
        rtol=1e-6,
    )
    np.testing.assert_array_equal(ours.predict(NEW), peer.predict(NEW))
    assert ours.certificate_.closed
    if scheme == "one_vs_rest":
        np.testing.assert_allclose(
            ours.predict_proba(NEW), peer.predict_proba(NEW), atol=2e-3
        )
    elif len(cuts) > 1:
        with pytest.raises(IncompatibleError, match="one_vs_rest"):
            ours.predict_proba(NEW)


def test_the_approximate_evidence_has_the_slope_it_states():
    X, y = field(30)
    model = GaussianProcessClassifier(2.0 * Gaussian(1.0)).fit(X, y > 0)
    theta = np.array([0.1, 0.9])
    _, slope = model.log_marginal_likelihood(theta, eval_gradient=True)
    for j in range(2):
        move = np.where(np.arange(2) == j, 1e-4, 0.0)
        rise = model.log_marginal_likelihood(theta + move)
        rise -= model.log_marginal_likelihood(theta - move)
        np.testing.assert_allclose(slope[j], rise / 2e-4, rtol=1e-5)


@pytest.mark.parametrize("deviation", [0.0, 0.3, 3.0, 11.9, 12.1, 60.0])
@pytest.mark.parametrize("mean", [-20.0, -1.0, 0.0, 2.5])
def test_probabilities_are_averages_of_the_sigmoid(mean, deviation):
    found = averaged_sigmoid(np.array([mean]), np.array([deviation**2]))[0]
    if deviation == 0.0:
        exact = expit(mean)
    else:
        exact, _ = quad(
            lambda z: expit(mean + deviation * z) * norm.pdf(z),
            -9,
            9,
            points=[-mean / deviation],
            limit=400,
        )
    np.testing.assert_allclose(found, exact, atol=5e-5)


def test_bad_settings_are_refused_in_one_sentence():
    X, y = field(8)
    with pytest.raises(InvalidParameterError, match=r"kernel must be a Kernel"):
        GaussianProcessRegressor("rbf").fit(X, y)
    with pytest.raises(InvalidParameterError, match="optimizer must be"):
        GaussianProcessRegressor(Gaussian(1.0), optimizer="newton").fit(X, y)
    with pytest.raises(InvalidParameterError, match="one per sample"):
        GaussianProcessRegressor(alpha=np.ones(3)).fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"in \[0, inf\)"):
        GaussianProcessRegressor(alpha=-1.0).fit(X, y)
    with pytest.raises(DataError, match="raise alpha"):
        GaussianProcessRegressor(alpha=0.0, optimizer=None).fit(X[[0, 0, 1]], y[:3])
    with pytest.raises(DataError, match="2 classes"):
        GaussianProcessClassifier().fit(X, np.ones(8))
    with pytest.raises(InvalidParameterError, match="not both"):
        GaussianProcessRegressor().predict(X, return_std=True, return_cov=True)


def test_a_failed_fit_leaves_the_old_model():
    X, y = field(8)
    model = GaussianProcessRegressor(alpha=0.0, optimizer=None).fit(X, y)
    before = model.predict(NEW)
    with pytest.raises(DataError):
        model.fit(X[[0, 0, 1]], y[:3])
    np.testing.assert_array_equal(model.predict(NEW), before)


def test_the_default_kernel_is_tuned_as_scikit_learns_is():
    X, y = field()
    ours = GaussianProcessRegressor(alpha=0.01).fit(X, y)
    peer = theirs.GaussianProcessRegressor(alpha=0.01).fit(X, y)
    np.testing.assert_allclose(
        ours.log_marginal_likelihood_value_,
        peer.log_marginal_likelihood_value_,
        rtol=1e-4,
    )
    np.testing.assert_allclose(ours.predict(NEW), peer.predict(NEW), atol=0.02)
    assert ours.kernel is None
    assert ours.kernel_ != 1.0 * Gaussian(1.0)
    # That of the classifier stays fixed, there as here.
    labels = y > 0
    ours, peer = GaussianProcessClassifier(), theirs.GaussianProcessClassifier()
    shares = peer.fit(X, labels).predict_proba(NEW)
    np.testing.assert_allclose(
        ours.fit(X, labels).predict_proba(NEW), shares, atol=2e-3
    )
