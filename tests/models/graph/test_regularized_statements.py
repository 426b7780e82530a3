"""Regularised graphs: a rank-one term keeps dangling sets from passing as clusters."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from infimum.models.clustering import SpectralClustering
from infimum.models.graph import NormalizedAdjacency, degrees, laplacian_spectrum
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.study.graphs import (
    block_graph,
    cut_weight,
    dangle,
    spectral_bisection,
    volume,
)
from infimum.study.matrices import power_method


def full_matrix(W, tau):
    """Return the regularised matrix as its definition says, without any shortcut."""
    n = W.shape[0]
    thick = W.toarray() + tau / n
    d = thick.sum(axis=1)
    return thick / np.sqrt(np.outer(d, d)), d


@pytest.mark.syllabus("S4B-057")
def test_sparse_and_rank_one_products_equal_the_full_matrix(rng):
    W, _ = block_graph([40, 40], 0.2, 0.02)
    V = rng.standard_normal((80, 3))
    for tau in (0.5, 4.0):
        operator = NormalizedAdjacency(W, tau)
        full, _ = full_matrix(W, tau)
        np.testing.assert_allclose(operator.multiply(V), full @ V, atol=1e-14)
        # Without the scaling of the second term it would be another matrix.
        roots = 1 / np.sqrt(operator.degrees)
        bare = roots[:, None] * (W @ (roots[:, None] * V)) + tau / 80 * V.sum(axis=0)
        assert np.abs(bare - full @ V).max() > 1e-3


@pytest.mark.syllabus("S4B-057")
def test_the_operator_serves_the_power_method_and_block_krylov():
    W, _ = block_graph([40, 40], 0.3, 0.02)
    operator = NormalizedAdjacency(W, 2.0)
    full, d = full_matrix(W, 2.0)
    values = np.linalg.eigvalsh(full)[::-1]
    found = leading_eigenpairs(operator.multiply, 80, 3)
    np.testing.assert_allclose(found.values, values[:3], atol=1e-9)
    top = power_method(operator.multiply(np.eye(80)))
    assert top.value == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(
        operator.multiply(np.sqrt(d)[:, None]), np.sqrt(d)[:, None], atol=1e-12
    )


@pytest.mark.syllabus("S4B-055")
def test_every_degree_grows_by_tau():
    W, _ = block_graph([10, 10], 0.5, 0.1)
    np.testing.assert_allclose(NormalizedAdjacency(W, 3.0).degrees, degrees(W) + 3.0)
    kinds = [laplacian_spectrum(W, 4, kind=kind, tau=3.0) for kind in ("symmetric",)]
    expected = 1 - np.linalg.eigvalsh(full_matrix(W, 3.0)[0])[::-1][:4]
    np.testing.assert_allclose(kinds[0].values, expected, atol=1e-12)


@pytest.mark.syllabus("S4B-056")
@pytest.mark.parametrize("k", [3, 5, 10])
def test_a_dangling_path_makes_a_small_eigenvalue_and_tau_lifts_it(k):
    core, _ = block_graph([200], 0.06, 0.0, random_state=4)
    W = dangle(core, k)
    path = np.arange(200, 200 + k)
    assert (cut_weight(W, path), volume(W, path)) == (1.0, 2 * k - 1)
    second = laplacian_spectrum(W, 2).values[1]
    assert second <= 2 / (2 * k - 1)
    assert laplacian_spectrum(core, 2).values[1] > second
    assert laplacian_spectrum(W, 2, tau=float(degrees(W).mean())).values[1] > 2 * second


@pytest.mark.syllabus("S4B-055")
def test_tau_finds_the_blocks_where_plain_spectral_clustering_finds_a_dangling_set():
    W, labels = block_graph([100, 100], 0.09, 0.03, random_state=1)
    hung = dangle(W, 12)
    truth = np.append(labels, np.full(12, labels[0]))
    plain = spectral_bisection(hung)
    assert min(plain.side.sum(), (~plain.side).sum()) <= 25
    tau = float(degrees(hung).mean())
    settings = {"affinity": "precomputed", "random_state": 0}
    bare = SpectralClustering(2, **settings).fit(hung).labels_
    thick = SpectralClustering(2, tau=tau, **settings).fit(hung).labels_
    assert adjusted_rand_score(truth, bare) < 0.1
    assert adjusted_rand_score(truth, thick) > 0.7
