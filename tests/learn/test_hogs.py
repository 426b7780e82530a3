"""One slow contender does not use up everybody's time."""

import time

import numpy as np
import pytest

from infimum.learn import contenders as shelf
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
