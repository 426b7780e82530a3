"""The ranks and resistances of networkx, and those of scikit-network."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from infimum.models.graph import commute_times, hits, katz, pagerank, resistance
from infimum.models.semi_supervised import GraphLabelClassifier


def drawn(seed, *, directed=True):
    """Return a graph with weights, names and vertices that nothing leaves."""
    rng = np.random.default_rng(seed)
    n = 25
    W = rng.random((n, n)) * (rng.random((n, n)) < 0.15)
    W[rng.integers(0, n, 3)] = 0.0
    np.fill_diagonal(W, 0.0)
    W = (
        W
        if directed
        else W + W.T + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    )
    kind = nx.DiGraph if directed else nx.Graph
    graph = nx.from_numpy_array(W, create_using=kind)
    names = {k: f"v{k}" for k in range(n)}
    return nx.relabel_nodes(graph, names), rng


@pytest.mark.parametrize("seed", range(5))
def test_pageranks_with_weights_jumps_and_dangling_vertices(seed):
    graph, rng = drawn(seed)
    jump = {name: float(rng.random()) for name in graph.nodes}
    end = {"v3": 1.0, "v4": 3.0}
    settings = [
        {},
        {"personalization": jump},
        {"personalization": jump, "dangling": end},
    ]
    for more in settings:
        theirs = nx.pagerank(graph, 0.85, tol=1e-16, max_iter=10_000, **more)
        found = pagerank(graph, 0.85, tol=1e-12, **more)
        for name, score in found.as_dict().items():
            assert score == pytest.approx(theirs[name], abs=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_hubs_katz_and_resistances(seed):
    graph, _ = drawn(seed)
    hubs, authorities = nx.hits(graph, tol=1e-14, max_iter=100_000)
    found = hits(graph)
    np.testing.assert_allclose(found.hubs, [hubs[v] for v in found.nodes], atol=1e-10)
    np.testing.assert_allclose(
        found.authorities, [authorities[v] for v in found.nodes], atol=1e-10
    )
    theirs = nx.katz_centrality_numpy(graph, 0.05, weight="weight")
    scores = katz(graph, 0.05)
    np.testing.assert_allclose(
        scores.scores, [theirs[v] for v in scores.nodes], atol=1e-10
    )
    graph, _ = drawn(seed, directed=False)
    far = resistance(graph)
    theirs = nx.resistance_distance(graph, weight="weight", invert_weight=False)
    exact = np.array([[theirs[a][b] for b in far.nodes] for a in far.nodes])
    np.testing.assert_allclose(far.values, exact, atol=1e-10)
    volume = 2.0 * graph.size(weight="weight")
    np.testing.assert_allclose(commute_times(graph).values, volume * exact, rtol=1e-9)


@pytest.mark.parametrize("weight", [None, "weight"])
def test_the_club_is_parted_with_its_weights_and_without(weight):
    graph = nx.karate_club_graph()
    W = nx.to_scipy_sparse_array(graph, weight=weight)
    sides = [graph.nodes[v]["club"] == "Officer" for v in graph.nodes]
    y = np.full(34, -1)
    y[0], y[33] = 0, 1
    model = GraphLabelClassifier("precomputed").fit(W, y)
    assert np.flatnonzero(model.transduction_ != np.array(sides, int)).tolist() == [8]


def test_valjean_is_the_first_of_the_miserables():
    name, score = pagerank(nx.les_miserables_graph(), tol=1e-12).top(1)[0]
    assert name == "Valjean"
    assert score == pytest.approx(0.09956, abs=5e-6)


def test_leonardo_is_the_first_painter_of_scikit_network():
    from sknetwork import data, ranking

    painters = data.painters(metadata=True)
    W = sparse.csr_array(painters.adjacency)
    found = pagerank(W, tol=1e-12)
    theirs = ranking.PageRank(tol=1e-14, n_iter=1000).fit_predict(painters.adjacency)
    np.testing.assert_allclose(found.scores, theirs, atol=1e-9)
    best = int(np.argmax(found.scores))
    assert painters.names[best] == "Leonardo da Vinci"
    assert found.scores[best] == pytest.approx(0.16306, abs=5e-6)
