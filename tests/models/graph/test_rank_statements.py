"""PageRank, HITS, Katz and the power method: statements and proved errors."""

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.graph import (
    google_spectrum,
    hits,
    katz,
    pagerank,
    stationary_law,
    transition_matrix,
)
from infimum.study.matrices import power_method
from tests.models.graph.test_walk_statements import Named

ALPHA = 0.85


def some_graph(rng, n, share=0.4):
    return rng.integers(1, 5, (n, n)) * (rng.random((n, n)) < share)


def google(W, alpha, v, u):
    """Return the surfer's matrix, dense."""
    W = np.asarray(W, dtype=float)
    d = W.sum(axis=1)
    P = np.where(d[:, None] > 0, W / np.where(d > 0, d, 1)[:, None], u)
    return alpha * P + (1 - alpha) * v


def exact(W, alpha, v, u):
    G = google(W, alpha, v, u)
    n = len(G)
    left = np.vstack([np.eye(n) - G.T, np.ones(n)])
    return np.linalg.lstsq(left, np.append(np.zeros(n), 1.0), rcond=None)[0]


@pytest.mark.syllabus("S4B-245")
def test_without_jumps_ranks_are_shares_of_the_parents_ranks():
    rng = np.random.default_rng(0)
    W = some_graph(rng, 8) + np.roll(np.eye(8), 1, axis=1)
    r = stationary_law(W).law
    d = W.sum(axis=1)
    for j in range(8):
        shares = sum(r[i] * W[i, j] / d[i] for i in range(8) if W[i, j])
        assert r[j] == pytest.approx(shares, rel=1e-12)
    near = pagerank(W, alpha=1 - 1e-5, tol=1e-8).scores
    np.testing.assert_allclose(near, r, atol=1e-4)


@pytest.mark.syllabus("S4B-249")
def test_ranks_are_the_law_of_the_random_surfer():
    rng = np.random.default_rng(1)
    for _ in range(30):
        n = int(rng.integers(2, 12))
        W = some_graph(rng, n, 0.3)  # some vertices are left by nothing
        even = np.full(n, 1 / n)
        found = pagerank(W, tol=1e-13)
        np.testing.assert_allclose(
            found.scores, exact(W, ALPHA, even, even), atol=1e-12
        )
        assert found.scores.sum() == pytest.approx(1.0, abs=1e-14)


@pytest.mark.syllabus("S4B-250")
def test_several_personalisations_are_found_at_once():
    rng = np.random.default_rng(2)
    W = some_graph(rng, 15, 0.2)
    jumps = rng.random((20, 15))
    stuck = rng.random(15)
    found = pagerank(sparse.csr_array(W), 0.9, jumps, dangling=stuck, tol=1e-13)
    assert found.scores.shape == (20, 15)
    for law, v in zip(found.scores, jumps, strict=True):
        u = stuck / stuck.sum()
        np.testing.assert_allclose(law, exact(W, 0.9, v / v.sum(), u), atol=1e-12)
        alone = pagerank(W, 0.9, v, dangling=stuck, tol=1e-13)
        np.testing.assert_allclose(alone.scores, law, atol=1e-12)


@pytest.mark.syllabus("S4B-251")
def test_the_spectrum_of_the_surfer_is_alpha_times_that_of_the_walk():
    rng = np.random.default_rng(3)
    W = some_graph(rng, 9)
    even = np.full(9, 1 / 9)
    for alpha in (0.5, 0.85):
        direct = np.linalg.eigvals(google(W, alpha, even, even))
        np.testing.assert_allclose(
            np.sort(np.abs(google_spectrum(W, alpha))),
            np.sort(np.abs(direct)),
            atol=1e-9,
        )
    W = some_graph(rng, 300, 0.02)
    sweeps = [pagerank(W, a, tol=1e-10).n_iter for a in (0.5, 0.85, 0.95)]
    assert sweeps == sorted(sweeps)
    assert sweeps[-1] <= np.log(1e-12) / np.log(0.95)  # sweeps beat the power method


@pytest.mark.syllabus("S4B-252")
def test_the_power_method_converges_like_the_ratio_of_eigenvalues():
    A, start = np.diag([3.0, 2.0, 1.0]), np.ones(3) / np.sqrt(3)
    found = power_method(A, start=start, tolerance=1e-15, max_iterations=11)
    error = np.linalg.norm(np.abs(found.vector) - [1, 0, 0])
    assert error == pytest.approx(0.01734, abs=5e-6)
    assert error == pytest.approx((2 / 3) ** 10, rel=2e-3)
    beside = power_method(A, start=[0.0, 1.0, 1.0])
    assert beside.value == pytest.approx(2.0)  # never sees the first eigenvector
    P = transition_matrix([[0, 2, 1, 0], [2, 0, 1, 0], [1, 1, 0, 3], [0, 0, 3, 0]]).T
    with pytest.raises(IncompatibleError, match="symmetric"):
        power_method(P)
    walk = power_method(P, symmetric=False, tolerance=1e-12)
    assert walk.value == pytest.approx(1.0)
    law = walk.vector / walk.vector.sum()
    np.testing.assert_allclose(law, np.array([3, 3, 5, 3]) / 14, atol=1e-10)
    with pytest.raises(IncompatibleError, match="symmetric"):
        walk.error(0.1)


