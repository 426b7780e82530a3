"""Sizes as people type them: 800MB, 8GB."""

import re
from typing import Annotated

import typer

__all__ = ["MaxUnpacked", "parse_size"]

_BYTES = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}

#: The option of every verb that reads a table.
MaxUnpacked = Annotated[
    str | None,
    typer.Option(help="Size a compressed table may unpack to; 2GB by default."),
]


def parse_size(text: str) -> int:
    """Return the bytes that `text` means; a usage error if it means none."""
    found = re.fullmatch(r"\s*(\d{1,6}(?:\.\d*)?|\d+)\s*([kmgt]?b?)\s*", text.lower())
    unit = found[2] if found else ""
    unit += "" if unit in _BYTES else "b"
    size = round(float(found[1]) * _BYTES.get(unit, 1)) if found else 0
    if not 0 < size < 2**63:
        raise typer.BadParameter(f"{text!r} is no size; write for example 500MB, 8GB.")
    return size
