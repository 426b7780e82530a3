"""Eigenvalues of full graphs that crowd at 0, and the components of full graphs."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.sparse import csgraph

from infimum.models.graph import spectrum
from infimum.models.graph.spectrum import smallest_eigenpairs


def crowded(kind):
    """Return weights of samples of which nearly all are alone: a narrow kernel."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((500, 20))
    if kind == "groups":
        X += 3.0 * rng.standard_normal((4, 20))[rng.integers(0, 4, 500)]
    squares = np.sum((X[:, None] - X) ** 2, axis=2)
    W = np.exp(-squares)
    np.fill_diagonal(W, 0.0)
    return W


@pytest.mark.parametrize("kind", ["one", "groups"])
@pytest.mark.parametrize("laplacian", ["symmetric", "random_walk", "unnormalized"])
def test_crowded_eigenvalues_are_those_of_the_whole_spectrum(kind, laplacian):
    W = crowded(kind)
    found = smallest_eigenpairs(W, 8, laplacian, tol=1e-4, width=8)
    degrees = W.sum(axis=0)
    L = np.diag(degrees) - W
    if laplacian != "unnormalized":
        L /= np.sqrt(np.outer(degrees, degrees))
    top = 1.0 if laplacian != "unnormalized" else 2.0 * degrees.max()
    expected = linalg.eigvalsh(L)[:8]
    np.testing.assert_allclose(found.values, expected, atol=1e-11 * top)
    assert found.residuals.max() <= 1e-6 * top


def test_where_an_inverse_fails_the_whole_spectrum_answers(monkeypatch):
    W = crowded("groups")
    expected = smallest_eigenpairs(W, 8, "symmetric", tol=1e-4, width=8).values
    monkeypatch.setattr(spectrum, "SHIFT", -0.5)  # no longer positive definite
    found = smallest_eigenpairs(W, 8, "symmetric", tol=1e-4, width=8).values
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.002, 0.01, 0.05, 0.9])
def test_components_of_a_full_graph_are_those_of_its_edges(share):
    rng = np.random.default_rng(int(1000 * share))
    W = np.where(rng.random((300, 300)) < share, rng.random((300, 300)), 0.0)
    W = np.maximum(W, W.T)
    found = spectrum._components(W)
    count, expected = csgraph.connected_components(sparse.csr_array(W), directed=False)
    assert found.max() + 1 == count
    pairs = set(zip(found.tolist(), expected.tolist(), strict=True))
    assert len(pairs) == count
