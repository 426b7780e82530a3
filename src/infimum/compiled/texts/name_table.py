"""Names found by their bytes, eight at a time: tables of hashes, compared in full."""

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.chains.field_parts import Tokens
from infimum.compiled.chains.lanes import UNSIGNED
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix

__all__ = ["Names", "fill_name_tables", "read_names"]

_ONES, _HIGHS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_FIRST, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xFF51AFD7ED558CCD)
_ONE, _BYTE, _HALF, _TOP = (np.uint64(k) for k in (1, 8, 32, 56))
#: The half of a slot that holds a name's number; the other one is of its hash.
_NUMBER = (1 << 32) - 1


class Names(NamedTuple):
    """All names as bytes, and tables in which keys find theirs."""

    key_ends: Any
    kinds: Any
    letters: Any
    ends: Any
    starts: Any
    slots: Any
    alone: Any


@inner_loop()
def _eight(letters: Indices, start: int) -> Any:
    """Return eight bytes as one number, the first one lowest."""
    at, found = start & UNSIGNED, np.uint64(0)
    for k in range(8):
        found |= np.uint64(letters[at + k]) << np.uint64(8 * k)
    return found


@inner_loop()
def _before_end(eight: Any) -> Any:
    """Return a mask of the bytes before the first one that is 0."""
    zeros = (eight - _ONES) & ~eight & _HIGHS
    return (zeros ^ (zeros - _ONE)) >> _BYTE if zeros else ~np.uint64(0)


@inner_loop()
def _size(mask: Any) -> Any:
    """Return how many bytes a mask keeps."""
    return np.int64(((mask & _ONES) * _ONES) >> _TOP)


@inner_loop()
def _stirred(hashed: Any, eight: Any) -> Any:
    stirred = (hashed ^ eight) * _MIX
    return stirred ^ (stirred >> _HALF)


@inner_loop()
def _name_hash(names: Indices, start: int, stop: int) -> Any:
    """Return the hash of a word that ends where a name does, as `_find` makes it."""
    hashed = _FIRST
    while True:
        eight = np.uint64(0)
        for k in range(min(8, stop - start)):
            eight |= np.uint64(names[start + k]) << np.uint64(8 * k)
        hashed = _stirred(hashed, eight)
        if stop - start < 8:  # noqa: PLR2004
            return np.int64(hashed >> _ONE)
        start += 8


@inner_loop()
def _begins(names: Indices, start: int, stop: int, key: Indices) -> bool:
    """Return whether a name begins with a key."""
    same, k = stop - start >= key.size, 0
    while same and k < key.size:
        same = names[start + k] == key[k]
        k += 1
    return same


@inner_loop()
def _choose(names: Indices, ends: Indices, key: Indices, chosen: Indices) -> int:
    """Fill the numbers of the names that begin with a key; return how many."""
    count = 0
    for k in range(ends.size - 1):
        if _begins(names, ends[k], ends[k + 1], key):
            chosen[count] = k
            count += 1
    return count


@inner_loop()
def _enter(names: Indices, start: int, stop: int, number: int, slots: Indices) -> None:
    """Put a name into a table, by its end."""
    hashed, last = _name_hash(names, start, stop), slots.size - 1
    place = hashed & last
    while slots[place] >= 0:
        place = (place + 1) & last
    slots[place] = (hashed & ~_NUMBER) | number


@loop()
def fill_name_tables(
    keys: Indices, key_ends: Indices, kinds: Indices, names: Indices, ends: Indices
) -> tuple[Indices, Indices, Indices]:
    """Return tables of the keys' names: where each begins, slots, numbers of keys.

    Key j is ``keys[key_ends[j]:key_ends[j + 1]]``, name k likewise. A key of kind -1
    has in its table the names that begin with it; another one may be a name itself,
    and that one's number or -1 is returned. The size of a table is a power of two.
    """
    starts = np.zeros(kinds.size + 1, dtype=np.int64)
    alone, chosen = np.full(kinds.size, -1), np.empty(ends.size, dtype=np.int64)
    slots = np.empty(0, dtype=np.int64)
    for j in range(kinds.size):
        key, size = keys[key_ends[j] : key_ends[j + 1]], 1
        count = _choose(names, ends, key, chosen)
        for k in chosen[:count]:
            if ends[k + 1] - ends[k] == key.size:
                alone[j] = k
        while kinds[j] == -1 and size <= 2 * count:
            size *= 2
        table = np.full(size, -1)
        for k in chosen[: count if kinds[j] == -1 else 0]:
            _enter(names, ends[k] + key.size, ends[k + 1], k, table)
        slots = np.append(slots, table)
        starts[j + 1] = slots.size
    return starts, slots, alone


@inner_loop()
def _same(names: Indices, there: int, letters: Indices, here: int) -> bool:
    """Return whether a word of a text is that of a name of the same size."""
    while True:
        eight = _eight(letters, here)
        mask = _before_end(eight)
        if (eight ^ _eight(names, there)) & mask:
            return False
        if mask != ~np.uint64(0):
            return True
        here, there = here + 8, there + 8


@inner_loop()
def _find(
    letters: Indices, here: int, names: Names, head: int, table: int, last: int
) -> tuple[int, int]:
    """Return the number of the name that is a key of `head` bytes and then a word.

    It is -1 if there is none. The second number is how long the word is.
    """
    (_, _, told, ends, _, slots, _), hashed, at = names, _FIRST, here
    while True:
        eight = _eight(letters, at)
        mask = _before_end(eight)
        hashed = _stirred(hashed, eight & mask)
        at += _size(mask)
        if mask != ~np.uint64(0):
            break
    mixed, size = np.int64(hashed >> _ONE), at - here
    place = mixed & last
    while slots[table + place] >= 0:
        if (slots[table + place] ^ mixed) <= _NUMBER:
            number = slots[table + place] & _NUMBER
            there = ends[number] + head
            if ends[number + 1] - there == size and _same(told, there, letters, here):
                return number, size
        place = (place + 1) & last
    return -1, size


@loop()
def read_names(letters: Indices, numbers: Matrix, names: Names, tokens: Tokens) -> int:
    """Fill the attributes of tokens that all have the same keys; unknown ones left out.

    The values of a key of kind -1 are words of `letters`, token by token, each followed
    by a byte of 0; those of another are the column of `numbers` that its kind is.
    Eight more bytes of 0 end `letters` and those of `names`. Returns how many
    attributes there are, or -1 if the letters are not as many words.
    """
    key_ends, kinds, _, _, starts, _, alone = names
    stops, ids, values = tokens
    at, count = 0, 0
    stops[0] = 0
    for t in range(stops.size - 1):
        for j in range(kinds.size):
            number, value = alone[j], 1.0
            if kinds[j] >= 0:
                value = numbers[t, kinds[j]]
            else:
                number, size = _find(
                    letters, at, names, key_ends[j + 1] - key_ends[j], starts[j],
                    starts[j + 1] - starts[j] - 1,
                )  # fmt: skip
                at += size + 1
            if number >= 0:
                ids[count], values[count] = number, value
                count += 1
        stops[t + 1] = count
    return count if at == letters.size - 8 else -1
