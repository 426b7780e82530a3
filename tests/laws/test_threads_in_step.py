"""Threads that take many short steps together, and end together."""

import threading

import pytest

from infimum.compiled.threads import cores, in_parts, in_step, side_by_side


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_every_part_is_done_once_before_each_settlement(parts):
    done, sums = [0] * parts, []

    def work(part):
        done[part] += part + 1

    def settle():
        sums.append(sum(done))
        return len(sums) < 40

    in_step(parts, work, settle)
    each = parts * (parts + 1) // 2
    assert sums == [each * (turn + 1) for turn in range(40)]


def test_a_failure_on_another_thread_is_raised_here_and_ends_all():
    before = threading.active_count()

    def work(part):
        if part == 1:
            raise ArithmeticError("part 1")

    with pytest.raises(ArithmeticError, match="part 1"):
        in_step(2, work, lambda: True)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and "_follow" in thread.name:
            thread.join(5.0)
    assert threading.active_count() <= before


def test_steps_within_shared_work_stay_on_their_thread():
    def nested(rows):
        seen = set()
        turns = iter(range(3))
        in_step(
            3,
            lambda _: seen.add(threading.get_ident()),
            lambda: next(turns) < 2,
        )
        side_by_side(2, lambda _: seen.add(threading.get_ident()))
        return len(seen)

    assert in_parts(4, nested, parts=4) == [1, 1, 1, 1]
    assert cores() >= 1
