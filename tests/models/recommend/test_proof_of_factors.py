"""No factorisation of any rank does better: held against an independent program."""

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse

from infimum.certificates import completion_gap, spectral_norm
from infimum.certificates.completion_gap import certify_factors
from infimum.certificates.spectral_norm import spectral_norm_bound
from infimum.models.recommend import FactorRecommender, Ratings, SoftImpute
from infimum.objectives.matrix_risk import Factors, MatrixRisk


def drawn(rng, n, m, share, rank=2, noise=0.3):
    Z = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, m))
    Z += noise * rng.standard_normal((n, m))
    mask = rng.random((n, m)) < share
    mask[0, 0] = True
    return Z, mask


def least(Z, weights, strength, *, all_cells=False):
    """Return cvxpy's optimum, where losses are averaged over the seen entries."""
    M = cp.Variable(Z.shape)
    total = float((weights > 0).sum() if all_cells else weights.sum())
    W = np.where(weights > 0, weights, 1.0 if all_cells else 0.0)
    loss = cp.sum(cp.multiply(W, cp.square(Z - M))) / 2
    risk = loss / total + strength * cp.normNuc(M)
    return cp.Problem(cp.Minimize(risk)).solve(solver="CLARABEL"), M.value


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate:UserWarning")
def test_the_certificate_bounds_the_excess_on_two_hundred_problems():
    rng, tightest, judged = np.random.default_rng(7), np.inf, 0
    n, m = 6, 5
    M, root, led = cp.Variable((n, m)), cp.Parameter((n, m)), cp.Parameter((n, m))
    price = cp.Parameter(nonneg=True)
    loss = cp.sum_squares(cp.multiply(root, M) - led) / 2
    program = cp.Problem(cp.Minimize(loss + price * cp.normNuc(M)))
    for trial in range(200):
        Z, mask = drawn(rng, n, m, 0.7)
        weights = np.where(mask, rng.integers(1, 3, Z.shape), 0).astype(float)
        S = sparse.csr_array(np.where(mask, Z + (Z == 0), 0.0))
        S.data = Z[mask]
        strength = float(10 ** rng.uniform(-2, -0.3))
        risk = MatrixRisk(S, strength, weights[mask])
        rank = int(rng.integers(1, 4))
        width = risk.width(rank)
        U, V = (np.zeros((k, width)) for k in (n, m))
        U[:, :rank] = rng.standard_normal((n, rank))
        V[:, :rank] = rng.standard_normal((m, rank))
        if trial % 2:
            model = SoftImpute(strength, tol=1e-3).fit(np.where(mask, Z, np.nan))
            k = model.row_factors_.shape[1]
            U, V = (np.zeros((s, risk.width(k))) for s in (n, m))
            U[:, :k], V[:, :k], rank = model.row_factors_, model.column_factors_, k
        proof = certify_factors(risk, Factors(U, V, rank))
        root.value, led.value = np.sqrt(weights), np.sqrt(weights) * Z
        price.value = strength * weights.sum()
        best = program.solve(solver="CLARABEL") / weights.sum()
        rough = 1e-7 if program.status == "optimal" else 1e-4  # its own accuracy
        assert proof.dual <= best + rough
        assert proof.primal - best <= proof.gap + rough
        judged += program.status == "optimal"
        tightest = min(tightest, proof.gap)
    assert tightest < 1e-2
    assert judged >= 190


def test_soft_impute_is_the_minimum_that_cvxpy_finds():
    rng = np.random.default_rng(0)
    Z, mask = drawn(rng, 10, 10, 0.6)
    for strength in (0.3, 0.05, 0.01):
        model = SoftImpute(strength, tol=1e-8).fit(np.where(mask, Z, np.nan))
        best, M = least(np.where(mask, Z, 0.0), mask.astype(float), strength)
        assert model.certificate_.primal == pytest.approx(best, abs=1e-6)
        mine = model.row_factors_ @ model.column_factors_.T
        assert np.abs(mine - M).max() < 2e-2
        residual = np.where(mask, Z - mine, 0.0)
        assert np.linalg.norm(residual, 2) <= strength * mask.sum() * (1 + 1e-3)


