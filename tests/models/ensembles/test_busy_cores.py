"""Boosting beside other programs that keep the cores busy."""

import time

import numpy as np
import pytest

from infimum.models.ensembles import HistGradientBoostingRegressor
from infimum.models.ensembles.boosting import _boosted_tree as tree


def test_trees_grown_on_one_thread_are_the_same(monkeypatch, rng):
    X = rng.normal(size=(tree.MANY * 2, 4))
    y = X[:, 0] + np.sin(3 * X[:, 1]) + 0.1 * rng.normal(size=len(X))
    model = HistGradientBoostingRegressor(max_iter=8, early_stopping=False)
    calm = model.fit(X, y).predict(X)
    parts = []

    def noted(grower, seconds, computing):
        parts.append(grower.parts)
        grower.own_pace = 0.0 if len(parts) % 2 else 1.0

    monkeypatch.setattr(tree, "free_cores", lambda: 2)
    monkeypatch.setattr(tree.TreeGrower, "busy_until", 0.0)
    monkeypatch.setattr(tree.TreeGrower, "_note_crowd", noted)
    np.testing.assert_array_equal(model.fit(X, y).predict(X), calm)
    assert parts[:5] == [1, 1, 2, 1, 2]


@pytest.fixture
def grower(monkeypatch):
    monkeypatch.setattr(tree.TreeGrower, "busy_until", 0.0)
    made = object.__new__(tree.TreeGrower)
    made.parts, made.pace, made.own_pace = 1, 0.0, 0.0
    made._note_crowd(9.0, 1.0)
    made.parts = 2
    return made


def test_cores_that_are_free_are_used_whatever_one_tree_had_to_wait(grower):
    for seconds in (0.6, 2.0, 0.6, 0.7, 1.2, 0.6):
        grower._note_crowd(seconds, 0.5)
        assert grower.busy_until == 0.0


def test_cores_that_are_busy_are_left_and_tried_again_later(grower):
    grower._note_crowd(1.2, 0.5)
    assert grower.busy_until == 0.0
    for seconds in (1.2, 1.2, 1.5, 1.5):
        grower._note_crowd(seconds, 0.5)
    left = grower.busy_until - time.monotonic()
    assert 0.0 < left <= tree.SECONDS_ALONE
    grower.parts = 1
    grower._note_crowd(1.1, 1.0)
    grower.parts = 2
    before = grower.busy_until
    grower._note_crowd(0.6, 0.5)
    assert grower.busy_until == before
