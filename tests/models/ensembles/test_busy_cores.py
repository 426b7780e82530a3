"""Boosting beside other programs that keep the cores busy."""

import numpy as np

from infimum.models.ensembles import HistGradientBoostingRegressor
from infimum.models.ensembles.boosting import _boosted_tree as tree


def test_trees_grown_on_one_thread_are_the_same(monkeypatch, rng):
    X = rng.normal(size=(tree.MANY * 2, 4))
    y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.1 * rng.normal(size=len(X))
    model = HistGradientBoostingRegressor(max_iter=8, early_stopping=False)
    calm = model.fit(X, y).predict(X)
    alone = []

    def noted(grower, seconds, computing):
        alone.append(grower.parts)
        grower.alone = len(alone) % 2

    monkeypatch.setattr(tree.TreeGrower, "_note_crowd", noted)
    np.testing.assert_array_equal(model.fit(X, y).predict(X), calm)
    assert alone[1::2] == [1] * 4


def grower():
    made = object.__new__(tree.TreeGrower)
    made.parts, made.alone, made.pace, made.own_pace = 2, 0, 0.0, 0.0
    made._note_crowd(0.6, 0.5)
    assert made.alone == 1  # to see what one thread needs
    made.parts = 1
    made._note_crowd(9.0, 1.0)
    assert made.alone == 0
    made.parts = 2
    return made


def test_cores_that_are_free_are_used_whatever_one_tree_had_to_wait():
    calm = grower()
    for seconds in (0.6, 1.4, 0.6, 0.7, 1.2, 0.6):
        calm._note_crowd(seconds, 0.5)
        assert calm.alone == 0


def test_cores_that_are_busy_are_left_and_tried_again_later():
    crowded = grower()
    crowded._note_crowd(1.2, 0.5)
    assert crowded.alone == 0
    crowded._note_crowd(1.2, 0.5)
    assert crowded.alone == tree.TREES_ALONE
    crowded.parts = 1
    for left in range(tree.TREES_ALONE - 1, -1, -1):
        crowded._note_crowd(1.1, 1.0)
        assert crowded.alone == left
    crowded.parts = 2
    crowded._note_crowd(0.6, 0.5)
    assert crowded.alone == 0
