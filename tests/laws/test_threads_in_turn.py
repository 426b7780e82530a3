"""Threads that take many short steps together, and end together."""

import os
import threading
import warnings

import numpy as np
import pytest

from infimum.compiled.spin_wait import announce, wait_for
from infimum.compiled.threads import (
    _libraries,
    _OneBlasThread,
    _set_threads,
    alongside,
    cores,
    free_cores,
    in_parts,
    one_blas_thread,
    side_by_side,
)


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


def in_a_child(question):
    """Return a small whole number that a forked child has found out."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Newer interpreters warn of what is tested here: a fork among threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        answer = 255
        try:
            answer = question()
        finally:
            os.write(writing, bytes([answer]))
            os._exit(0)
    os.close(writing)
    answer = os.read(reading, 1)
    os.close(reading)
    os.waitpid(child, 0)
    return answer[0]


@pytest.fixture
def two_threads():
    """BLAS on two threads, so that one is fewer."""
    libraries = _libraries()
    before = [library.get_num_threads() for library in libraries]
    for library in libraries:
        _set_threads(library, 2)
    yield lambda: max(library.get_num_threads() for library in libraries)
    for library, threads in zip(libraries, before, strict=True):
        _set_threads(library, threads)


def test_the_last_to_leave_sets_back_whoever_came_first(two_threads):
    entered, over = threading.Event(), threading.Event()

    def stay():
        with one_blas_thread():
            entered.set()
            over.wait(20.0)

    other = threading.Thread(target=stay)
    with one_blas_thread():
        other.start()
        entered.wait(20.0)
    assert two_threads() == 1
    over.set()
    other.join()
    assert two_threads() == 2


def test_a_child_is_free_of_what_other_threads_were_in(two_threads):
    entered, over = threading.Event(), threading.Event()

    def stay():
        with one_blas_thread():
            entered.set()
            over.wait(20.0)

    def count_again():
        free = two_threads()
        with one_blas_thread():
            alone = two_threads()
        return 100 * free + 10 * alone + two_threads()

    other = threading.Thread(target=stay)
    other.start()
    entered.wait(20.0)
    assert two_threads() == 1
    found = in_a_child(count_again)
    over.set()
    other.join()
    assert found == 212
    assert two_threads() == 2


def test_a_child_is_still_in_what_its_own_thread_is_in(two_threads):
    context = one_blas_thread()

    def leave():
        alone = two_threads()
        context.__exit__(None, None, None)
        return 10 * alone + two_threads()

    with context:
        found = in_a_child(leave)
        assert two_threads() == 1
    assert found == 12
    assert two_threads() == 2


def test_who_could_not_enter_is_not_inside(monkeypatch):
    class Refuses:
        def get_num_threads(self):
            raise OSError("no such library")

    context = _OneBlasThread()
    with monkeypatch.context() as patch:
        patch.setattr("infimum.compiled.threads._libraries", lambda: [Refuses()])
        with pytest.raises(OSError, match="no such library"):
            context.__enter__()
    with context:
        assert context.inside == 1
    assert context.inside == 0
