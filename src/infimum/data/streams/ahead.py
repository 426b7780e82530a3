"""Items that another thread makes while this one works on those before."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, TypeAlias, TypeVar

__all__ = ["made_ahead"]

Item = TypeVar("Item")
#: An item, or what its maker ended with.
_Entry: TypeAlias = tuple[Any, BaseException | None]
_Waiting: TypeAlias = "Queue[_Entry]"
#: Seconds between two looks whether anybody still wants items.
LOOK = 0.1


def made_ahead(items: Iterator[Item], room: int = 1) -> Iterator[Item]:
    """Yield items in their order; at most `room` of them wait.

    What ends their maker is raised here. Its thread ends when nobody asks any more.
    """
    waiting: _Waiting = Queue(room)
    over = Event()
    maker = Thread(target=_make, args=(items, waiting, over), daemon=True)
    maker.start()
    try:
        while True:
            item, end = waiting.get()
            if isinstance(end, StopIteration):
                return
            if end is not None:
                try:
                    raise end
                finally:  # an error that its own frame holds would hold all others
                    end = None
            yield item
    finally:
        over.set()
        maker.join()


def _make(items: Iterator[Any], waiting: _Waiting, over: Event) -> None:
    try:
        for item in items:
            if not _put((item, None), waiting, over):
                return
        _put((None, StopIteration()), waiting, over)
    except BaseException as error:  # whoever asks for items will raise it
        _put((None, error), waiting, over)


def _put(entry: _Entry, waiting: _Waiting, over: Event) -> bool:
    """Tell whether somebody has taken an entry, or will."""
    while not over.is_set():
        try:
            waiting.put(entry, timeout=LOOK)
        except Full:
            continue
        return True
    return False
