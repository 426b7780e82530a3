"""One slow contender does not use up everybody's time."""

import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import race
from infimum.learn.compare.race import _Track
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.encoded_fold import EncodedFold


def ran(place, error, seconds):
    tally = Tally(shelf.classifiers()[place])
    for _ in range(2):
        tally.record(
            0,
            FoldResult(
                "C", (1.0,), [error], [1], [{"auc": 1 - error}], seconds=seconds
            ),
        )
    return tally


@pytest.fixture
def track(binary_table):
    from infimum.evaluation.scoring import criterion_for
    from infimum.learn.problem import pose, splits_of

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
    tally, encoded = Tally(sleepy), EncodedFold(track.problem, track.splits[0])
    began = time.perf_counter()
    assert track._turn(tally, 0, 0, encoded, spared=True)
    assert time.perf_counter() - began < 10
    assert tally.retired == "too slow for the time given"
