"""Laplacians: what they measure, their spectra, and the components in their kernels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse
from scipy.sparse import csgraph
from scipy.spatial.distance import cdist

from infimum.errors import DataError
from infimum.models.graph import (
    degrees,
    epsilon_graph,
    laplacian,
    laplacian_spectrum,
    variation,
)
from infimum.study.graphs import block_graph, connected_components, path_graph

KINDS = ("unnormalized", "symmetric", "random_walk")


def random_weights(seed, n=12, density=0.5):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    return upper + upper.T


def three_parts():
    blocks = [random_weights(seed, n) + 0.1 for seed, n in ((1, 4), (2, 6), (3, 5))]
    for block in blocks:
        np.fill_diagonal(block, 0.0)
    return linalg.block_diag(*blocks), np.repeat([0, 1, 2], (4, 6, 5))


@pytest.mark.syllabus("S4B-024", "S1-157")
def test_the_laplacian_is_degrees_less_weights_dense_or_sparse():
    W = random_weights(0)
    L = laplacian(W).toarray()
    np.testing.assert_allclose(L, np.diag(degrees(W)) - W)
    np.testing.assert_allclose(L, csgraph.laplacian(W))
    np.testing.assert_array_equal(laplacian(sparse.csr_matrix(W)).toarray(), L)
    np.testing.assert_allclose(degrees(W), W.sum(axis=1))


@pytest.mark.syllabus("S4B-025", "S4B-031", "S1-157")
@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_quadratic_forms_sum_squared_differences_along_edges(seed):
    W = random_weights(seed)
    f = np.random.default_rng(seed).standard_normal(12)
    plain = f @ laplacian(W).toarray() @ f
    pairs = 0.5 * np.sum(W * (f[:, None] - f) ** 2)
    assert plain == pytest.approx(pairs, abs=1e-10)
    assert variation(W, f) == pytest.approx(pairs, abs=1e-10)
    assert plain >= -1e-12
    scaled = f @ laplacian(W, "symmetric").toarray() @ f
    assert variation(W, f, normalized=True) == pytest.approx(scaled, abs=1e-10)


@pytest.mark.syllabus("S4B-026")
def test_on_a_fine_grid_the_form_is_the_integral_of_the_squared_gradient():
    errors = []
    for n in (50, 200, 800):
        h = np.pi / (n - 1)
        x = np.linspace(0, np.pi, n)
        errors.append(
            abs(h * variation(path_graph(n, 1 / h**2), np.sin(x)) - np.pi / 2)
        )
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    found = laplacian_spectrum(path_graph(40), 40, kind="unnormalized").values
    exact = 2 - 2 * np.cos(np.pi * np.arange(40) / 40)
    np.testing.assert_allclose(found, exact, atol=1e-12)


@pytest.mark.syllabus("S4B-027")
@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_eigenvalues_are_real_not_negative_and_begin_with_zero(seed):
    W = random_weights(seed)
    L = laplacian(W)
    np.testing.assert_allclose(L.toarray(), L.toarray().T)
    np.testing.assert_allclose(L @ np.ones(12), 0.0, atol=1e-12)
    found = laplacian_spectrum(W, 12, kind="unnormalized")
    assert found.values[0] == 0.0
    assert (np.diff(found.values) >= -1e-12).all()
    expected = linalg.eigvalsh(L.toarray())
    np.testing.assert_allclose(found.values, expected, atol=1e-10)


@pytest.mark.syllabus("S4B-027")
@pytest.mark.parametrize("scale", [2.0**30, 2.0**-30])
def test_heavier_weights_scale_the_eigenvalues_and_nothing_else(rng, scale):
    corners = np.repeat([[0, 0], [6, 0], [0, 6], [6, 6]], 120, axis=0)
    squares = cdist(*[corners + rng.normal(size=(480, 2))] * 2, "sqeuclidean")
    W = np.exp(-squares / 50) + 1
    found = laplacian_spectrum(W, 3, kind="unnormalized")
    scaled = laplacian_spectrum(scale * W, 3, kind="unnormalized")
    np.testing.assert_array_equal(scaled.values, scale * found.values)
    np.testing.assert_array_equal(scaled.vectors, found.vectors)


@pytest.mark.syllabus("S4B-028", "S1-158")
def test_the_kernel_counts_components_and_their_indicators_span_it():
    W, labels = three_parts()
    found = laplacian_spectrum(W, 5, kind="unnormalized")
    assert found.components == np.sum(found.values < 1e-10) == 3
    assert csgraph.connected_components(W)[0] == connected_components(W)[0] == 3
    assert np.sum(linalg.eigvalsh(laplacian(W).toarray()) < 1e-10) == 3
    indicators = (labels[:, None] == np.arange(3)).astype(float)
    np.testing.assert_allclose(laplacian(W) @ indicators, 0.0, atol=1e-12)
    # Any basis of the kernel is constant on components: here it is the indicators.
    for row in range(3):
        part = found.vectors[labels == row, :3]
        np.testing.assert_array_equal(part, np.tile(part[0], (len(part), 1)))
    np.testing.assert_array_equal(indicators.sum(axis=1), np.ones(15))


@pytest.mark.syllabus("S1-159")
def test_clusters_by_connected_components(rng):
    X = np.vstack((rng.uniform(0, 1, (30, 2)), rng.uniform(0, 1, (40, 2)) + 5))
    count, labels = connected_components(epsilon_graph(X, 1.0))
    assert count == 2
    np.testing.assert_array_equal(labels, np.repeat([0, 1], (30, 40)))


@pytest.mark.syllabus("S4B-029", "S4B-030")
def test_both_normalised_laplacians_against_their_formulas():
    W = random_weights(4)
    d = degrees(W)
    by_root = laplacian(W, "symmetric").toarray()
    theirs = csgraph.laplacian(W, normed=True)
    np.testing.assert_allclose(by_root, theirs, atol=1e-12)
    walk = laplacian(W, "random_walk").toarray()
    np.testing.assert_allclose(walk, np.eye(12) - W / d[:, None], atol=1e-12)
    np.testing.assert_allclose(walk.sum(axis=1), 0.0, atol=1e-12)


@pytest.mark.syllabus("S4B-032")
def test_three_eigenproblems_are_one():
    W = random_weights(5)
    L, d = laplacian(W).toarray(), degrees(W)
    values, _ = linalg.eigh(L, np.diag(d))
    walk = laplacian_spectrum(W, 12, kind="random_walk")
    root = laplacian_spectrum(W, 12, kind="symmetric")
    np.testing.assert_allclose(walk.values, values, atol=1e-10)
    np.testing.assert_allclose(root.values, values, atol=1e-10)
    assert values.min() > -1e-12
    assert values.max() <= 2 + 1e-12
    for g, value in zip(walk.vectors.T, walk.values, strict=True):
        np.testing.assert_allclose(L @ g, value * d * g, atol=1e-9)
    np.testing.assert_allclose(root.vectors, np.sqrt(d)[:, None] * walk.vectors)


@pytest.mark.syllabus("S4B-033")
@pytest.mark.parametrize("kind", ["symmetric", "random_walk"])
def test_kernels_of_normalised_laplacians_count_components_too(kind):
    W, labels = three_parts()
    found = laplacian_spectrum(W, 5, kind=kind)
    assert np.sum(found.values < 1e-10) == found.components == 3
    heights = np.sqrt(degrees(W)) if kind == "symmetric" else np.ones(15)
    basis = (labels[:, None] == np.arange(3)) * heights[:, None]
    np.testing.assert_allclose(laplacian(W, kind) @ basis, 0.0, atol=1e-12)
    combined = np.linalg.lstsq(basis, found.vectors[:, :3])[0]
    np.testing.assert_allclose(basis @ combined, found.vectors[:, :3], atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_lone_vertices_are_components_of_every_laplacian(kind):
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = 2.0
    assert not laplacian(W, kind).toarray()[2:].any()
    found = laplacian_spectrum(W, 4, kind=kind)
    assert found.components == 3
    assert np.sum(found.values < 1e-12) == 3
    assert laplacian_spectrum(np.zeros((1, 1)), 1, kind=kind).values.tolist() == [0.0]


@pytest.mark.parametrize("kind", KINDS)
def test_large_spectra_come_with_residuals_and_agree_with_small_ones(kind):
    W, _ = block_graph([150, 150, 150], 0.2, 0.01, random_state=1)
    found = laplacian_spectrum(W, 6, kind=kind, tol=1e-10)
    whole = linalg.eigvalsh(
        laplacian(W, "symmetric" if kind == "random_walk" else kind).toarray()
    )
    np.testing.assert_allclose(found.values, whole[:6], atol=1e-8)
    assert found.residuals.max() <= 1e-8 * max(1.0, found.degrees.max())
    assert found.eigengap() == 3
    assert "after 3" in found.plot().layout.annotations[0].text


def test_refusals_say_what_is_wrong_with_the_weights():
    with pytest.raises(DataError, match="undirected"):
        laplacian([[0.0, 1.0], [0.0, 0.0]])
    with pytest.raises(DataError, match="cannot be negative"):
        laplacian([[0.0, -1.0], [-1.0, 0.0]])
    with pytest.raises(DataError, match="square"):
        laplacian(np.ones((2, 3)))
    with pytest.raises(DataError, match="one value for each"):
        variation(np.ones((2, 2)), [1.0])