def test_the_error_told_dominates_the_true_one_in_a_thousand_graphs():
    rng = np.random.default_rng(4)
    for _ in range(1000):
        n = int(rng.integers(1, 9))
        W = some_graph(rng, n, 0.35)
        alpha = float(rng.choice([0.0, 0.3, 0.85, 0.99]))
        v = rng.dirichlet(np.ones(n))
        tol = 10.0 ** -rng.integers(1, 12)
        found = pagerank(W, alpha, v, tol=tol)
        off = np.abs(found.scores - exact(W, alpha, v, v)).sum()
        assert off <= found.error + 1e-13
        assert found.error <= tol


def test_totals_are_found_at_once_and_hard_graphs_still_end():
    rng = np.random.default_rng(5)
    W = (rng.random((300, 300)) < 0.1).astype(float)
    assert pagerank(W, tol=1e-10).n_iter < 20
    ring = np.roll(np.eye(200), 1, axis=1)
    for v in (None, np.eye(200)[7], np.vstack([np.eye(200)[:3], np.ones(200)])):
        found = pagerank(ring, 0.99, v, tol=1e-9)
        assert np.max(found.error) <= 1e-9


def test_names_are_kept():
    graph = Named([("a", "b"), ("c", "b"), ("d", "b"), ("b", "a")], True)
    found = pagerank(graph, tol=1e-12)
    assert found.nodes == ["a", "b", "c", "d"]
    assert found.top(1)[0][0] == "b"
    W = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]
    np.testing.assert_allclose(found.scores, pagerank(W, tol=1e-12).scores, atol=1e-11)
    named = pagerank(graph, personalization={"c": 2.0}, tol=1e-12)
    plain = pagerank(W, personalization=[0, 0, 1, 0], tol=1e-12)
    np.testing.assert_allclose(named.scores, plain.scores, atol=1e-12)
    assert named.as_dict()["d"] == 0.0


def test_one_vertex_loops_and_no_edges():
    assert pagerank([[0]]).scores.tolist() == [1.0]
    assert pagerank([[5.0]]).scores.tolist() == [1.0]
    np.testing.assert_allclose(pagerank(np.zeros((4, 4))).scores, 0.25)
    scaled = [pagerank(np.diag([1.0, 1.0], 1) * s).scores for s in (1e-150, 1.0, 1e150)]
    np.testing.assert_allclose(scaled[0], scaled[1], atol=1e-12)
    np.testing.assert_allclose(scaled[2], scaled[1], atol=1e-12)


def test_hubs_and_authorities_are_leading_singular_vectors():
    rng = np.random.default_rng(5)
    W = some_graph(rng, 12)
    found = hits(W)
    lead = np.abs(np.linalg.eigh(W.T @ W)[1][:, -1])
    np.testing.assert_allclose(found.authorities, lead / lead.sum(), atol=1e-12)
    image = W @ found.authorities
    np.testing.assert_allclose(found.hubs, image / image.sum(), atol=1e-12)
    assert found.error < 1e-10
    large = sparse.random_array((2000, 2000), density=0.01, rng=rng)
    assert hits(large).error < 1e-6
    assert hits(np.eye(3)).error == np.inf


def test_katz_counts_all_ways_and_proves_each_score():
    rng = np.random.default_rng(6)
    W = some_graph(rng, 10, 0.3)
    top = float(np.abs(np.linalg.eigvals(W)).max())
    found = katz(W, 0.5 / top, normalized=False)
    exactly = np.linalg.solve(np.eye(10) - 0.5 / top * W.T, np.ones(10))
    assert (np.abs(found.scores - exactly) <= found.error + 1e-12).all()
    np.testing.assert_allclose(found.scores, exactly, rtol=1e-10)
    unit = katz(W, 0.5 / top)
    np.testing.assert_allclose(unit.scores, exactly / np.linalg.norm(exactly))
    with pytest.raises(DataError, match="largest eigenvalue"):
        katz(W, 1.01 / top)
    large = sparse.random_array((2000, 2000), density=0.002, rng=rng)
    assert katz(large, 0.1, normalized=False).error.max() < 1e-8


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: pagerank([[0, 1], [1, 0]], 1.0), "alpha must be in"),
        (lambda: pagerank([[0, 1], [1, 0]], -0.1), "alpha must be in"),
        (lambda: pagerank([[0, 1], [1, 0]], personalization=[0, 0]), "not all 0"),
        (lambda: pagerank([[0, 1], [1, 0]], personalization=[1, -1]), "not negative"),
        (lambda: pagerank([[0, 1], [1, 0]], personalization=[1]), "each of 2"),
        (lambda: pagerank([[0, 1], [1, 0]], personalization={7: 1}), "a vertex is"),
        (lambda: pagerank([[0, -1], [1, 0]]), "negative"),
        (lambda: pagerank([[0, 1]]), "square"),
        (lambda: hits(np.zeros((2, 2))), "needs an edge"),
    ],
)
def test_bad_input_is_told_in_one_sentence(call, message):
    with pytest.raises((DataError, InvalidParameterError), match=message):
        call()


def test_hubs_do_not_hide_what_is_proved():
    rng = np.random.default_rng(8)
    n, m = 20_000, 100_000
    ends = rng.integers(0, n, m), (n * rng.random(m) ** 4).astype(int)
    W = sparse.csr_array((rng.random(m), ends), shape=(n, n))
    W.sum_duplicates()
    assert np.bincount(W.indices).max() > 1_000
    alone = pagerank(W, tol=1e-12)
    assert alone.error <= 1e-12
    several = pagerank(W, personalization=np.ones((2, n)), tol=1e-12)
    assert several.error.max() <= 1e-12
    far = np.abs(several.scores[0] - alone.scores).sum()
    assert far <= alone.error + several.error[0]
