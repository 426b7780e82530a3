"""Neighbours nearly: distances exact, recall measured and as told."""

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.models.neighbors import ApproximateNeighbors, NearestNeighbors


def cloud(n=2000, d=16, seed=0):
    draw = np.random.default_rng(seed)
    return draw.standard_normal((10, d))[draw.integers(0, 10, n)] * 2 + (
        draw.standard_normal((n, d))
    )


def share_found(model, X, Q, count=10):
    names = model.kneighbors(Q, count, return_distance=False)
    truth = NearestNeighbors().fit(X).kneighbors(Q, count, return_distance=False)
    hits = [len(set(a) & set(b)) for a, b in zip(names, truth, strict=True)]
    return np.mean(hits) / count


@pytest.mark.parametrize(("method", "least"), [("graph", 0.95), ("forest", 0.8)])
def test_most_neighbours_are_found_and_the_recall_is_as_told(method, least):
    X, Q = cloud(), cloud(200, seed=1)
    model = ApproximateNeighbors(n_neighbors=10, method=method, random_state=0).fit(X)
    found = share_found(model, X, Q)
    assert found > least
    assert model.recall_ == pytest.approx(found, abs=0.1)
    assert not hasattr(model, "radius_neighbors")


@pytest.mark.parametrize("method", ["graph", "forest"])
def test_distances_are_those_of_the_names_in_order(method):
    X, Q = cloud(500), cloud(20, seed=1)
    model = ApproximateNeighbors(method=method, random_state=0).fit(X)
    distances, names = model.kneighbors(Q)
    gaps = np.linalg.norm(Q[:, None] - X[names], axis=2)
    np.testing.assert_allclose(distances, gaps)
    assert np.all(np.diff(distances, axis=1) >= 0)
    assert all(len(set(row)) == 5 for row in names)
    own = model.kneighbors(return_distance=False)
    assert not np.any(own == np.arange(500)[:, None])


def test_more_breadth_and_more_trees_find_more():
    X, Q = cloud(3000, 24), cloud(100, 24, seed=1)

    def found(**settings):
        model = ApproximateNeighbors(n_neighbors=10, random_state=0, **settings)
        return share_found(model.fit(X), X, Q)

    assert found(n_links=4, breadth=12) < found(n_links=16, breadth=200)
    few = found(method="forest", n_trees=2)
    assert few < found(method="forest", n_trees=40)


def test_breadth_may_be_changed_after_the_fit():
    X, Q = cloud(3000, 24), cloud(100, 24, seed=1)
    model = ApproximateNeighbors(n_neighbors=10, breadth=12, random_state=0).fit(X)
    narrow = share_found(model, X, Q)
    assert narrow < share_found(model.set_params(breadth=300), X, Q)
    assert share_found(model.set_params(breadth=12), X, Q) == narrow
    with pytest.raises(InvalidParameterError, match="breadth"):
        model.set_params(breadth=0).kneighbors(Q)


def test_many_clusters_are_found_by_walks_that_begin_in_the_right_one():
    draw = np.random.default_rng(0)
    centres = 9.0 * draw.standard_normal((60, 8))
    X, Q = (
        centres[draw.integers(0, 60, n)] + draw.standard_normal((n, 8))
        for n in (6000, 200)
    )
    model = ApproximateNeighbors(n_neighbors=10, breadth=30, random_state=0).fit(X)
    assert share_found(model, X, Q) > 0.98
    assert model.recall_ > 0.98


@pytest.mark.parametrize("method", ["graph", "forest"])
def test_the_same_seed_finds_the_same_and_few_or_equal_samples_are_all_found(method):
    X, Q = cloud(400), cloud(30, seed=1)
    one, two = (
        ApproximateNeighbors(method=method, random_state=3).fit(X).kneighbors(Q)
        for _ in range(2)
    )
    np.testing.assert_array_equal(one[1], two[1])
    few = ApproximateNeighbors(method=method, random_state=0).fit(X[:7])
    assert sorted(few.kneighbors(Q[:1], 7)[1][0]) == list(range(7))
    equal = ApproximateNeighbors(method=method, random_state=0).fit(np.ones((90, 3)))
    distances, names = equal.kneighbors(np.ones((1, 3)), 90)
    np.testing.assert_array_equal(distances, 0.0)
    assert len(set(names[0])) == 90
    assert equal.recall_ == 1.0


def test_wrong_requests_are_told():
    with pytest.raises(InvalidParameterError, match="one of 'graph', 'forest'"):
        ApproximateNeighbors(method="hash").fit(cloud(20))
    with pytest.raises(InvalidParameterError, match="leaf_size"):
        ApproximateNeighbors(leaf_size=1).fit(cloud(20))
    from scipy import sparse

    with pytest.raises((DataError, TypeError)):
        ApproximateNeighbors().fit(sparse.eye_array(20, format="csr"))
