"""Gaussian processes whose kernel matrix is never whole, against those with one."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

from infimum.errors import InvalidParameterError
from infimum.kernels import Gaussian, Linear, Spectrum
from infimum.models.kernel import (
    GaussianProcessClassifier,
    GaussianProcessRegressor,
    KernelRidge,
)
from infimum.models.kernel.kernel_ridges._conjugate_gradients import KernelTiles
from infimum.models.kernel.processes import _process_memory
from infimum.models.kernel.processes._log_determinant import trace_of_logarithm
from infimum.models.kernel.processes._tiled_system import TiledSystem
from infimum.models.kernel.processes._tuned_kernel import tuned_kernel
from infimum.models.warnings import UncertifiedWarning


def field(rng, n=300):
    X = rng.uniform(-3, 3, (n, 2))
    return X, np.sin(X[:, 0]) * X[:, 1] + 0.1 * rng.standard_normal(n)


def both(cls, kernel, **settings):
    settings = {"optimizer": None, "random_state": 0, **settings}
    whole = cls(kernel, solver="cholesky", **settings)
    return whole, cls(kernel, solver="conjugate_gradient", **settings)


KERNELS = {
    "smooth": (2.0 * Gaussian(1.0), 0.01),
    "rough": (2.0 * Gaussian(0.2), 0.02),
    "own noise": (2.0 * RBF(1.0) + WhiteKernel(0.01), 1e-10),
    "noise of each": (Gaussian(0.5), np.linspace(0.01, 0.3, 300)),
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("outputs", [1, 2])
def test_tiles_give_the_posterior_of_the_whole_matrix(name, outputs, rng):
    X, y = field(rng)
    y = y if outputs == 1 else np.column_stack((y, 3 * X[:, 1] + 1))
    kernel, alpha = KERNELS[name]
    new = rng.uniform(-3, 3, (20, 2))
    whole, tiled = both(
        GaussianProcessRegressor, kernel, alpha=alpha, normalize_y=outputs == 2
    )
    mean, covariance = whole.fit(X, y).predict(new, return_cov=True)
    found, spread = tiled.fit(X, y).predict(new, return_cov=True)
    assert tiled.L_ is None
    assert tiled.certificate_.closed
    assert tiled.n_iter_ == tiled.history_[-1].iteration > 1
    assert found == pytest.approx(mean, abs=1e-4)
    assert spread == pytest.approx(covariance, abs=1e-7)
    deviation = whole.predict(new, return_std=True)[1]
    wider = tiled.predict(new, return_std=True)[1]
    assert wider == pytest.approx(deviation, rel=1e-5)
    assert (wider >= deviation * (1 - 1e-9)).all()  # never too sure


@pytest.mark.parametrize("name", KERNELS)
def test_the_estimate_of_the_evidence_states_its_error(name, rng):
    X, y = field(rng)
    kernel, alpha = KERNELS[name]
    whole, tiled = both(GaussianProcessRegressor, kernel, alpha=alpha)
    exact = whole.fit(X, y).log_marginal_likelihood_value_
    assert whole.log_marginal_likelihood_error_ == 0.0
    misses = []
    for seed in range(6):
        tiled.set_params(random_state=seed).fit(X, y)
        error = tiled.log_marginal_likelihood_error_
        misses.append((tiled.log_marginal_likelihood_value_ - exact) / error)
        assert 0 < error < 20
    # Four standard errors, and right on average: six of them make 2.45 of one.
    assert np.abs(misses).max() < 4
    assert abs(np.mean(misses)) < 4 / np.sqrt(6)


def test_products_bound_the_logarithm_from_both_sides(rng):
    root = rng.standard_normal((60, 60))
    matrix = root @ root.T / 60 + 0.05 * np.eye(60)
    values = np.linalg.eigvalsh(matrix)
    exact = float(np.log(values).sum())
    found = trace_of_logarithm(
        lambda z: matrix @ z, 60, values[0], np.random.RandomState(0)
    )
    assert abs(found.value - exact) < 4 * found.error
    ones = trace_of_logarithm(lambda z: 2.0 * z, 60, 2.0, np.random.RandomState(0))
    assert ones.value == pytest.approx(60 * np.log(2.0))
    assert ones.error == pytest.approx(0.0, abs=1e-10)


def test_what_landmarks_see_is_not_estimated(rng):
    X = rng.uniform(-1, 1, (200, 2))
    kernel = tuned_kernel("x", Linear())
    tiles = KernelTiles(kernel.cross, X, 0)
    system = TiledSystem.of(kernel, X, np.full(200, 3.0), tiles)
    exact = np.linalg.slogdet(9.0 * X @ X.T + np.eye(200))[1]
    found = system.log_determinant(np.random.RandomState(0))
    assert found.value == pytest.approx(exact, abs=1e-8)
    assert found.error < 1e-8


@pytest.mark.parametrize(
    "kernel",
    [4.0 * Gaussian(1.0), 4.0 * RBF(1.0) + WhiteKernel(0.5)],
    ids=["smooth", "own noise"],
)
@pytest.mark.parametrize("cuts", [[0.0], [-0.7, 0.7]], ids=["two", "three"])
def test_classes_from_tiles_are_those_of_the_whole_matrix(kernel, cuts, rng):
    X, y = field(rng)
    labels, new = np.digitize(y, cuts), rng.uniform(-3, 3, (20, 2))
    whole, tiled = both(GaussianProcessClassifier, kernel)
    expected = whole.fit(X, labels).predict_proba(new)
    assert tiled.fit(X, labels).predict_proba(new) == pytest.approx(expected, abs=1e-6)
    assert (tiled.predict(new) == whole.predict(new)).all()
    assert tiled.certificate_.closed
    assert tiled.modes_[0].factor is None
    error = tiled.log_marginal_likelihood_error_
    assert 0 < error < 1
    apart = tiled.log_marginal_likelihood_value_ - whole.log_marginal_likelihood_value_
    assert abs(apart) < 4 * error
    assert whole.log_marginal_likelihood_error_ == 0.0


def test_the_bound_on_memory_decides_and_some_samples_choose_the_kernel(
    rng, monkeypatch
):
    X, y = field(rng)
    model = GaussianProcessRegressor(2.0 * Gaussian(0.5), alpha=0.01, random_state=0)
    assert model.fit(X, y).L_ is not None
    monkeypatch.setattr(_process_memory, "FEWER", 100)
    small = model.set_params(cache_size=40 * 299**2 / 2**20).fit(X, y)
    assert small.L_ is None
    assert small.certificate_.closed
    # The kernel of 100 samples of 300 is about that of all.
    few = GaussianProcessRegressor(2.0 * Gaussian(0.5), alpha=0.01).fit(X, y).kernel_
    assert small.kernel_.kernel.width == pytest.approx(few.kernel.width, rel=0.3)
    again = small.log_marginal_likelihood_value_
    assert model.fit(X, y).log_marginal_likelihood_value_ == again
    classes = GaussianProcessClassifier(Gaussian(0.5), cache_size=1e-3, random_state=0)
    assert classes.fit(X, y > 0).modes_[0].factor is None
    assert classes.score(X, y > 0) > 0.9


def test_no_more_kernel_values_are_held_than_allowed(rng, monkeypatch):
    X, y = field(rng)
    monkeypatch.setattr(
        "infimum.models.kernel.kernel_ridges._conjugate_gradients.TILE", 300 * 30
    )
    held = []
    tile = KernelTiles._tile

    def watched(self, number):
        values = tile(self, number)
        held.append(sum(kept.size for kept in self.kept))
        return values

    monkeypatch.setattr(KernelTiles, "_tile", watched)
    model = GaussianProcessRegressor(Gaussian(1.0), alpha=0.1, optimizer=None)
    model.set_params(cache_size=300 * 100 * 8 / 2**20, solver="conjugate_gradient")
    mean = model.fit(X, y).predict(X)
    assert max(held) == 300 * 90
    ridge = KernelRidge(alpha=0.1, kernel=Gaussian(1.0)).fit(X, y)
    assert mean == pytest.approx(ridge.predict(X), abs=1e-5)


def test_words_need_no_whole_matrix():
    words = ["aaab", "aab", "ccd", "cccd", "efe", "fef", "aaa", "cdc"]
    y = np.array([1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0, 2.0])
    whole, tiled = both(GaussianProcessRegressor, Spectrum(2), alpha=0.1)
    expected = whole.fit(words, y).predict(["aab", "fe"], return_std=True)
    found = tiled.fit(words, y).predict(["aab", "fe"], return_std=True)
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-6)


def test_conjugate_gradients_need_noise_and_say_when_there_is_too_little(rng):
    X, y = field(rng)
    model = GaussianProcessRegressor(Gaussian(1.0), solver="conjugate_gradient")
    model.set_params(optimizer=None)
    with pytest.raises(InvalidParameterError, match=r"alpha must be in \(0, inf\)"):
        model.set_params(alpha=0.0).fit(X, y)
    with pytest.warns(UncertifiedWarning, match="relative duality gap"):
        model.set_params(alpha=1e-14).fit(X, y)
    with pytest.raises(InvalidParameterError, match="solver must be"):
        model.set_params(solver="lu").fit(X, y)
    with pytest.raises(InvalidParameterError, match="cache_size must be"):
        GaussianProcessClassifier(cache_size=0).fit(X, y > 0)


def test_landmarks_that_see_nothing_are_no_obstacle(rng):
    X, labels = np.zeros((40, 2)), np.arange(40) % 2
    X[20:] = rng.standard_normal((20, 2))
    weights = np.where(np.arange(40) < 20, 1.0, 0.0)
    _, tiled = both(GaussianProcessClassifier, Linear())
    proof = tiled.fit(X, labels, weights).certificate_
    assert proof.closed
    assert proof.primal == pytest.approx(20 * np.log(2.0))


def test_a_mode_that_was_not_reached_does_not_say_so(rng):
    X, y = field(rng, n=40)
    model = GaussianProcessClassifier(100.0 * Gaussian(1.0), optimizer=None)
    assert model.fit(X, y > 0).certificate_.reason == "gap closed"
    proof = model.set_params(max_iter_predict=1).fit(X, y > 0).certificate_
    assert not proof.closed
    assert proof.reason == "iteration limit"
