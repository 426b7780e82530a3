"""How a run ended, if not by finishing everything."""

from typing import Any

__all__ = ["ending"]

_WORDS = {
    "budget": "The race ended when its time was up; the best so far was taken.",
    "interrupted": "The race was interrupted; the best so far was taken.",
}


def ending(result: dict[str, Any]) -> list[str]:
    """Return a sentence about a run that was cut short, none about a whole one."""
    return [_WORDS[result["ended"]]] if result["ended"] in _WORDS else []
