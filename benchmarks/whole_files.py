"""Files that are written whole or not at all."""

from pathlib import Path

__all__ = ["write_whole"]


def write_whole(place: Path, text: str) -> None:
    """Write a text under another name, then put it in place of the old one."""
    new = place.with_name(place.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(place)
