"""Durations as people type them: 60, 60s, 2m, 1h."""

import math
import re

import typer

__all__ = ["parse_duration"]

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_duration(text: str) -> float:
    """Return the seconds that `text` means; a usage error if it means none."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)\s*", text.lower())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not 0 < seconds < math.inf:
        raise typer.BadParameter(
            f"{text!r} is no duration; write for example 60s, 2m or 1h."
        )
    return seconds
