"""The alarm stops a block at its deadline, whatever it rings in."""

import signal
import time

import pytest

from infimum.learn.alarm import TimeUpError, alarm


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
