"""Many tokens with the same keys as one text, in which compiled loops find names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import countOf, itemgetter
from typing import Any, NamedTuple

import numpy as np

from infimum.typing import Indices, Matrix

__all__ = ["NameTable", "TokenTexts"]

#: Tokens that are gone through while they are in the nearest cache.
BLOCK = 1000


#: What ends letters, so that eight may be read from any of them on.
END = "\0" * 8


class NameTable:
    """All names as bytes, and tables in which loops find them by key and word."""

    def __init__(self, names: Sequence[str]) -> None:
        self.letters, self.ends = _bytes_of(names)
        self._known: tuple[Any, tuple[Indices, ...]] | None = None

    def tables(self, keys: tuple[str, ...], kinds: Indices) -> Any:
        """Return what loops are given for tokens with these keys."""
        from infimum.compiled.texts.name_table import Names, fill_name_tables

        asked = keys, tuple(kinds.tolist())
        held = self._known
        if held is None or held[0] != asked:
            pairs = zip(*asked, strict=True)
            heads = [key if kind >= 0 else f"{key}:" for key, kind in pairs]
            bytes_of, ends = _bytes_of(heads)
            names = self.letters, self.ends
            found = fill_name_tables(bytes_of, ends, kinds, *names)
            held = self._known = asked, Names(ends, kinds, *names, *found)
        return held[1]


class TokenTexts(NamedTuple):
    """Words of tokens as bytes, numbers in a table, and what their keys are.

    The kind of a key is -1 for words, else the column of its numbers.
    """

    letters: Indices
    numbers: Matrix
    keys: tuple[str, ...]
    kinds: Indices

    @classmethod
    def of(cls, tokens: list[Any]) -> TokenTexts | None:
        """Read tokens; None unless they are dicts of words and numbers, alike in keys.

        Who has as many keys as the first one and lacks none has the same. Keys whose
        first value is a number have numbers everywhere, others words.
        """
        first = tokens[0]
        if type(first) is not dict or not first or set(map(type, first)) != {str}:
            return None
        words = [key for key, value in first.items() if isinstance(value, str)]
        others = [key for key in first if key not in words]
        places = {key: column for column, key in enumerate(others)}
        numbers = np.empty((len(tokens), len(others)))
        try:
            lines = [
                _line(tokens[a : a + BLOCK], words, others, numbers[a : a + BLOCK])
                for a in range(0, len(tokens), BLOCK)
            ]
        except (TypeError, KeyError, OverflowError):
            return None
        if None in lines or not np.isfinite(numbers).all():
            return None
        text = "\0".join([*lines, END]) if words else END  # type: ignore[list-item]
        letters = np.frombuffer(_coded(text), dtype=np.uint8)
        kinds = np.array([places.get(key, -1) for key in first], dtype=np.int64)
        return cls(letters, numbers, tuple(first), kinds)


def _line(
    tokens: list[Any], words: list[str], others: list[str], numbers: Matrix
) -> str | None:
    """Return the words of some tokens, and fill their numbers; None for other kinds."""
    plain = countOf(map(type, tokens), dict)  # others may make keys up
    size = len(words) + len(others)
    if plain < len(tokens) or countOf(map(len, tokens), size) < len(tokens):
        return None
    for column, key in enumerate(others):
        values = [*map(itemgetter(key), tokens)]
        if not {bool, int, float}.issuperset(map(type, values)):
            return None
        numbers[:, column] = np.fromiter(values, np.float64, len(values))
    told = map(itemgetter(*words), tokens) if words else ()
    if len(words) == 1:
        return "\0".join(told)
    return "\0".join(map("\0".join, told))


def _coded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _bytes_of(names: Sequence[str]) -> tuple[Indices, Indices]:
    """Return the bytes of names, and where each begins; the last number is the end."""
    each = [*map(_coded, names)]
    sizes = np.fromiter(chain([0], map(len, each)), np.int64, len(each) + 1)
    letters = np.frombuffer(b"".join([*each, _coded(END)]), dtype=np.uint8)
    return letters, np.cumsum(sizes)
