"""A callback that runs whenever a loop has to be compiled."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

__all__ = ["noticing_compilers"]

_COMPILES = "numba:compile"


class _Ear(event.Listener):
    """Passes on that a loop is being compiled."""

    def __init__(self, notice: Callable[[], None]) -> None:
        self.notice = notice

    def on_start(self, event: Any) -> None:
        self.notice()

    def on_end(self, event: Any) -> None:
        """Nothing to tell."""


@contextmanager
def noticing_compilers(notice: Callable[[], None]) -> Iterator[None]:
    """Call `notice` within the block whenever a loop is not found on the disk.

    It is called by the thread that compiles, before it does.
    """
    compiler: Any = event  # numba has no types
    ear = _Ear(notice)
    compiler.register(_COMPILES, ear)
    try:
        yield
    finally:
        compiler.unregister(_COMPILES, ear)
