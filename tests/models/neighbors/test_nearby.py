"""What is near to many queries, in one piece: parts, orders and lists of it."""

import numpy as np
import pytest

from infimum.models.neighbors import _nearby
from infimum.models.neighbors._nearby import Nearby


@pytest.fixture
def lists():
    rng = np.random.default_rng(0)
    counts = [3, 0, 5, 1, 0, 0, 90, 2, 0]
    return [(rng.integers(0, 4, k).astype(float), np.arange(k)) for k in counts]


def told(found):
    return list(
        zip(found.lists(found.distances), found.lists(found.names), strict=True)
    )


def same(found, expected):
    assert len(found) == len(expected)
    for (far, names), (others, known) in zip(found, expected, strict=True):
        np.testing.assert_array_equal(far, others)
        np.testing.assert_array_equal(names, known)


def test_what_was_joined_is_listed_again(lists):
    found = Nearby.of(lists)
    same(told(found), lists)
    np.testing.assert_array_equal(found.counts, [len(far) for far, _ in lists])


def test_some_of_the_neighbours_stay_with_their_queries(lists):
    found = Nearby.of(lists)
    kept = found.only(found.distances <= 1.0)
    same(told(kept), [(far[far <= 1], names[far <= 1]) for far, names in lists])


@pytest.mark.parametrize("many", [1, 64])
def test_the_nearest_come_first_and_of_equals_the_first(lists, many, monkeypatch):
    monkeypatch.setattr(_nearby, "MANY", many)
    orders = [np.argsort(far, kind="stable") for far, _ in lists]
    expected = [
        (far[o], names[o]) for o, (far, names) in zip(orders, lists, strict=True)
    ]
    same(told(Nearby.of(lists).nearest_first()), expected)


@pytest.mark.parametrize("block", [1, 4, 7, 1000])
def test_blocks_hold_every_query_once(lists, block, monkeypatch):
    monkeypatch.setattr(_nearby, "BLOCK", block)
    parts = list(Nearby.of(lists).blocks())
    rows = [i for some, _ in parts for i in range(some.start, some.stop)]
    assert rows == list(range(len(lists)))
    same([each for _, part in parts for each in told(part)], lists)
    assert all(len(part.names) <= block or len(part.counts) == 1 for _, part in parts)
