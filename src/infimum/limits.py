"""A limit of time that every fit inside a block keeps by itself.

Whatever iterates looks at the clock between two steps: solvers between two iterates,
boosting between two rounds, forests between two trees. What is there then is the model.
`end_fits` ends all of them at once, as if the time of each were up; so does Ctrl-C in a
block that is `listening`: the fit at work returns, and the block goes on with what was
finished before. Pressed again, it ends the command at once.
"""

import math
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from types import FrameType
from typing import TypeVar

__all__ = [
    "begin_fits",
    "check_pressed",
    "end_after",
    "end_fits",
    "end_of_time",
    "fits_are_ended",
    "in_time",
    "listening",
    "time_is_up",
    "time_limit",
]


Step = TypeVar("Step")

_END: ContextVar[float] = ContextVar("end", default=math.inf)
_ENDED = Event()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the fits of a block after so many seconds, each with its best so far.

    A limit inside another cannot be longer than that.

    Examples
    --------
    >>> with time_limit(60.0):
    ...     time_is_up()
    False
    >>> with time_limit(0.0):
    ...     time_is_up()
    True
    """
    token = _END.set(min(_END.get(), time.perf_counter() + seconds))
    try:
        yield
    finally:
        _END.reset(token)


def end_of_time() -> float:
    """Return the moment of ``time.perf_counter`` at which fits have to end.

    Threads do not inherit it: ask before they start.
    """
    return -math.inf if _ENDED.is_set() else _END.get()


def end_after(seconds: float | None) -> float:
    """Return the moment after so many seconds, or the end of the block if it is sooner.

    Examples
    --------
    >>> with time_limit(60.0):
    ...     end_after(None) == end_after(1000.0) == end_of_time()
    True
    """
    mine = math.inf if seconds is None else time.perf_counter() + seconds
    return min(mine, end_of_time())


def time_is_up() -> bool:
    """Tell whether the limit of the block has passed."""
    if _ENDED.is_set():
        return True
    end = _END.get()
    return end < math.inf and time.perf_counter() >= end


def in_time(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the first of some steps, and others until the limit of the block.

    Examples
    --------
    >>> with time_limit(0.0):
    ...     list(in_time(range(1, 100)))
    [1]
    """
    for place, step in enumerate(steps):
        if place and time_is_up():
            return
        yield step


def end_fits() -> None:
    """Have all fits of the process end with their best so far, until `begin_fits`.

    Examples
    --------
    >>> end_fits()
    >>> time_is_up()
    True
    >>> begin_fits()
    >>> time_is_up()
    False
    """
    _ENDED.set()


def begin_fits() -> None:
    """Have fits begin again, each with the time of its block."""
    _ENDED.clear()


def fits_are_ended() -> bool:
    """Tell whether fits are to end whatever their time."""
    return _ENDED.is_set()


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
