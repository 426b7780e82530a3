"""The alarm stops a block at its deadline, whatever it rings in."""

import contextlib
import signal
import time

import pytest

from infimum.learn.stopping import TimeUpError, alarm, listening


class LateError(Exception):
    """A ring of one's own."""


def wait(seconds=5.0):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def compiled():
    """Behave like machine code that returns a result although the alarm rang."""
    try:
        wait()
    except BaseException as rung:
        raise SystemError("returned a result with an exception set") from rung


class Slow:
    """Something that takes its time to go."""

    def __init__(self, going):
        self.going = going

    def __del__(self):
        self.going()


def throw_away(going):
    Slow(going)
    wait()


def soon():
    return time.perf_counter() + 0.02


@pytest.mark.parametrize("work", [wait, compiled])
def test_a_block_is_stopped_at_its_deadline(work):
    with pytest.raises(TimeUpError), alarm(soon()):
        work()


@pytest.mark.parametrize("work", [wait, compiled])
def test_a_ring_of_ones_own_is_what_is_raised(work):
    with pytest.raises(LateError), alarm(soon(), LateError):
        work()


def test_mistakes_of_compiled_code_stay_what_they_are():
    with pytest.raises(SystemError, match="broken"), alarm(soon()):
        raise SystemError("broken")


def test_a_second_ring_on_the_way_out_is_not_heard(monkeypatch):
    set_timer = signal.setitimer

    def ringing(which, seconds, *again):
        if seconds == 0:
            signal.raise_signal(signal.SIGALRM)
        return set_timer(which, seconds, *again)

    monkeypatch.setattr(signal, "setitimer", ringing)
    with pytest.raises(TimeUpError), alarm(soon()):
        wait()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_a_block_that_is_done_in_time_is_left_alone():
    with alarm(soon()):
        done = True
    wait(0.05)
    assert done


def test_an_alarm_that_rings_while_an_object_goes_rings_again():
    # What is raised there is printed and forgotten, which the tests take for an error.
    began = time.perf_counter()
    with pytest.raises(TimeUpError), alarm(soon()):
        throw_away(lambda: wait(0.1))
    assert time.perf_counter() - began < 0.6


def test_an_alarm_that_rings_on_the_way_out_does_not_get_away():
    # As if the bell had sounded on the first line of what leaves a block.
    code = compile("signal.raise_signal(14)", contextlib.__file__, "exec")
    passed = []

    def through_the_door():
        exec(code, {"signal": signal})
        passed.append(True)
        wait(1.0)

    began = time.perf_counter()
    with pytest.raises(TimeUpError), alarm(began + 30):
        through_the_door()
    assert passed
    assert time.perf_counter() - began < 0.6


def test_ctrl_c_while_an_object_goes_is_not_lost():
    def pressed():
        signal.raise_signal(signal.SIGINT)
        wait(0.02)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), listening():
            throw_away(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("where", ["/x/numba/core/base.py", "<frozen importlib>"])
def test_a_compiler_and_an_import_are_not_broken_off(where):
    done, space = [], {}
    exec(compile("def work(wait): wait()", where, "exec"), space)

    def whole():
        space["work"](lambda: wait(0.2))
        done.append("whole")
        wait()

    with pytest.raises(TimeUpError), alarm(soon()):
        whole()
    assert done == ["whole"]
