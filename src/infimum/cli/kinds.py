"""Kinds of columns as people type them: ``zip=category,note=text``."""

import re
from collections.abc import Iterable

from infimum.errors import InvalidParameterError

__all__ = ["parse_kinds"]

#: A name may hold commas and even =; the kind is one word.
_PAIR = re.compile(r"\s*(.+?)\s*=\s*(\w+)\s*(?:,|$)")


def parse_kinds(texts: Iterable[str]) -> dict[str, str]:
    """Return kinds by column name; InvalidParameterError for anything else.

    Examples
    --------
    >>> parse_kinds(["zip=category, note=text"])
    {'zip': 'category', 'note': 'text'}
    """
    kinds: dict[str, str] = {}
    for text in texts:
        place = 0
        while place < len(text):
            pair = _PAIR.match(text, place)
            if pair is None:
                raise InvalidParameterError(
                    f"--kinds must be pairs like zip=category,note=text, got {text!r}."
                )
            if kinds.get(pair[1], pair[2]) != pair[2]:
                raise InvalidParameterError(
                    f"--kinds says that column {pair[1]!r} is {kinds[pair[1]]} and "
                    f"{pair[2]}; say one."
                )
            kinds[pair[1]] = pair[2]
            place = pair.end()
    return kinds
