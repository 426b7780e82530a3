"""Bundles: attributes that always come together are added up once, not at each token.

A word has its ending, its shape, its length wherever it stands: what the word implies
is one row of scores. Sums over tokens stay exactly what they are.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Vector

__all__ = ["add_members", "bundles", "share_out"]

#: Tokens of more attributes are left as they are.
MOST = 60


@inner_loop()
def _stamp(
    low: int, high: int, ids: Indices, values: Vector, stamps: Indices, t: int
) -> None:
    """Mark the attributes that a token has once and with value 1."""
    for e in range(low, high):
        once = stamps[ids[e]] != t and stamps[ids[e]] != -2 - t
        stamps[ids[e]] = t if once and values[e] == 1.0 else -2 - t


@inner_loop()
def _here(start: int, left: int, ids: Indices, stamps: Indices, t: int) -> int:
    """Return the bits of those members that this token has too."""
    place = 0
    while left >> place:
        if left >> place & 1 and stamps[ids[start + place]] != t:
            left &= ~(1 << place)
        place += 1
    return left


@inner_loop()
def _implied(tokens: Indices, ids: Indices, values: Vector, size: int) -> Indices:
    """Return the first token of each attribute, and bits: what else is always there.

    An attribute that is met in one token, or twice in one, or not with value 1, implies
    nothing.
    """
    first, bits = np.full(size, -1), np.zeros(size, dtype=np.int64)
    again, stamps = np.zeros(size, dtype=np.bool_), np.full(size, -1)
    for t in range(tokens.size - 1):
        low, high = tokens[t], tokens[t + 1]
        _stamp(low, high, ids, values, stamps, t)
        for e in range(low, high):
            a = ids[e]
            again[a] = first[a] >= 0
            if first[a] < 0:
                first[a] = t
                bits[a] = (1 << (high - low)) - 1 if high - low <= MOST else 0
            if stamps[a] == t and high - low <= MOST:
                bits[a] = _here(tokens[first[a]], bits[a], ids, stamps, t)
            else:
                bits[a] = 0
    for a in range(size):
        if not again[a] or bits[a] & (bits[a] - 1) == 0:
            bits[a] = 0
    return np.concatenate((first, bits))


@inner_loop()
def _fits(start: int, left: int, ids: Indices, covered: Indices, t: int) -> bool:
    """Say whether no member of a bundle is covered in this token; then cover them."""
    place = 0
    while left >> place:
        if left >> place & 1 and covered[ids[start + place]] == t:
            return False
        place += 1
    place = 0
    while left >> place:
        if left >> place & 1:
            covered[ids[start + place]] = t
        place += 1
    return True


@inner_loop()
def _width(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@inner_loop()
def _widest_first(
    low: int, high: int, ids: Indices, widths: Indices, order: Indices
) -> int:
    """Fill `order` with the attributes that imply others; return how many there are."""
    count = 0
    for e in range(low, high):
        wide = widths[ids[e]]
        if wide > 0:
            place = count
            while place > 0 and widths[ids[order[place - 1]]] < wide:
                order[place] = order[place - 1]
                place -= 1
            order[place] = e
            count += 1
    return count


@inner_loop()
def _enrol(start: int, left: int, ids: Indices, members: Indices, put: int) -> int:
    """Write the members of a bundle; return where the next one begins."""
    place = 0
    while left >> place:
        if left >> place & 1:
            members[put] = ids[start + place]
            put += 1
        place += 1
    return put


@loop()
def bundles(
    tokens: Indices, ids: Indices, values: Vector, size: int
) -> tuple[Indices, Indices, Vector, Indices, Indices]:
    """Return tokens, ids and values with bundles for what comes together.

    Bundles have the ids from `size` on; the members of the k-th stand from ``heads[k]``
    on in `members`. Values of 0 are left out. Wider bundles are taken first.
    """
    told = _implied(tokens, ids, values, size)
    first, bits = told[:size], told[size:]
    widths = np.array([_width(each) for each in bits])
    names, covered = np.full(size, -1), np.full(size, -1)
    ends, fresh, amounts = (
        np.zeros_like(tokens),
        np.empty_like(ids),
        np.empty_like(values),
    )
    heads = np.zeros(size + 1, dtype=np.int64)
    members, order = np.empty(widths.sum(), np.int64), np.empty(MOST, np.int64)
    used = made = 0
    for t in range(tokens.size - 1):
        low, high = tokens[t], tokens[t + 1]
        for k in range(_widest_first(low, high, ids, widths, order)):
            a = ids[order[k]]
            if _fits(tokens[first[a]], bits[a], ids, covered, t):
                if names[a] < 0:
                    names[a], put, made = made, heads[made], made + 1
                    heads[made] = _enrol(tokens[first[a]], bits[a], ids, members, put)
                fresh[used], amounts[used], used = size + names[a], 1.0, used + 1
        for e in range(low, high):
            if values[e] != 0.0 and covered[ids[e]] != t:
                fresh[used], amounts[used], used = ids[e], values[e], used + 1
        ends[t + 1] = used
    kept = heads[made]
    return ends, fresh[:used], amounts[:used], heads[: made + 1], members[:kept]


@loop()
def add_members(
    heads: Indices, members: Indices, starts: Indices, labels: Indices, slots: Vector
) -> None:
    """Fill the slots of bundles, which follow those of attributes, with sums."""
    size = starts.size - heads.size
    for k in range(heads.size - 1):
        row = slots[starts[size + k] : starts[size + k + 1]]
        row[:] = 0.0
        for m in range(heads[k], heads[k + 1]):
            a = members[m]
            for p in range(starts[a], starts[a + 1]):
                row[labels[p]] += slots[p]


@loop()
def share_out(
    heads: Indices, members: Indices, starts: Indices, labels: Indices, counts: Vector
) -> None:
    """Add the counts of bundles to those of their members."""
    size = starts.size - heads.size
    for k in range(heads.size - 1):
        row = counts[starts[size + k] : starts[size + k + 1]]
        for m in range(heads[k], heads[k + 1]):
            a = members[m]
            for p in range(starts[a], starts[a + 1]):
                counts[p] += row[labels[p]]
