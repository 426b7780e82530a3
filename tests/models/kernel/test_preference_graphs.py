"""Ranking losses of preferences, and the losses of labels as their special cases."""

from itertools import permutations

import numpy as np
import pytest

from infimum.errors import DataError, InvalidParameterError
from infimum.losses import (
    AdditiveMulticlassHinge,
    AdditiveMultilabelHinge,
    MulticlassHinge,
    MultilabelHinge,
    PreferenceGraph,
)

PARTS = [[(0, 1), (0, 2)], [(1, 3)], [(2, 3), (0, 3)]]


def hinge(f, edge):
    return max(0.0, 1.0 - (f[edge[0]] - f[edge[1]]))


@pytest.mark.syllabus("S0B-206")
def test_groups_of_preferences_are_added_up_or_the_worst_counts(rng):
    added, worst = PreferenceGraph(PARTS), PreferenceGraph(PARTS, combine="max")
    for _ in range(20):
        f = rng.normal(size=4)
        prices = [max(hinge(f, edge) for edge in part) for part in PARTS]
        assert added.value(f) == pytest.approx(sum(prices))
        assert worst.value(f) == pytest.approx(max(prices))
        assert worst.value(f) == pytest.approx(max(hinge(f, e) for e in worst.edges))
        for loss in (added, worst):
            slope, g = loss.derivative(f), rng.normal(size=4)
            assert loss.value(g) >= loss.value(f) + slope @ (g - f) - 1e-12
            assert slope.sum() == 0.0


@pytest.mark.syllabus("S0B-206", "S0B-224")
def test_stars_give_the_losses_of_classes_and_label_sets(rng):
    f = rng.normal(size=(1, 4))
    others = [(2, j) for j in (0, 1, 3)]
    label = np.array([2.0])
    star = PreferenceGraph([others])
    assert star.value(f[0]) == pytest.approx(MulticlassHinge(4).value(label, f)[0])
    single = PreferenceGraph([[edge] for edge in others])
    additive = AdditiveMulticlassHinge(4).value(label, f)[0]
    assert single.value(f[0]) == pytest.approx(additive)
    wanted = np.array([[1, 0, 1, 0]])
    pairs = [(i, j) for i in (0, 2) for j in (1, 3)]
    for graph in (
        PreferenceGraph([pairs]),
        PreferenceGraph([pairs[:2], pairs[2:]], "max"),
    ):
        expected = MultilabelHinge(4).value(wanted, f)[0]
        assert graph.value(f[0]) == pytest.approx(expected)
    every = PreferenceGraph([[edge] for edge in pairs])
    expected = AdditiveMultilabelHinge(4).value(wanted, f)[0]
    assert every.value(f[0]) == pytest.approx(expected)


@pytest.mark.syllabus("S0B-207")
def test_sorting_predicts_a_total_order_and_broken_wishes_are_counted():
    graph = PreferenceGraph(PARTS)
    for ranks in permutations(range(4)):
        f = np.array(ranks, dtype=float)
        order = graph.order(f)
        assert (np.diff(f[order]) < 0).all()
        broken = sum(any(f[i] < f[j] for i, j in part) for part in PARTS)
        assert graph.disagreements(f) == broken <= graph.value(f)
    assert graph.disagreements([3.0, 2.0, 1.0, 0.0]) == 0


def test_preferences_must_not_go_in_circles():
    with pytest.raises(InvalidParameterError, match="no cycle"):
        PreferenceGraph([[(0, 1)], [(1, 0)]])
    with pytest.raises(InvalidParameterError, match="one edge or more"):
        PreferenceGraph([])
    with pytest.raises(DataError, match="one score per item"):
        PreferenceGraph(PARTS).value([1.0, 2.0])
