"""Codes on dictionaries, given and learnt: scikit-learn's numbers, gaps that hold."""

import numpy as np
import pytest
from sklearn import decomposition as theirs

from infimum.models import factors as ours
from infimum.models.factors.sparse_encode import AIM, Coding, encode
from infimum.models.warnings import UncertifiedWarning


@pytest.fixture
def atoms():
    found = np.random.default_rng(1).normal(size=(12, 8))
    return found / np.linalg.norm(found, axis=1)[:, None]


@pytest.fixture
def table():
    return np.random.default_rng(0).normal(size=(60, 8))


@pytest.mark.parametrize(
    ("algorithm", "how"),
    [
        ("omp", {"n_nonzero_coefs": 3}),
        ("omp", {}),
        ("lars", {"n_nonzero_coefs": 3}),
        ("lasso_lars", {"alpha": 0.3}),
        ("lasso_cd", {"alpha": 0.3, "positive": True}),
        ("threshold", {"alpha": 0.3}),
    ],
)
def test_codes_are_scikit_learns(table, atoms, algorithm, how):
    wanted = theirs.sparse_encode(table, atoms, algorithm=algorithm, **how)
    found = ours.sparse_encode(table, atoms, algorithm=algorithm, **how)
    assert np.allclose(found, wanted, atol=2e-6)
    assert np.array_equal(np.abs(found) > 1e-6, np.abs(wanted) > 1e-6)


def test_the_gap_of_a_code_bounds_what_it_could_gain(table, atoms):
    def value(codes):
        return 0.5 * np.sum((table - codes @ atoms) ** 2, axis=1) + 0.4 * np.sum(
            np.abs(codes), axis=1
        )

    best, _ = encode(table, atoms, Coding("test", alpha=0.4))
    for sweeps in (0, 1, 2, 5):
        with pytest.warns(UncertifiedWarning, match="stay open"):
            codes, gaps = encode(
                table, atoms, Coding("test", alpha=0.4, max_iter=sweeps)
            )
        assert np.all(value(codes) - gaps <= value(best) * (1 + 1e-9))
    _, gaps = encode(table, atoms, Coding("test", alpha=0.4))
    assert np.all(gaps <= AIM * 0.5 * np.sum(table**2, axis=1) * 1.001)


def test_codes_of_shifted_copies_and_small_tables(table, atoms):
    one = ours.sparse_encode(table[:1], atoms, alpha=0.2)
    many = ours.sparse_encode(np.tile(table[:1], (5, 1)), atoms, alpha=0.2)
    assert np.allclose(many, one, atol=1e-12)
    scaled = ours.sparse_encode(100.0 * table[:1], atoms, alpha=20.0)
    assert np.allclose(scaled, 100.0 * one, rtol=1e-4)
    assert not ours.sparse_encode(np.zeros((2, 8)), atoms, alpha=0.2).any()
    assert not ours.sparse_encode(np.zeros((2, 8)), atoms, algorithm="omp").any()


@pytest.mark.parametrize("algorithm", ["omp", "lars"])
def test_what_has_no_positive_codes_says_so(table, atoms, algorithm):
    with pytest.raises(ValueError, match="Positive constraint not supported"):
        ours.sparse_encode(table, atoms, algorithm=algorithm, positive=True)
    with pytest.raises(ValueError, match="different numbers of features"):
        ours.SparseCoder(atoms[:, :3]).transform(table)


def test_a_coder_splits_signs_and_comes_back(table, atoms):
    how = {"transform_algorithm": "lasso_lars", "transform_alpha": 0.05}
    wanted = theirs.SparseCoder(atoms, split_sign=True, **how).fit(table)
    coder = ours.SparseCoder(atoms, split_sign=True, **how).fit(table)
    codes = coder.transform(table)
    assert codes.shape == (60, 24)
    assert np.allclose(codes, wanted.transform(table), atol=1e-5)
    near = coder.set_params(transform_alpha=1e-4).transform(table)  # no code is open
    assert np.abs(coder.inverse_transform(near) - table).max() < 0.01
    assert coder.get_feature_names_out()[0] == "sparsecoder0"
    assert ours.SparseCoder(atoms).transform(table.astype("f4")).dtype == np.float32


@pytest.mark.parametrize("count", [3, 5, 12])
@pytest.mark.parametrize("method", ["lars", "cd"])
def test_dictionaries_are_scikit_learns(table, count, method):
    how = {"alpha": 0.5, "max_iter": 30, "fit_algorithm": method, "random_state": 0}
    wanted = theirs.DictionaryLearning(count, **how).fit(table)
    model = ours.DictionaryLearning(count, **how).fit(table)
    assert model.n_iter_ == wanted.n_iter_
    assert np.allclose(model.components_, wanted.components_, atol=1e-5)
    assert np.allclose(model.error_, wanted.error_, rtol=1e-6)
    assert np.all(np.diff(model.error_) < 1e-9 * model.error_[0])
    assert model.code_gap_ < 1e-8
    assert np.allclose(model.transform(table), wanted.transform(table), atol=1e-5)


