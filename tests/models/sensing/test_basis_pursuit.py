"""The least ℓ₁ norm: proved, held against linear programs, attacked with bad input."""

import numpy as np
import pytest
import pywt
import spgl1
from scipy.optimize import linprog

import infimum
from infimum.errors import DataError
from infimum.models.sensing import (
    BasisPursuit,
    iterative_thresholding,
    measurement_matrix,
    minimum_energy,
    orthonormal_basis,
    sparse_signal,
)


def by_linear_program(W, y):
    d = W.shape[1]
    found = linprog(np.ones(2 * d), A_eq=np.hstack([W, -W]), b_eq=y, bounds=(0, None))
    return found.fun


@pytest.mark.parametrize(
    "k, d, s", [(5, 12, 2), (20, 40, 5), (30, 90, 25), (12, 12, 4)]
)
@pytest.mark.parametrize("kind", ["gaussian", "signs", "masks"])
def test_the_norm_is_that_of_a_linear_program(kind, k, d, s):
    W = measurement_matrix(kind, k, d, random_state=k)
    x, _ = sparse_signal(d, s, random_state=d)
    y = W @ x
    model = BasisPursuit().fit(W, y)
    assert np.abs(model.coef_).sum() == pytest.approx(by_linear_program(W, y))
    assert np.abs(W @ model.coef_ - y).max() < 1e-9
    assert np.abs(W.T @ model.multiplier_).max() <= 1 + 1e-5
    assert model.certificate_.relative_gap <= 1e-6
    assert model.certify(W, y) == model.certificate_


def test_the_noisy_form_meets_its_bound_and_its_proof():
    rng = np.random.default_rng(0)
    W = measurement_matrix("gaussian", 40, 100, random_state=rng)
    x, _ = sparse_signal(100, 6, random_state=rng)
    y = W @ x + 0.02 * rng.standard_normal(40)
    model = BasisPursuit(noise=0.15).fit(W, y)
    assert np.linalg.norm(W @ model.coef_ - y) == pytest.approx(0.15, rel=1e-6)
    assert model.certificate_.relative_gap < 1e-6
    v = model.multiplier_
    assert y @ v - 0.15 * np.linalg.norm(v) == pytest.approx(np.abs(model.coef_).sum())


def test_spgl1_agrees():
    W = measurement_matrix("gaussian", 40, 100, random_state=1)
    x, _ = sparse_signal(100, 6, random_state=2)
    found, *_ = spgl1.spg_bp(W, W @ x, opt_tol=1e-9, bp_tol=1e-9)
    assert np.abs(found - BasisPursuit().fit(W, W @ x).coef_).max() < 1e-4


def test_whether_the_answer_is_the_only_one_is_told():
    W = measurement_matrix("gaussian", 20, 40, random_state=3)
    x, _ = sparse_signal(40, 3, random_state=4)
    assert BasisPursuit().fit(W, W @ x).unique_ is True
    twice = np.hstack([W, W[:, :40]])
    model = BasisPursuit().fit(twice, W @ x)
    assert model.unique_ is False
    assert np.abs(model.coef_).sum() == pytest.approx(np.abs(x).sum())
    flat = BasisPursuit().fit([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0]], [1.0, 0.0])
    assert flat.unique_ is None


