"""A real graph: two leaders tell the sides of Zachary's karate club."""

import numpy as np
import pytest

from infimum.models.graph import pagerank, resistance
from infimum.models.semi_supervised import GraphLabelClassifier, LabelPropagation

CLUB = """
0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-10 0-11 0-12 0-13 0-17 0-19 0-21 0-31 1-2 1-3 1-7
1-13 1-17 1-19 1-21 1-30 2-3 2-7 2-8 2-9 2-13 2-27 2-28 2-32 3-7 3-12 3-13 4-6 4-10 5-6
5-10 5-16 6-16 8-30 8-32 8-33 9-33 13-33 14-32 14-33 15-32 15-33 18-32 18-33 19-33
20-32 20-33 22-32 22-33 23-25 23-27 23-29 23-32 23-33 24-25 24-27 24-31 25-31 26-29
26-33 27-33 28-31 28-33 29-32 29-33 30-32 30-33 31-32 31-33 32-33
"""
SIDES = np.array([side == "O" for side in "HHHHHHHHHOHHHHOOHHOHOHOOOOOOOOOOOO"], int)


@pytest.fixture
def club():
    W = np.zeros((34, 34))
    for edge in CLUB.split():
        i, j = map(int, edge.split("-"))
        W[i, j] = W[j, i] = 1.0
    assert W.sum() == 2 * 78
    return W


def test_two_labels_find_the_side_of_all_members_but_one(club):
    y = np.full(34, -1)
    y[0], y[33] = 0, 1
    model = GraphLabelClassifier("precomputed").fit(club, y)
    assert np.flatnonzero(model.transduction_ != SIDES).tolist() == [8]
    assert model.proved_.all()
    spread = LabelPropagation("precomputed").fit(club, y)
    assert np.mean(spread.transduction_ == SIDES) > 0.9


def test_leaders_rank_first_and_are_well_connected(club):
    found = pagerank(club, tol=1e-12)
    assert [name for name, _ in found.top(2)] == [33, 0]
    assert found.scores[33] == pytest.approx(0.10092, abs=5e-6)
    far = resistance(club).values
    assert set(np.argsort(far.sum(axis=1))[:2].tolist()) == {0, 33}