def test_a_dictionary_of_positive_parts_stays_so(table):
    model = ours.DictionaryLearning(
        4, fit_algorithm="cd", positive_code=True, positive_dict=True, max_iter=20,
        transform_algorithm="lasso_cd", random_state=0,
    )  # fmt: skip
    codes = model.fit_transform(np.abs(table))
    assert codes.min() >= 0
    assert model.components_.min() >= 0
    assert model.transform(table).min() >= 0
    assert np.linalg.norm(model.components_, axis=1).max() <= 1 + 1e-12


def test_a_start_and_a_callback(table):
    known = ours.DictionaryLearning(3, max_iter=15, random_state=0)
    codes = known.fit_transform(table)
    seen = []
    model = ours.DictionaryLearning(
        3, max_iter=6, code_init=codes, dict_init=known.components_.copy(),
        callback=lambda state: seen.append(state["ii"]), tol=0.0,
    ).fit(table)  # fmt: skip
    assert model.error_[0] <= known.error_[-1] * (1 + 1e-9)
    assert seen[0] == 0
    with pytest.raises(ValueError, match="A start needs codes"):
        ours.DictionaryLearning(3, code_init=codes[:5], dict_init=codes).fit(table)


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_sparse_axes_are_scikit_learns(table, alpha):
    how = {"n_components": 3, "alpha": alpha, "random_state": 0}
    X = table @ np.diag([3, 2, 1, 1, 1, 1, 0.5, 0.1]) + 7.0
    wanted, model = theirs.SparsePCA(**how).fit(X), ours.SparsePCA(**how).fit(X)
    assert np.allclose(model.components_, wanted.components_, atol=1e-5)
    assert np.allclose(model.transform(X), wanted.transform(X), atol=1e-4)
    back = model.inverse_transform(model.transform(X))
    assert np.allclose(back, wanted.inverse_transform(wanted.transform(X)), atol=1e-4)
    assert ours.SparsePCA(2).fit(X.astype("f4")).transform(X.astype("f4")).dtype == "f4"


@pytest.mark.filterwarnings("ignore:.*Maximum number of iterations")
@pytest.mark.parametrize("beta", [2, 1, 0, 1.5, 2.5])
@pytest.mark.parametrize("fresh", [False, True])
def test_factors_by_batches_are_scikit_learns(table, beta, fresh):
    how = {
        "n_components": 3, "beta_loss": beta, "batch_size": 20, "random_state": 0,
        "init": "random", "max_iter": 20, "fresh_restarts": fresh,
    }  # fmt: skip
    X = np.abs(table) + 0.01
    wanted, model = theirs.MiniBatchNMF(**how), ours.MiniBatchNMF(**how)
    assert np.allclose(model.fit_transform(X), wanted.fit_transform(X), rtol=1e-6)
    assert np.allclose(model.components_, wanted.components_, rtol=1e-6)
    assert (model.n_iter_, model.n_steps_) == (wanted.n_iter_, wanted.n_steps_)
    assert np.isclose(model.reconstruction_err_, wanted.reconstruction_err_)
    assert np.allclose(model.transform(X[:7]), wanted.transform(X[:7]), rtol=1e-6)


def test_batches_one_by_one(table):
    how = {"n_components": 3, "random_state": 0, "init": "random"}
    X = np.abs(table)
    wanted, model = theirs.MiniBatchNMF(**how), ours.MiniBatchNMF(**how)
    for first in range(0, 60, 20):
        before = getattr(model, "components_", None)
        kept = None if before is None else before.copy()
        model.partial_fit(X[first : first + 20])
        wanted.partial_fit(X[first : first + 20])
        assert before is None or np.array_equal(before, kept)
    assert np.allclose(model.components_, wanted.components_, rtol=1e-6)
    assert model.n_steps_ == wanted.n_steps_
    with pytest.raises(ValueError, match="Negative values"):
        model.partial_fit(-X)


def test_batches_without_entries_do_not_end_the_parts():
    rng = np.random.default_rng(0)
    table = np.zeros((15, 10))
    table[:5] = np.kron(np.eye(5), [1.0, 1.0]) * rng.uniform(0.5, 2.0, (5, 1))
    how = {"n_components": 5, "beta_loss": 1, "batch_size": 3, "max_iter": 1000}
    model = ours.MiniBatchNMF(random_state=0, **how).fit(table)
    assert model.n_steps_ > 10
    assert model.reconstruction_err_ < 0.1
