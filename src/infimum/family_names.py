"""Every public class of the models, by family, without loading one."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

__all__ = ["families", "room_of"]


@cache
def families() -> dict[str, tuple[str, ...]]:
    """Return the classes that each family of models offers, family -> names.

    Examples
    --------
    >>> "RandomForestClassifier" in families()["ensembles"]
    True
    """
    rooms = sorted((Path(__file__).parent / "models").glob("*/__init__.py"))
    return {room.parent.name: _classes(room) for room in rooms}


def _classes(room: Path) -> tuple[str, ...]:
    """Return the names in ``__all__`` of a room that begin with a capital letter."""
    for node in ast.parse(room.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            named: list[str] = ast.literal_eval(node.value)
            return tuple(name for name in named if name[0].isupper())
    return ()


def room_of(name: str) -> str | None:
    """Return the room of models that offers a class; None if none does."""
    for family, names in families().items():
        if name in names:
            return f"infimum.models.{family}"
    return None
