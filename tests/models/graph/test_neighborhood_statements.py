"""Neighbourhood graphs: who is joined to whom, by how much, and when all hold."""

import numpy as np
import pytest
import sklearn.neighbors
from sklearn.metrics import adjusted_rand_score

from infimum.errors import DataError, InvalidParameterError
from infimum.models.clustering import SpectralClustering
from infimum.models.graph import epsilon_graph, gaussian_graph, nearest_neighbor_graph
from infimum.study.graphs import (
    compare_graphs,
    connected_components,
    connectivity_advice,
)


@pytest.fixture
def points(rng):
    return rng.standard_normal((60, 3))


def graph(X, k, kind):
    return nearest_neighbor_graph(X, k, kind=kind, weights="connectivity").toarray()


@pytest.mark.syllabus("S4A-227")
def test_the_directed_graph_leads_from_each_point_to_its_k_nearest(points):
    ours = graph(points, 7, "directed")
    theirs = sklearn.neighbors.kneighbors_graph(points, 7, include_self=False)
    np.testing.assert_array_equal(ours, theirs.toarray())
    assert (ours.sum(axis=1) == 7).all()


@pytest.mark.syllabus("S4A-228", "S4A-229")
def test_or_joins_more_than_and(points):
    directed = graph(points, 7, "directed")
    either, both = graph(points, 7, "symmetric"), graph(points, 7, "mutual")
    np.testing.assert_array_equal(either, np.maximum(directed, directed.T))
    np.testing.assert_array_equal(both, np.minimum(directed, directed.T))
    assert (both <= directed).all()
    assert (directed <= either).all()
    assert both.sum(axis=1).max() <= 7
    assert either.sum(axis=1).min() >= 7


@pytest.mark.syllabus("S1-155", "S4A-230")
def test_the_epsilon_graph_joins_what_is_near_and_says_what_happens_at_the_edge(points):
    ours = epsilon_graph(points, 1.2).toarray()
    far = np.linalg.norm(points[:, None] - points, axis=2)
    expected = (far <= 1.2) & ~np.eye(60, dtype=bool)
    np.testing.assert_array_equal(ours, expected.astype(float))
    grid = np.arange(4.0)[:, None]
    assert epsilon_graph(grid, 1.0).nnz == 6
    assert epsilon_graph(grid, 1.0, strict=True).nnz == 0


@pytest.mark.syllabus("S1-156")
def test_gaussian_weights_join_everybody(points):
    W = gaussian_graph(points, width=0.7)
    far = np.linalg.norm(points[:, None] - points, axis=2)
    np.testing.assert_allclose(W, np.exp(-(far**2) / (2 * 0.49)), atol=1e-12)
    assert (W > 0).all()
    assert not np.diag(gaussian_graph(points, width=0.7, loops=False)).any()
    sparse = nearest_neighbor_graph(points, 5, width=0.7)
    edges = sparse.toarray() > 0
    np.testing.assert_allclose(sparse.toarray()[edges], W[edges], rtol=1e-9)


@pytest.mark.syllabus("S4A-231")
def test_weights_are_similarities_and_distances_would_join_what_is_far_apart():
    rng = np.random.default_rng(3)
    labels = np.repeat([0, 1], 40)
    X = 4.0 * labels[:, None] + rng.standard_normal((80, 2))
    far = np.linalg.norm(X[:, None] - X, axis=2)
    model = SpectralClustering(2, affinity="precomputed", random_state=0)
    with pytest.warns(UserWarning, match="look like distances"):
        wrong = model.fit(far).labels_
    right = model.fit(gaussian_graph(X)).labels_
    assert adjusted_rand_score(labels, right) == 1.0
    assert adjusted_rand_score(labels, wrong) < 0.5
    # All edges of an epsilon graph are short: weighed or not, the cut is the same.
    joined = connectivity_advice(X).radius
    plain = model.fit(epsilon_graph(X, joined)).labels_
    weighed = model.fit(epsilon_graph(X, joined, weights="gaussian")).labels_
    assert adjusted_rand_score(plain, weighed) == 1.0


@pytest.mark.syllabus("S4A-232")
def test_the_four_graphs_of_the_same_points_side_by_side(points):
    flat = np.vstack((points[:30, :2], points[30:, :2] + 8.0))
    found = compare_graphs(flat, 4, 1.0)
    assert list(found.graphs) == ["directed", "symmetric", "mutual", "epsilon"]
    assert found.edges["directed"] == 60 * 4
    assert (
        found.edges["mutual"] < found.edges["directed"] / 2 < found.edges["symmetric"]
    )
    assert found.components["mutual"] >= found.components["symmetric"] >= 2
    figure = found.plot()
    titles = [note.text for note in figure.layout.annotations]
    assert f"{found.edges['epsilon']} edges" in titles[3]
    with pytest.raises(DataError, match="2 features"):
        compare_graphs(points, 4, 1.0).plot()


def test_advice_on_connectivity_is_sharp(points):
    advice = connectivity_advice(points)
    for kind, k in (
        ("symmetric", advice.n_neighbors),
        ("mutual", advice.n_mutual_neighbors),
    ):
        assert connected_components(graph(points, k, kind))[0] == 1
        assert connected_components(graph(points, k - 1, kind))[0] > 1
    assert connected_components(epsilon_graph(points, advice.radius))[0] == 1
    assert (
        connected_components(epsilon_graph(points, advice.radius, strict=True))[0] > 1
    )
    assert advice.start == int(np.ceil(np.log(60)))
    assert str(advice.n_neighbors) in str(advice)


def test_duplicates_stay_joined_and_lengths_of_zero_stay_edges():
    X = np.array([[0.0], [0.0], [0.0], [5.0]])
    links = nearest_neighbor_graph(X, 2, weights="distance")
    assert links.nnz == 10
    assert connectivity_advice(X).radius == 5.0
    assert connectivity_advice(X[:3]).radius == 0.0
    with pytest.raises(DataError, match="positive width"):
        nearest_neighbor_graph(X[:3], 1)


def test_refusals_name_owner_and_value(points):
    with pytest.raises(InvalidParameterError, match="kind must be one of"):
        nearest_neighbor_graph(points, 3, kind="both")
    with pytest.raises(DataError, match="n_neighbors"):
        nearest_neighbor_graph(points[:3], 3)
    with pytest.raises(DataError, match="2 samples or more"):
        connectivity_advice(points[:1])
