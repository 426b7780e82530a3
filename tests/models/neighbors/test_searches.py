"""The blocked search and the k-d tree give exactly the neighbours there are."""

import numpy as np
import pytest

from infimum.models.neighbors._exact_search import ExactSearch
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._ranking import smallest

SEARCHES = [ExactSearch, KDSearch]


def by_hand(X, Q, count):
    squares = ((Q[:, None] - X[None]) ** 2).sum(-1)
    order = np.argsort(squares, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(squares, order, axis=1), order


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    ("n", "d", "count"),
    [(1, 2, 1), (5, 2, 3), (50, 3, 50), (1500, 5, 10), (1100, 3, 1)],
)
def test_neighbours_are_those_found_by_hand(search, n, d, count):
    draw = np.random.default_rng(n)
    X, Q = draw.standard_normal((n, d)) + 10.0, draw.standard_normal((70, d)) + 10.0
    squares, names = search.over(X).nearest(Q, count)
    expected, order = by_hand(X, Q, count)
    np.testing.assert_array_equal(names, order)
    np.testing.assert_allclose(squares, expected, rtol=1e-12)


@pytest.mark.parametrize("search", SEARCHES)
def test_equal_distances_come_in_the_order_of_the_samples(search):
    draw = np.random.default_rng(0)
    X = draw.integers(0, 4, (900, 2)).astype(float)
    Q = draw.integers(0, 4, (60, 2)).astype(float)
    np.testing.assert_array_equal(search.over(X).nearest(Q, 7)[1], by_hand(X, Q, 7)[1])


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("scale", [1e-60, 1e-25, 1.0, 1e25, 1e60])
def test_units_of_the_data_do_not_matter(search, scale):
    draw = np.random.default_rng(1)
    X, Q = draw.standard_normal((300, 3)), draw.standard_normal((20, 3))
    names = search.over(X * scale).nearest(Q * scale, 5)[1]
    np.testing.assert_array_equal(names, by_hand(X, Q, 5)[1])


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("distance", [1e4, 1e9, 1e60])
def test_queries_may_be_far_away(search, distance):
    draw = np.random.default_rng(2)
    X = draw.standard_normal((300, 3))
    Q = distance * draw.standard_normal((9, 3))
    np.testing.assert_array_equal(search.over(X).nearest(Q, 4)[1], by_hand(X, Q, 4)[1])


def test_samples_closer_than_float32_can_tell_are_told_apart():
    draw = np.random.default_rng(3)
    X = np.concatenate([1.0 + 1e-9 * draw.standard_normal((400, 4)), [[-1.0] * 4]])
    Q = 1.0 + 1e-9 * draw.standard_normal((30, 4))
    np.testing.assert_array_equal(
        ExactSearch.over(X).nearest(Q, 6)[1], by_hand(X, Q, 6)[1]
    )


@pytest.mark.parametrize("search", SEARCHES)
def test_all_samples_within_a_radius_are_found_its_edge_included(search):
    X = np.arange(200.0)[:, None] % 50
    found = search.over(X).within(np.array([[3.0], [49.5], [99.0]]), 4.0)
    queries = zip(
        (3.0, 49.5, 99.0),
        found.lists(found.distances),
        found.lists(found.names),
        strict=True,
    )
    for q, squares, names in queries:
        expected = (X[:, 0] - q) ** 2
        np.testing.assert_array_equal(names, np.flatnonzero(expected <= 4.0))
        np.testing.assert_array_equal(squares, expected[expected <= 4.0])


def test_the_smallest_of_a_row_are_its_first_among_equals():
    values = np.array([[2.0, 1.0, 1.0, 1.0, 0.0], [5.0, 4.0, 3.0, 2.0, 1.0]])
    kept, names = smallest(values, 3)
    assert names.tolist() == [[4, 1, 2], [4, 3, 2]]
    assert kept.tolist() == [[0.0, 1.0, 1.0], [1.0, 2.0, 3.0]]
