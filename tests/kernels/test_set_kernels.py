"""Kernels on sets and bags against their explicit features."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from infimum.kernels import (
    CommonSubsets,
    Gaussian,
    Jaccard,
    Linear,
    MeanEmbedding,
    SetIntersection,
    check_definite,
    kernel_distances,
)
from infimum.study.features import BasketCounts, count_users

SETS = [set(), {1}, {1, 2, 3}, {2, 3, 4, "x"}, {"x"}, {5, 6}, frozenset({1, 2, 3})]


def subsets(thing):
    return {
        frozenset(chosen)
        for size in range(len(thing) + 1)
        for chosen in combinations(thing, size)
    }


def test_intersections_and_common_subsets_are_counted():
    common = [[len(a & b) for b in SETS] for a in SETS]
    assert np.array_equal(SetIntersection()(SETS), common)
    both = [[len(subsets(a) & subsets(b)) for b in SETS] for a in SETS]
    assert np.array_equal(CommonSubsets()(SETS), both)


def test_the_jaccard_kernel_is_the_share_in_common_of_sets_and_of_bags():
    for x in SETS[1:]:
        for z in SETS[1:]:
            expected = len(x & z) / len(x | z)
            assert Jaccard()([x], [z])[0, 0] == pytest.approx(expected)
    assert Jaccard()([set()], [set()])[0, 0] == 1.0
    bags = ["aab", "abb", "abbb"]
    for x in bags:
        for z in bags:
            a, b = Counter(x), Counter(z)
            least = sum(min(a[m], b[m]) for m in "ab")
            most = sum(max(a[m], b[m]) for m in "ab")
            assert Jaccard()([x], [z])[0, 0] == pytest.approx(least / most)


def test_bags_of_vectors_are_compared_by_their_means(rng):
    bags = [rng.normal(size=(size, 2)) for size in (1, 4, 2)]
    means = np.array([bag.mean(axis=0) for bag in bags])
    sums = np.array([bag.sum(axis=0) for bag in bags])
    assert MeanEmbedding(Linear())(bags) == pytest.approx(means @ means.T)
    assert MeanEmbedding(Linear(), mean=False)(bags) == pytest.approx(sums @ sums.T)
    assert check_definite(MeanEmbedding(Gaussian()), bags)
    apart = kernel_distances(MeanEmbedding(Linear()), bags)
    assert apart[0, 1] == pytest.approx(np.linalg.norm(means[0] - means[1]))
    words = MeanEmbedding(SetIntersection())
    assert words([[{1, 2}, {2}]], [[{2, 3}]])[0, 0] == 1.0


@pytest.mark.syllabus("S4A-140")
def test_buyers_in_common_are_the_inner_product_of_explicit_features():
    baskets = [["tea", "milk"], ["milk"], ["tea", "bread", "milk"], []]
    counts = BasketCounts().fit_transform(baskets)
    assert np.array_equal(SetIntersection()(baskets), Linear()(counts))
    purchases = [("u1", "b1"), ("u1", "b2"), ("u2", "b2"), ("u3", "b3"), ("u3", "b2")]
    table = count_users(purchases)
    buyers = [{u for u, item in purchases if item == name} for name in table.rows]
    assert np.array_equal(Linear()(table.counts), SetIntersection()(buyers))
