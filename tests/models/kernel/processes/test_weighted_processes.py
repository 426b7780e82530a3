"""Gaussian processes: weights as copies, kernel values and functions as kernels."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

import infimum
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.kernels import Gaussian, Normalized, Precomputed
from infimum.models.kernel import GaussianProcessClassifier, GaussianProcessRegressor


@pytest.fixture(name="counted")
def samples_with_counts(rng):
    X = rng.uniform(-3, 3, (40, 2))
    y = np.sin(X[:, 0]) * X[:, 1] + 0.1 * rng.standard_normal(40)
    return X, y, rng.integers(0, 4, 40)


NEW = np.random.default_rng(9).uniform(-3, 3, (15, 2))
NOISY = 2.0 * RBF(1.0) + WhiteKernel(0.01)


@pytest.mark.filterwarnings("ignore:The optimal value found")  # a bound is met
@pytest.mark.parametrize("optimizer", [None, "fmin_l_bfgs_b"], ids=["as is", "tuned"])
@pytest.mark.parametrize("kernel", [2.0 * Gaussian(1.0), NOISY], ids=["ours", "theirs"])
@pytest.mark.parametrize("normalize", [False, True], ids=["plain", "normalised"])
def test_a_weight_is_a_number_of_copies(kernel, optimizer, normalize, counted):
    X, y, counts = counted
    at = np.repeat(np.arange(40), counts)
    alpha = np.linspace(0.01, 0.1, 40)
    settings = {"optimizer": optimizer, "normalize_y": normalize}
    weighted = GaussianProcessRegressor(kernel, alpha=alpha, **settings)
    repeated = GaussianProcessRegressor(kernel, alpha=alpha[at], **settings)
    found = weighted.fit(X, y, counts).predict(NEW, return_std=True)
    expected = repeated.fit(X[at], y[at]).predict(NEW, return_std=True)
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-6)
    assert weighted.log_marginal_likelihood_value_ == pytest.approx(
        repeated.log_marginal_likelihood_value_
    )
    assert weighted.certificate_.closed
    assert weighted.certificate_.primal == pytest.approx(repeated.certificate_.primal)


def test_the_weighted_evidence_has_the_slope_it_states(counted):
    X, y, counts = counted
    model = GaussianProcessRegressor(NOISY, alpha=0.001, optimizer=None)
    model.fit(X, np.column_stack((y, y**2)), counts / 2)
    theta = np.log([2.0, 1.0, 0.1])
    _, slope = model.log_marginal_likelihood(theta, eval_gradient=True)
    for j in range(3):
        move = np.where(np.arange(3) == j, 1e-4, 0.0)
        rise = model.log_marginal_likelihood(theta + move)
        rise -= model.log_marginal_likelihood(theta - move)
        assert slope[j] == pytest.approx(rise / 2e-4, rel=1e-5)


@pytest.mark.parametrize("solver", ["cholesky", "conjugate_gradient"])
def test_tiles_count_weights_and_the_noise_of_the_kernel(solver, counted):
    X, y, counts = counted
    at = np.repeat(np.arange(40), counts)
    model = GaussianProcessRegressor(NOISY, optimizer=None, solver=solver)
    found = model.fit(X, y, counts).predict(NEW, return_std=True)
    expected = model.fit(X[at], y[at]).predict(NEW, return_std=True)
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-7)


@pytest.mark.parametrize("solver", ["cholesky", "conjugate_gradient"])
@pytest.mark.parametrize("scheme", ["one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("optimizer", [None, "fmin_l_bfgs_b"], ids=["as is", "tuned"])
def test_a_vote_of_weight_k_is_k_votes(solver, scheme, optimizer, counted):
    X, y, counts = counted
    labels, at = np.digitize(y, [-0.7, 0.7]), np.repeat(np.arange(40), counts)
    settings = {"multi_class": scheme, "optimizer": optimizer, "solver": solver}
    model = GaussianProcessClassifier(2.0 * Gaussian(1.0), random_state=0, **settings)
    model.fit(X, labels, counts)
    assert model.certificate_.closed
    classes, evidence = model.predict(NEW), model.log_marginal_likelihood_value_
    shares = model.predict_proba(NEW) if scheme == "one_vs_rest" else None
    theta = np.array([0.1, 0.9])
    elsewhere = model.log_marginal_likelihood(theta, eval_gradient=True)
    model.fit(X[at], labels[at])
    assert (model.predict(NEW) == classes).all()
    if solver == "cholesky":
        assert model.log_marginal_likelihood_value_ == pytest.approx(evidence)
    there = model.log_marginal_likelihood(theta, eval_gradient=True)
    assert np.hstack(there) == pytest.approx(np.hstack(elsewhere))
    if shares is not None:
        assert model.predict_proba(NEW) == pytest.approx(shares, abs=1e-5)


def test_given_kernel_values_are_enough_for_the_mean(counted, tmp_path):
    X, y, counts = counted
    gram, cross = Gaussian(1.0)(X), Gaussian(1.0)(NEW, X)
    settings = {"alpha": 0.1, "optimizer": None}
    known = GaussianProcessRegressor(Gaussian(1.0), **settings).fit(X, y, counts)
    given = GaussianProcessRegressor("precomputed", **settings).fit(gram, y, counts)
    assert given.predict(cross) == pytest.approx(known.predict(NEW))
    evidence = known.log_marginal_likelihood_value_
    assert given.log_marginal_likelihood_value_ == pytest.approx(evidence)
    for more in ("return_std", "return_cov"):
        with pytest.raises(IncompatibleError, match="Precomputed"):
            given.predict(cross, **{more: True})
    with pytest.raises(DataError, match="square"):
        given.fit(cross, y[:15])
    infimum.save(given, tmp_path / "m.infimum")
    loaded = infimum.load(tmp_path / "m.infimum")
    assert (loaded.predict(cross) == given.predict(cross)).all()


def test_a_matrix_of_all_values_tells_variances_too(counted, tmp_path):
    X, y, _ = counted
    old, new = np.arange(40), np.arange(40, 55)
    kernel = Precomputed(Gaussian(1.0)(np.vstack([X, NEW])))
    settings = {"alpha": 0.1, "optimizer": None}
    known = GaussianProcessRegressor(3.0 * Gaussian(1.0), **settings).fit(X, y)
    given = GaussianProcessRegressor(3.0 * kernel, **settings).fit(old, y)
    found = np.array(given.predict(new, return_std=True))
    expected = np.array(known.predict(NEW, return_std=True))
    assert found == pytest.approx(expected)
    labels = y > 0
    shares = GaussianProcessClassifier(Gaussian(1.0), optimizer=None).fit(X, labels)
    places = GaussianProcessClassifier(kernel).fit(old, labels)
    expected = shares.predict_proba(NEW)
    assert places.predict_proba(new) == pytest.approx(expected)
    infimum.save(places, tmp_path / "m.infimum")
    loaded = infimum.load(tmp_path / "m.infimum")
    assert loaded.predict_proba(new) == pytest.approx(expected)


@pytest.mark.parametrize("scheme", ["one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("cuts", [[0.0], [-0.7, 0.7]], ids=["two", "three"])
def test_given_kernel_values_tell_classes(scheme, cuts, counted):
    X, y, counts = counted
    labels = np.digitize(y, cuts)
    settings = {"multi_class": scheme, "optimizer": None}
    known = GaussianProcessClassifier(9.0 * Gaussian(1.0), **settings)
    given = GaussianProcessClassifier("precomputed", multi_class=scheme)
    known.fit(X, labels, counts)
    given.fit(9.0 * Gaussian(1.0)(X), labels, counts)
    cross = 9.0 * Gaussian(1.0)(NEW, X)
    assert np.mean(given.predict(cross) == known.predict(NEW)) > 0.9
    if scheme == "one_vs_rest":
        with pytest.raises(IncompatibleError, match="k\\(x, x\\)"):
            given.predict_proba(cross)


def test_a_function_of_two_samples_is_a_kernel(counted):
    X, y, _ = counted

    def near(x, z):
        return float(np.exp(-0.5 * np.sum((x - z) ** 2)))

    known = GaussianProcessRegressor(Gaussian(1.0), alpha=0.1, optimizer=None)
    own = GaussianProcessRegressor(near, alpha=0.1)
    expected = np.array(known.fit(X, y).predict(NEW, return_std=True))
    assert np.array(own.fit(X, y).predict(NEW, return_std=True)) == pytest.approx(
        expected
    )
    words = ["aab", "ab", "cc", "ccd"]
    common = GaussianProcessClassifier(lambda a, b: float(len({*a} & {*b})))
    assert common.fit(words, [0, 0, 1, 1]).predict(["a", "d"]).tolist() == [0, 1]


def test_positions_have_an_algebra_and_a_domain():
    values = np.array([[4.0, 1.0, 0.0], [1.0, 1.0, 0.5], [0.0, 0.5, 9.0]])
    kernel = Precomputed(values)
    assert kernel([2, 0], [1]).tolist() == [[0.5], [1.0]]
    assert Normalized(kernel)([0, 1])[0, 1] == pytest.approx(0.5)
    assert not Precomputed([[1.0, 2.0], [2.0, 1.0]]).definite
    with pytest.raises(DataError, match="whole numbers from 0 to 2"):
        kernel([3])
    for strange in (["a"], [np.nan], [0.5]):
        with pytest.raises(DataError, match="whole numbers"):
            kernel(strange)
    with pytest.raises(DataError, match="symmetric"):
        Precomputed([[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(DataError, match="square"):
        Precomputed([[1.0, 2.0]])
    with pytest.raises(DataError, match="finite"):
        Precomputed([[np.nan]])
    with pytest.raises(InvalidParameterError, match="'precomputed'"):
        GaussianProcessRegressor("rbf").fit([[0.0], [1.0]], [0.0, 1.0])
