"""Trees to be asked directly, and graphs in order: scikit-learn's answers."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import neighbors as theirs
from sklearn.exceptions import EfficiencyWarning

from infimum.errors import DataError, InvalidParameterError
from infimum.models import neighbors as ours

DISTANCES = [
    {}, {"metric": "p", "p": 3}, {"metric": "infinity"}, {"metric": "l1"}
]  # fmt: skip


@pytest.fixture
def points(rng):
    return rng.normal(size=(150, 3))


@pytest.mark.parametrize("kind", ["KDTree", "BallTree"])
@pytest.mark.parametrize("distance", DISTANCES, ids=repr)
def test_trees_answer_like_those_of_scikit_learn(points, kind, distance, rng):
    X = points
    tree = getattr(ours, kind)(X, leaf_size=10, **distance)
    peer = getattr(theirs, kind)(X, leaf_size=10, **distance)
    new, reaches = rng.normal(size=(9, 3)), np.linspace(0.2, 2.0, 9)
    for found, expected in zip(tree.query(new, 4), peer.query(new, 4), strict=True):
        assert found == pytest.approx(expected)
    told = {"return_distance": True, "sort_results": True}
    for radius in (0.8, reaches):
        pairs = zip(
            tree.query_radius(new, radius, **told),
            peer.query_radius(new, radius, **told),
            strict=True,
        )
        for found, expected in pairs:
            for row, known in zip(found, expected, strict=True):
                assert row == pytest.approx(known)
        counts = tree.query_radius(new, radius, count_only=True)
        assert (counts == peer.query_radius(new, radius, count_only=True)).all()
    assert (
        tree.two_point_correlation(new, reaches)
        == peer.two_point_correlation(new, reaches)
    ).all()
    assert tree.two_point_correlation(new, []).shape == (0,)
    assert tree.kernel_density(new, 0.5) == pytest.approx(peer.kernel_density(new, 0.5))
    logs = {"kernel": "epanechnikov", "return_log": True}
    assert tree.kernel_density(X, 1.5, **logs) == pytest.approx(
        peer.kernel_density(X, 1.5, **logs)
    )
    np.testing.assert_array_equal(tree.data, X)
    carried = pickle.loads(pickle.dumps(tree))
    np.testing.assert_array_equal(carried.query(new, 4)[1], tree.query(new, 4)[1])


def test_trees_know_distances_on_the_globe_and_functions(points, rng):
    X = points
    places = rng.uniform([-1.5, -3.0], [1.5, 3.0], size=(60, 2))
    found = ours.BallTree(places, metric="haversine").query(places[:5], 3)
    expected = theirs.BallTree(places, metric="haversine").query(places[:5], 3)
    assert found[0] == pytest.approx(expected[0], abs=1e-12)
    largest = ours.BallTree(X, metric=lambda a, b: np.abs(a - b).max())
    assert largest.query(X[:5] + 0.1, 2)[1].tolist() == (
        ours.KDTree(X, metric="chebyshev").query(X[:5] + 0.1, 2)[1].tolist()
    )


def test_what_a_tree_cannot_is_said_in_a_sentence(points):
    X = points
    with pytest.raises(InvalidParameterError, match=r"KDTree\.metric must be one of"):
        ours.KDTree(X, metric="haversine")
    with pytest.raises(InvalidParameterError, match="one for each of the 4 queries"):
        ours.KDTree(X).query_radius(X[:4], [1.0, 2.0])
    with pytest.raises(InvalidParameterError, match="KDTree: r must be in"):
        ours.KDTree(X).query_radius(X[:4], -1.0)
    with pytest.raises(DataError, match="at most the number of samples"):
        ours.KDTree(X).query(X, k=151)


def test_rows_of_a_graph_are_sorted_by_value_and_equal_ones_stay(rng):
    graph = sparse.random_array((30, 30), density=0.3, rng=rng, format="csr")
    graph.data = np.round(graph.data, 1)
    expected = theirs.sort_graph_by_row_values(
        graph.copy(), copy=True, warn_when_not_sorted=False
    )
    with pytest.warns(EfficiencyWarning, match="were not sorted"):
        found = ours.sort_graph_by_row_values(graph.tocoo(), copy=True)
    np.testing.assert_array_equal(found.data, expected.data)
    np.testing.assert_array_equal(found.toarray(), graph.toarray())
    kept = ours.sort_graph_by_row_values(graph, copy=True, warn_when_not_sorted=False)
    np.testing.assert_array_equal(kept.indices, expected.indices)
    assert ours.sort_graph_by_row_values(kept) is kept
    with pytest.raises(DataError, match="cannot be sorted in place"):
        ours.sort_graph_by_row_values(graph.tocsc(), warn_when_not_sorted=False)
    with pytest.raises(DataError, match="needs a sparse matrix"):
        ours.sort_graph_by_row_values(graph.toarray())
