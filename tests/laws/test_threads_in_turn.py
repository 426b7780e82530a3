"""Threads that take many short steps together, and end together."""

import threading

import numpy as np
import pytest

from infimum.compiled.threads import (
    alongside,
    cores,
    free_cores,
    in_parts,
    side_by_side,
)
from infimum.compiled.turns import announce, wait_for


def count_in_turn(clock, mine, other, numbers, steps):
    """Add 1 to what the other thread has written last, a step at a time."""
    for step in range(steps):
        wait_for(clock, other, step + mine // 8)
        numbers[0] += 1
        announce(clock, mine, step + 1)


def test_loops_that_wait_for_each_other_see_what_the_other_wrote():
    clock, numbers = np.zeros(16, dtype=np.int64), np.zeros(1, dtype=np.int64)
    alongside(
        2,
        lambda: count_in_turn(clock, 0, 8, numbers, 500),
        lambda _: count_in_turn(clock, 8, 0, numbers, 500),
    )
    assert numbers[0] == 1000
    assert clock[0] == clock[8] == 500


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_all_parts_run_at_once_and_are_over_at_the_end(parts):
    meeting, met = threading.Barrier(parts, timeout=20.0), []

    def come(part):
        meeting.wait()
        met.append(part)

    alongside(parts, lambda: come(0), come)
    assert sorted(met) == list(range(parts))


def test_a_failure_on_another_thread_is_raised_here_and_ends_all():
    before = threading.active_count()

    def fail(part):
        raise ArithmeticError(f"part {part}")

    with pytest.raises(ArithmeticError, match="part 1"):
        alongside(2, lambda: None, fail)
    assert threading.active_count() <= before


def test_work_within_shared_work_stays_on_its_thread():
    def nested(rows):
        seen = set()
        side_by_side(2, lambda _: seen.add(threading.get_ident()))
        return len(seen), free_cores()

    assert in_parts(4, nested, parts=4) == [(1, 1)] * 4
    assert free_cores() == cores() >= 1
