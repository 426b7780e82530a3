"""Words, pairs of words and pieces of words of a text, counted in numbered buckets."""

from typing import Any

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Vector

__all__ = ["count_buckets", "fill_buckets"]

_SPACE = np.uint64(32)
_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_MIX, _HALF, _TOP = np.uint64(0xFF51AFD7ED558CCD), np.uint64(33), np.uint64(63)
#: What keeps a word, a pair of words and a piece of a word apart.
_WORD, _PAIR, _PIECE = np.uint64(1), np.uint64(2), np.uint64(3)


@loop()
def count_buckets(
    letters: Indices, starts: Indices, buckets: int, shortest: int, longest: int
) -> Indices:
    """Return how many buckets every text touches.

    `letters` are the code points of all texts one after the other, with 32 for
    whatever is no part of a word; text i is ``letters[starts[i]:starts[i + 1]]``.
    """
    sums, seen = np.zeros(buckets), np.zeros(buckets, dtype=np.bool_)
    touched = np.empty(buckets, dtype=np.int64)
    counts = np.empty(len(starts) - 1, dtype=np.int64)
    for text in range(len(starts) - 1):
        counts[text] = _add_up(
            letters, starts[text], starts[text + 1], shortest, longest,
            sums, seen, touched,
        )  # fmt: skip
        _forget(sums, seen, touched, counts[text])
    return counts


@loop()
def fill_buckets(
    letters: Indices,
    starts: Indices,
    buckets: int,
    shortest: int,
    longest: int,
    places: Indices,
    columns: Indices,
    values: Vector,
) -> None:
    """Write the buckets that text i touches, and their sums, from ``places[i]`` on."""
    sums, seen = np.zeros(buckets), np.zeros(buckets, dtype=np.bool_)
    touched = np.empty(buckets, dtype=np.int64)
    for text in range(len(starts) - 1):
        count = _add_up(
            letters, starts[text], starts[text + 1], shortest, longest,
            sums, seen, touched,
        )  # fmt: skip
        touched[:count].sort()
        for k in range(count):
            columns[places[text] + k] = touched[k]
            values[places[text] + k] = sums[touched[k]]
        _forget(sums, seen, touched, count)


@inner_loop()
def _add_up(
    letters: Indices,
    start: int,
    stop: int,
    shortest: int,
    longest: int,
    sums: Vector,
    seen: Any,
    touched: Indices,
) -> int:
    """Add the signs of all pieces of one text to their buckets."""
    count, before, i = 0, np.uint64(0), start
    while i < stop:
        if letters[i] == _SPACE:
            i += 1
            continue
        end = i
        word = _OFFSET ^ _WORD
        while end < stop and letters[end] != _SPACE:
            word = (word ^ np.uint64(letters[end])) * _PRIME
            end += 1
        count = _put(word, sums, seen, touched, count)
        if before:
            pair = ((before * _PRIME) ^ word ^ _PAIR) * _PRIME
            count = _put(pair, sums, seen, touched, count)
        before = word
        # A space at either end tells beginnings and endings from the middle.
        for first in range(i - 1, end):
            piece = _OFFSET ^ _PIECE
            for k in range(first, min(first + longest, end + 1)):
                inside = i <= k < end
                letter = np.uint64(letters[k]) if inside else _SPACE
                piece = (piece ^ letter) * _PRIME
                if k - first + 1 >= shortest:
                    count = _put(piece, sums, seen, touched, count)
        i = end
    return count


@inner_loop()
def _put(name: Any, sums: Vector, seen: Any, touched: Indices, count: int) -> int:
    """Add one sign to one bucket; the name's own bits say which."""
    mixed = (name ^ (name >> _HALF)) * _MIX
    mixed ^= mixed >> _HALF
    bucket = np.int64(mixed % np.uint64(len(sums)))
    sums[bucket] += 1.0 if mixed >> _TOP else -1.0
    if not seen[bucket]:
        seen[bucket] = True
        touched[count] = bucket
        count += 1
    return count


@inner_loop()
def _forget(sums: Vector, seen: Any, touched: Indices, count: int) -> None:
    for k in range(count):
        sums[touched[k]] = 0.0
        seen[touched[k]] = False
