"""How a job is stopped: by the clock, or by Ctrl-C.

Fits keep their limit of time by themselves (`infimum.limits`); the alarm is for what
does not. It rings in the main thread only, where Python delivers signals. Ctrl-C stops
the whole job, not merely the fit that happens to run: a solver that is interrupted
returns the best point so far, and the next fit would start as if nothing had happened.
"""

import contextlib
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = [
    "CUT_OFF",
    "STOPPED",
    "StopJob",
    "TimeUpError",
    "alarm",
    "in_destructor",
    "listening",
]

_DESTRUCTOR = "__del__"
#: Parts of the names of files whose work must not be broken off.
_HALF_MADE = (
    f"{os.sep}numba{os.sep}",
    f"{os.sep}llvmlite{os.sep}",
    "<frozen importlib",
)


def in_destructor(frame: FrameType | None) -> bool:
    """Whether a signal has interrupted the end of some object, however deep.

    Examples
    --------
    >>> import sys
    >>> in_destructor(sys._getframe())
    False
    """
    return any(each.f_code.co_name == _DESTRUCTOR for each in _callers(frame))


def _must_go_on(frame: FrameType | None) -> bool:
    """Whether nobody would hear a ring here, or it would leave something half made.

    Python forgets what is raised in a destructor. A compiler or an import that is
    broken off leaves registers that are neither empty nor full, for the whole process.
    """
    return in_destructor(frame) or any(
        part in each.f_code.co_filename
        for each in _callers(frame)
        for part in _HALF_MADE
    )


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


#: Files whose code runs between the block and whoever catches the ring.
_DOORS = frozenset({contextlib.__file__, __file__})
#: Seconds after which it rings again: whoever ignores errors may have ignored it.
_AGAIN = 1.0
#: Seconds after which either comes again where nobody could have heard it.
_AT_ONCE = 0.01


class TimeUpError(Exception):
    """The deadline has passed."""


class _Ring(BaseException):
    """The alarm; no solver catches it, unlike Ctrl-C and errors."""


@contextmanager
def alarm(
    deadline: float,
    ring: type[BaseException] = _Ring,
    *,
    unless: Callable[[], bool] | None = None,
) -> Iterator[None]:
    """Stop the block at a moment of `time.perf_counter` with TimeUpError.

    With a `ring` of its own the block deals with that exception itself. `unless` may
    ask for another second whenever it would ring.
    """
    left = deadline - time.perf_counter()
    if not math.isfinite(left) or not _is_free():
        yield
        return
    bell = _Bell(ring, unless)
    signal.signal(signal.SIGALRM, bell.sound)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), _AGAIN)
            yield
        finally:
            # An assignment cannot be interrupted as a call can: from here on a second
            # ring would skip what follows, and ring for ever in somebody else's ears.
            bell.quiet = True
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Ring:
        raise TimeUpError from None
    except SystemError as error:
        # Compiled code may return its result and the alarm at once, which Python
        # takes for a mistake of that code.
        if not isinstance(error.__cause__, ring):
            raise
        raise (TimeUpError if ring is _Ring else ring) from None
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


class _Bell:
    """Raises an exception whenever it sounds, until it is quiet."""

    def __init__(
        self, ring: type[BaseException], unless: Callable[[], bool] | None
    ) -> None:
        self.ring, self.unless = ring, unless
        self.quiet = False

    def sound(self, number: int, frame: FrameType | None) -> None:
        if self.quiet:
            return
        if _must_go_on(frame) or _at_the_door(frame):
            signal.setitimer(signal.ITIMER_REAL, _AT_ONCE, _AGAIN)
        elif self.unless is None or not self.unless():
            raise self.ring


def _at_the_door(frame: FrameType | None) -> bool:
    """Whether a block is just being entered or left, where nobody catches the ring."""
    return frame is not None and frame.f_code.co_filename in _DOORS


def _is_free() -> bool:
    """Whether there is a clock here, and nobody else has set it."""
    if not hasattr(signal, "setitimer"):
        return False
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


class StopJob(BaseException):
    """Ctrl-C was pressed while the job was running."""


#: What Ctrl-C raises, whoever listens.
STOPPED = (KeyboardInterrupt, StopJob)
#: Why something is missing then.
CUT_OFF = "Ctrl-C came first; the same command with --resume goes on with this."


@contextmanager
def listening() -> Iterator[None]:
    """Make Ctrl-C raise `StopJob` inside the block and `KeyboardInterrupt` outside.

    Nothing changes in other threads than the main one, which never see Ctrl-C, or if
    somebody else already listens.
    """
    usual = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or usual is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    except StopJob:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, usual)


def _stop(number: int, frame: FrameType | None) -> None:
    if not _must_go_on(frame):
        raise StopJob
    # Here nobody would hear it; a moment later somebody will.
    threading.Timer(_AT_ONCE, signal.raise_signal, [number]).start()
