"""One slow contender does not use up everybody's time."""

import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.learn import contenders as shelf
from infimum.learn import race
from infimum.learn.ground import Ground
from infimum.learn.heat import FoldResult, Heat
from infimum.learn.race import _Track


def ran(place, error, seconds):
    heat = Heat(shelf.classifiers()[place])
    for _ in range(2):
        heat.record(
            0,
            FoldResult(
                "C", (1.0,), [error], [1], [{"auc": 1 - error}], seconds=seconds
            ),
        )
    return heat


@pytest.fixture
def track(binary_table):
    from infimum.learn.problem import pose, splits_of
    from infimum.learn.scoring import criterion_for

    problem = pose(binary_table, "verdict")
    criterion = criterion_for(np.arange(2))
    deadline = time.perf_counter() + 30
    return _Track(problem, splits_of(problem, 0), criterion, deadline, print, None)


def test_a_slow_loser_retires_and_a_slow_leader_stays(track):
    others = [ran(0, 0.5, 0.1), ran(1, 0.2, 0.5)]
    loser, leader = ran(2, 0.3, 10.0), ran(2, 0.1, 10.0)
    assert track._rests([*others, loser], 2, 0, 2)
    assert loser.retired == "too slow for the time given"
    assert not track._rests([*others, leader], 2, 0, 2)


def test_when_time_is_short_for_all_nobody_retires(track):
    field = [ran(place, 0.3 + 0.01 * place, 20.0) for place in range(4)]
    assert not any(track._rests(field, place, 0, 2) for place in range(4))


class Sleeper(ClassifierMixin, BaseEstimator):
    """A classifier that never has done."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y, sample_weight=None):
        time.sleep(60)
        return self


def test_even_who_runs_without_time_is_not_waited_for_long(track, monkeypatch):
    monkeypatch.setattr(race, "_PATIENCE", 0.2)
    track.deadline = time.perf_counter() - 1
    sleepy = replace(shelf.classifiers()[1], make=Sleeper, grid=({"C": 1.0},))
    heat, ground = Heat(sleepy), Ground(track.problem, track.splits[0])
    began = time.perf_counter()
    assert track._turn(heat, 0, 0, ground, spared=True)
    assert time.perf_counter() - began < 10
    assert heat.retired == "too slow for the time given"
