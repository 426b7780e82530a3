"""What is worth keeping of a risk or of a point, one entry a kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["Memory"]

Kept = TypeVar("Kept")


class Memory(dict[type[Any], Any]):
    """Products that are computed once, found again by their class.

    Whoever keeps something declares a class for it, so that its type is known where it
    is found again, and no two files share an entry by accident.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Mean(NamedTuple):
    ...     value: float
    >>> memory = Memory()
    >>> memory.made(Mean, lambda: Mean(2.0)), memory.made(Mean, lambda: Mean(3.0))
    (Mean(value=2.0), Mean(value=2.0))
    >>> memory.pop(Mean), memory.get(Mean)
    (Mean(value=2.0), None)
    """

    __slots__ = ()

    def find(self, kind: type[Kept]) -> Kept | None:
        """Return what is kept of a kind, if anything."""
        found: Kept | None = self.get(kind)
        return found

    def made(self, kind: type[Kept], make: Callable[[], Kept]) -> Kept:
        """Return what is kept of a kind, made the first time it is asked for."""
        found: Kept | None = self.get(kind)
        return self.keep(make()) if found is None else found

    def keep(self, value: Kept) -> Kept:
        """Keep a value in the place of the last one of its kind; return it."""
        self[type(value)] = value
        return value

    def drop(self, kind: type[Kept]) -> Kept | None:
        """Forget what is kept of a kind; return it."""
        found: Kept | None = self.pop(kind, None)
        return found