def test_implicit_factors_are_proved_over_all_cells():
    rng = np.random.default_rng(1)
    counts = rng.poisson(0.7, (9, 8)).astype(float)
    model = FactorRecommender(
        8, implicit=True, strength=0.05, alpha=2.0, max_iter=400, tol=1e-12
    ).fit(sparse.csr_array(counts))
    weights = np.where(counts > 0, 1.0 + 2.0 * counts, 0.0)
    best, _ = least((counts > 0).astype(float), weights, 0.05, all_cells=True)
    proof = model.certificate_
    assert proof.dual <= best + 1e-6 <= proof.primal + 2e-6
    assert proof.relative_gap < 1e-4


def test_biases_and_features_and_counts_are_proved_too():
    rng = np.random.default_rng(2)
    Z, mask = drawn(rng, 12, 9, 0.6, rank=1)
    features = rng.standard_normal((12, 2))
    for how in ({}, {"scaling": "counts"}, {"biases": False}):
        model = FactorRecommender(11, strength=0.1, max_iter=600, tol=1e-13, **how).fit(
            np.where(mask, Z, np.nan), user_features=features
        )
        proof = model.certificate_
        assert not proof.invalid
        assert proof.relative_gap < 2e-3, how


def test_too_few_factors_leave_the_gap_open():
    rng = np.random.default_rng(3)
    Z, mask = drawn(rng, 30, 20, 0.8, rank=4, noise=0.01)
    X = np.where(mask, Z, np.nan)
    how = {"strength": 1e-3, "biases": False, "center": False, "max_iter": 300}
    few = FactorRecommender(1, tol=1e-10, **how).fit(X).certificate_
    many = FactorRecommender(8, tol=1e-10, **how).fit(X).certificate_
    assert few.relative_gap > 0.3
    assert many.relative_gap < 1e-3
    assert few.dual <= many.primal + 1e-12


def test_the_bound_of_the_norm_is_above_it_and_near():
    rng = np.random.default_rng(4)
    for n, m in ((5, 3), (60, 90), (200, 40)):
        K = sparse.random_array((n, m), density=0.2, rng=rng, format="csr")
        A, B = rng.standard_normal((n, 2)), rng.standard_normal((m, 2))
        exact = np.linalg.norm(K.toarray(), 2)
        bound = spectral_norm_bound(K)
        assert exact <= bound.value <= exact * (1 + 1e-7)
        exact = np.linalg.norm(K.toarray() - A @ B.T, 2)
        bound = spectral_norm_bound(K, (A, B))
        assert exact <= bound.value <= exact * (1 + 1e-7)


def test_panels_and_sums_bound_the_same_norm(monkeypatch):
    rng = np.random.default_rng(5)
    K = sparse.random_array((150, 70), density=0.1, rng=rng, format="csr")
    A, B = rng.standard_normal((150, 3)), rng.standard_normal((70, 3))
    whole = [spectral_norm_bound(K).value, spectral_norm_bound(K, (A, B)).value]
    monkeypatch.setattr(spectral_norm, "PANEL", 16)
    parts = [spectral_norm_bound(K).value, spectral_norm_bound(K, (A, B)).value]
    assert parts == pytest.approx(whole, rel=1e-9)
    monkeypatch.setattr(spectral_norm, "LARGEST_SIDE", 10)
    rough = spectral_norm_bound(K)
    assert rough.method == "sums"
    assert rough.value >= np.linalg.norm(K.toarray(), 2)


def test_an_estimate_in_place_of_the_bound_would_be_noticed(monkeypatch):
    """A norm that is too small proves too much: the two bounds contradict."""
    rng = np.random.default_rng(6)
    Z, mask = drawn(rng, 20, 15, 0.6)
    seen = Ratings.of_matrix(np.where(mask, Z, np.nan))
    how = {"strength": 0.02, "biases": False, "center": False}
    model = FactorRecommender(6, tol=1e-12, max_iter=400, **how).fit(seen)
    honest = model.certify()
    small = spectral_norm.SpectralBound(0.3 * model.strength_, 0.0, "forged")
    monkeypatch.setattr(completion_gap, "spectral_norm_bound", lambda *_, **__: small)
    assert model.certify().dual > honest.primal
    assert model.certify().invalid
