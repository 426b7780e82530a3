"""The clock of a job, and Ctrl-C: nothing is broken off where it stands.

Fits keep their limit of time by themselves (`infimum.limits`); what does not is ended
with its process (`infimum.learn.worker`). Ctrl-C moves the limit of all fits to now:
the one at work returns, what it has is thrown away, and the job goes on with what was
finished before. Pressed again, it ends the command at once.
"""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType

from infimum.limits import begin_fits, end_fits, fits_are_ended

__all__ = ["CUT_OFF", "Clock", "TimeUpError", "check_pressed", "listening"]

#: Why something is missing after Ctrl-C.
CUT_OFF = "Ctrl-C came first; the same command with --resume goes on with this."


class TimeUpError(Exception):
    """There is no time for this, or there was none."""


class Clock:
    """The seconds of a job, as its budget counts them.

    A resumed run shows at least what the clock of the run before it showed when that
    noted what is read again.

    Examples
    --------
    >>> clock = Clock(began=perf_counter() - 5.0)
    >>> clock.reach(60.0)
    >>> bool(clock.seconds >= 60.0)
    True
    """

    def __init__(self, began: float | None = None) -> None:
        self.began = perf_counter() if began is None else began

    @property
    def seconds(self) -> float:
        """What the clock shows."""
        return perf_counter() - self.began

    def reach(self, seconds: float) -> None:
        """Show at least so many seconds from now on."""
        self.began = min(self.began, perf_counter() - seconds)

    def put_back(self, seconds: float) -> None:
        """Do not count so many seconds that have passed."""
        self.began += seconds

    def moment(self, seconds: float) -> float:
        """Return the moment of ``time.perf_counter`` at which it shows so many."""
        return self.began + seconds if math.isfinite(seconds) else seconds

    def reading(self, moment: float) -> float:
        """Return what it shows at a moment of ``time.perf_counter``."""
        return moment - self.began if math.isfinite(moment) else moment


@contextmanager
def listening() -> Iterator[None]:
    """Let Ctrl-C end the fits of the block first, and the block when pressed again.

    Nothing changes in other threads than the main one, which never see Ctrl-C, or if
    somebody else already listens.
    """
    usual = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or usual is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _pressed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        begin_fits()


def _pressed(number: int, frame: FrameType | None) -> None:
    if fits_are_ended():
        begin_fits()
        raise KeyboardInterrupt
    end_fits()


def check_pressed() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed, and let fits begin again."""
    if fits_are_ended():
        begin_fits()
        raise KeyboardInterrupt
