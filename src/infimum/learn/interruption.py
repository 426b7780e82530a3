"""Ctrl-C that stops the job, not merely the fit that happens to run.

A solver that is interrupted returns the best point so far, which is right for a single
fit and wrong for a race of hundreds: the next fit would start as if nothing had
happened. While the job runs, Ctrl-C raises an exception that no solver catches.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from infimum.learn.destructors import in_destructor

__all__ = ["CUT_OFF", "STOPPED", "StopJob", "listening"]


#: Seconds after which Ctrl-C comes again where nobody could have heard it.
_AT_ONCE = 0.01


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
    if not in_destructor(frame):
        raise StopJob
    # Here nobody would hear it; a moment later somebody will.
    threading.Timer(_AT_ONCE, signal.raise_signal, [number]).start()
