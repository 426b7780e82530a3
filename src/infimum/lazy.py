"""Rooms whose names are loaded on demand.

A room lists what it offers in its ``if TYPE_CHECKING:`` block, as imports that checkers
and readers see and Python skips. Asking for a name loads its file and what that needs.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["load_on_demand"]


class _Room(ModuleType):
    """A room whose functions are not hidden by the files they are named after.

    Python sets a file that was loaded as an attribute of its room; where the room
    offers a function of the same name, the function is meant.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in self.__dict__["_offers"]):
            super().__setattr__(name, value)


def load_on_demand(
    room: str, otherwise: Callable[[str], Any] | None = None
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a room; `otherwise` is asked for other names."""
    here = sys.modules[room]
    offers = here.__dict__["_offers"] = _offers(Path(str(here.__file__)))
    here.__class__ = _Room

    def find(name: str) -> Any:
        if name in offers:
            place, original = offers[name]
            found = getattr(import_module(place), original)
            here.__dict__[name] = found
            return found
        if otherwise is not None:
            return otherwise(name)
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return find


def _offers(file: Path) -> dict[str, tuple[str, str]]:
    """Return the names that a room's checkers see, with the file of each."""
    blocks = [
        each
        for each in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(each, ast.If)
        and isinstance(each.test, ast.Name)
        and each.test.id == "TYPE_CHECKING"
    ]
    return {
        each.asname or each.name: (str(node.module), each.name)
        for block in blocks
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
