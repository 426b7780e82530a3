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


def test_cores_that_are_busy_are_left_after_three_slow_trees():
    grower = object.__new__(tree.TreeGrower)
    grower.parts, grower.crowded, grower.alone = 2, 0, 0
    for seconds in (9.0, 9.0, 1.0, 9.0, 9.0):
        grower._note_crowd(seconds, 1.0)
        assert grower.alone == 0
    grower._note_crowd(9.0, 1.0)
    assert grower.alone == tree.TREES_ALONE
