"""Every public class of the models and features, by family, without loading one."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

__all__ = ["families", "room_of"]

FEATURES = "features/__init__.py"


@cache
def families() -> dict[str, tuple[str, ...]]:
    """Return the classes of each family of models, and of the features, by family.

    Examples
    --------
    >>> "RandomForestClassifier" in families()["ensembles"]
    True
    """
    here = Path(__file__).parent
    rooms = [*sorted((here / "models").glob("*/__init__.py")), here / FEATURES]
    listed = {room.parent.name: _classes(room) for room in rooms}
    return {family: names for family, names in listed.items() if names}


def _classes(room: Path) -> tuple[str, ...]:
    """Return the names in ``__all__`` of a room that begin with a capital letter."""
    for node in ast.parse(room.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            named: list[str] = ast.literal_eval(node.value)
            return tuple(name for name in named if name[0].isupper())
    return ()


def room_of(name: str) -> str | None:
    """Return the room that offers a class; None if none does."""
    for family, names in families().items():
        if name in names:
            within = "" if family == Path(FEATURES).parent.name else "models."
            return f"infimum.{within}{family}"
    return None
