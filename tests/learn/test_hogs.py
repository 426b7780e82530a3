"""One slow contender does not use up everybody's time."""

import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.evaluation.scoring import criterion_for
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import race
from infimum.learn.compare.race import Turn, _Track
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.folds import splits_of
from infimum.learn.problem import pose
from infimum.learn.worker import Crew


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


def track_of(table, seconds, crew=None):
    problem = pose(table, "verdict")
    deadline = time.perf_counter() + seconds
    criterion = criterion_for(np.arange(2))
    return _Track(
        problem, splits_of(problem, 0), criterion, deadline, print, None, crew
    )


@pytest.fixture
def track(binary_table):
    return track_of(binary_table, 30)


def test_a_slow_loser_retires_and_a_slow_leader_stays(track):
    others = [ran(0, 0.5, 0.1), ran(1, 0.2, 0.5)]
    loser, leader = ran(2, 0.3, 10.0), ran(2, 0.1, 10.0)
    assert track._rests([*others, loser], Turn(loser, 0, 2, 2, spared=False))
    assert loser.retired == "too slow for the time given"
    assert not track._rests([*others, leader], Turn(leader, 0, 2, 2, spared=False))


def test_when_time_is_short_for_all_nobody_retires(track):
    field = [ran(place, 0.3 + 0.01 * place, 20.0) for place in range(4)]
    turns = [Turn(each, 0, 2, place, spared=False) for place, each in enumerate(field)]
    assert not any(track._rests(field, turn) for turn in turns)


class Sleeper(ClassifierMixin, BaseEstimator):
    """A classifier that never has done."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y, sample_weight=None):
        time.sleep(600)
        return self


def test_even_who_runs_without_time_is_not_waited_for_long(binary_table, monkeypatch):
    monkeypatch.setattr(race, "_PATIENCE", 0.2)
    monkeypatch.setattr(race, "_OWED", 0.2)
    sleepy = Tally(replace(shelf.classifiers()[1], make=Sleeper, grid=({"C": 1.0},)))
    with Crew(1) as crew:
        # What its process takes to start is nobody's fault.
        assert crew.call(sum, [1, 2]) == 3
        track = track_of(binary_table, -1, crew)
        began = time.perf_counter()
        assert track._run_all([sleepy], [Turn(sleepy, 0, 0, 1, spared=True)])
        assert time.perf_counter() - began < 10
    assert sleepy.retired == "too slow for the time given"


def test_who_has_left_before_any_result_is_passed_over_in_the_next_sweep(track):
    gone = Tally(next(c for c in shelf.classifiers() if c.name == "forest"))
    gone.retired = "too slow for the time given"
    assert track._run_all([gone], [Turn(gone, 1, 0, 2, spared=False)])
    assert not gone.sweeps
