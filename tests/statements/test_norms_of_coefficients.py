"""Norms and graphs of coefficients: singular values, Laplacians, p-norm links."""

import numpy as np
import pytest
from scipy.sparse.csgraph import laplacian

from infimum.losses import AdditiveMulticlassHinge, Exponential, MulticlassHinge
from infimum.penalties import GraphLaplacian, NuclearNorm, PNorm


@pytest.mark.syllabus("S4B-170")
def test_rank_counts_singular_values_and_the_nuclear_norm_sums_them(rng):
    A = rng.normal(size=(6, 2)) @ rng.normal(size=(2, 4))
    sigma = np.linalg.svd(A, compute_uv=False)
    assert np.linalg.matrix_rank(A) == np.count_nonzero(sigma > 1e-10) == 2
    assert NuclearNorm(1.0).value(A) == pytest.approx(sigma.sum())
    assert NuclearNorm(1.0).value(A) != pytest.approx(np.linalg.norm(A))  # Frobenius
    lower = NuclearNorm(1.0).prox(A, 0.5 * (sigma[0] + sigma[1]))
    assert np.linalg.matrix_rank(lower, tol=1e-10) == 1


@pytest.mark.syllabus("S1-157", "S4B-025")
def test_the_laplacian_measures_differences_along_edges(rng):
    edges = tuple((i, j, rng.uniform(0.1, 2.0)) for i in range(6) for j in range(i))
    W = np.zeros((6, 6))
    for i, j, weight in edges:
        W[i, j] = W[j, i] = weight
    L, v = GraphLaplacian(1.0, edges).laplacian(6), rng.normal(size=6)
    np.testing.assert_allclose(L, np.diag(W.sum(axis=1)) - W, atol=1e-12)
    np.testing.assert_allclose(L, laplacian(W), atol=1e-12)
    halves = 0.5 * (W * (v[:, None] - v[None, :]) ** 2).sum()
    assert v @ L @ v == pytest.approx(halves)
    assert GraphLaplacian(1.0, edges).value(v) == pytest.approx(0.5 * halves)
    np.testing.assert_allclose(L @ np.ones(6), 0.0, atol=1e-12)
    assert np.linalg.eigvalsh(L)[0] >= -1e-12


@pytest.mark.syllabus("S0A-243")
@pytest.mark.parametrize("order", [1.2, 2.0, 3.0])
def test_the_links_of_a_squared_p_norm_undo_each_other(order, rng):
    penalty, u, w = PNorm(0.7, order), rng.normal(size=6), rng.normal(size=6)
    np.testing.assert_allclose(
        penalty.inverse_gradient(penalty.gradient(w)), w, rtol=1e-10
    )
    q = order / (order - 1.0)
    assert 1 / order + 1 / q == pytest.approx(1.0)
    assert penalty.value(w) == pytest.approx(0.35 * np.linalg.norm(w, order) ** 2)
    v = penalty.gradient(w)
    assert penalty.conjugate(v) == pytest.approx(np.linalg.norm(v, q) ** 2 / 1.4)
    assert penalty.divergence(u, w) > 0.0
    assert penalty.divergence(w, w) == pytest.approx(0.0, abs=1e-12)
    if order == 2.0:
        euclid = 0.35 * np.linalg.norm(u - w) ** 2
        assert penalty.divergence(u, w) == pytest.approx(euclid)


@pytest.mark.syllabus("S0B-200")
def test_the_maximum_multiclass_hinge_is_below_the_additive_one_and_zero_when_clear(
    rng,
):
    y, f = rng.integers(0, 4, size=200), 2 * rng.normal(size=(200, 4))
    most, total = MulticlassHinge(4), AdditiveMulticlassHinge(4)
    assert np.all(most.value(y, f) <= total.value(y, f) + 1e-12)
    right = f[np.arange(200), y]
    rivals = f.copy()
    rivals[np.arange(200), y] = -np.inf
    np.testing.assert_allclose(
        most.value(y, f), np.maximum(0.0, 1.0 - (right - rivals.max(axis=1)))
    )
    clear = right >= 1.0 + rivals.max(axis=1)
    assert 0 < clear.sum() < 200
    np.testing.assert_array_equal(most.value(y, f) == 0.0, clear)


@pytest.mark.syllabus("S2-094")
def test_the_target_of_the_exponential_loss_is_half_the_log_odds():
    target = Exponential().best_constant(np.array([1.0, -1.0]), np.array([0.8, 0.2]))
    assert target == pytest.approx(0.693147, abs=1e-6)  # half of 1.386
