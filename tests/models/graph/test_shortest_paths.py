"""Shortest paths: Dijkstra's distances to the last bit, from all sources at once."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph

from infimum.errors import DataError
from infimum.models.graph import nearest_neighbor_graph, shortest_paths


@pytest.mark.parametrize("n, sides", [(60, 2), (300, 3), (200, 12)])
def test_the_same_distances_as_dijkstra(n, sides):
    X = np.random.default_rng(n).standard_normal((n, sides))
    links = nearest_neighbor_graph(X, 4, weights="distance")
    expected = csgraph.dijkstra(links, directed=False)
    np.testing.assert_array_equal(shortest_paths(links), expected)
    some = [5, 3, 17]
    np.testing.assert_array_equal(shortest_paths(links, some), expected[some])


def test_no_path_is_infinitely_long_and_a_length_of_zero_is_a_path():
    links = sparse.coo_array(([0.0, 2.0], ([0, 2], [1, 3])), shape=(5, 5))
    found = shortest_paths(links)
    assert found[0, 1] == 0.0
    assert found[2, 3] == found[3, 2] == 2.0
    assert np.isinf(found[0, 2:]).all()
    assert np.isinf(found[4, :4]).all()
    assert not np.diag(found).any()


def test_of_two_lengths_the_shorter_counts():
    assert shortest_paths([[0.0, 3.0], [2.0, 0.0]])[0, 1] == 2.0


def test_refusals():
    with pytest.raises(DataError, match="not negative"):
        shortest_paths([[0.0, -1.0], [-1.0, 0.0]])
    with pytest.raises(DataError, match="square"):
        shortest_paths(np.ones((2, 3)))