def test_columns_of_zeros_stay_out_and_no_signal_is_no_signal():
    W = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 1.0]])
    model = BasisPursuit().fit(W, [2.0, 1.0])
    assert model.coef_.round(9).tolist() == [0.0, 0.0, 1.0]
    none = BasisPursuit().fit(W, [0.0, 0.0])
    assert not none.coef_.any()
    assert none.unique_


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: BasisPursuit().fit([[1.0, 2.0], [2.0, 4.0]], [1.0, 3.0]), "noise"),
        (lambda: BasisPursuit().fit([[1.0, 2.0]], [1.0, 3.0]), "1 rows"),
        (lambda: BasisPursuit().fit([[1.0, np.nan]], [1.0]), "W must have finite"),
        (lambda: BasisPursuit().fit([[1.0, 2.0]], [np.inf]), "y must have finite"),
        (lambda: BasisPursuit(basis="haar").fit(np.eye(3), np.ones(3)), "powers"),
        (lambda: orthonormal_basis([[1.0, 1.0], [0.0, 1.0]], 2), "not orthonormal"),
        (lambda: orthonormal_basis("dct", 0), "at least 1"),
        (lambda: iterative_thresholding(np.eye(2), [1.0, 2.0]), "needs a strength"),
    ],
)
def test_bad_measurements_are_refused_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words) as excinfo:
        call()
    assert str(excinfo.value).endswith(".")


def test_an_inconsistent_system_is_solved_within_the_noise_it_names():
    W, y = np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 3.0])
    with pytest.raises(DataError, match=r"0\.447"):
        BasisPursuit().fit(W, y)
    assert BasisPursuit(noise=0.5).fit(W, y).certificate_.closed


@pytest.mark.parametrize("kind", ["identity", "dct", "haar", "fourier"])
@pytest.mark.parametrize("shape", [1, 8, (4, 8), (2, 2)])
def test_bases_are_orthonormal_and_undo_themselves(kind, shape):
    basis = orthonormal_basis(kind, shape)
    U = basis.matrix()
    assert np.abs(U.T @ U - np.eye(basis.size)).max() < 1e-12
    x = np.random.default_rng(5).standard_normal(basis.size)
    assert basis.synthesize(basis.analyze(x)) == pytest.approx(x)
    assert basis.analyze(x) == pytest.approx(U.T @ x)


def test_haar_is_that_of_pywavelets():
    x = np.random.default_rng(6).standard_normal(32)
    theirs = np.concatenate(pywt.wavedec(x, "haar", mode="periodization"))
    assert orthonormal_basis("haar", 32).analyze(x) == pytest.approx(theirs)


def test_thresholds_reach_the_lasso_and_the_sparse_signal():
    W = measurement_matrix("gaussian", 60, 120, random_state=7)
    x, _ = sparse_signal(120, 5, random_state=8)
    soft = iterative_thresholding(W, W @ x, strength=1e-3, tol=1e-8, max_iter=20_000)
    assert soft.certificate.relative_gap < 1e-8
    hard = iterative_thresholding(W, W @ x, n_nonzero=5)
    assert np.abs(hard.signal - x).max() < 1e-4
    energy = minimum_energy(W, W @ x)
    assert np.abs(W @ energy.signal - W @ x).max() < 1e-9
    assert (np.abs(energy.signal) > 1e-9).all()


def test_a_recovered_signal_returns_from_its_file(tmp_path):
    W = measurement_matrix("gaussian", 10, 16, random_state=9)
    basis = orthonormal_basis("haar", 16)
    x, _ = sparse_signal(16, 2, basis, random_state=10)
    model = BasisPursuit(basis=basis).fit(W, W @ x)
    infimum.save(model, tmp_path / "m.infimum")
    back = infimum.load(tmp_path / "m.infimum")
    assert back.signal_.tolist() == model.signal_.tolist()
    assert back.certify(W, W @ x) == model.certificate_


def test_columns_of_nothing_measure_nothing():
    assert not BasisPursuit().fit(np.zeros((2, 3)), np.zeros(2)).coef_.any()
    with pytest.raises(DataError, match="no signal has these measurements"):
        BasisPursuit().fit(np.zeros((2, 3)), np.ones(2))


def test_no_bound_is_above_a_signal_that_meets_the_measurements(rng):
    for _ in range(30):
        W = rng.standard_normal((4, 9)) * 10.0 ** rng.uniform(-6, 6, 9)
        proof = BasisPursuit().fit(W, W @ np.eye(9)[0]).certificate_
        assert proof.dual <= min(proof.primal + proof.slack, 1.0)
