"""Rows of a node in boosting: divided, and counted into histograms.

The codes of a row lie side by side, eight features to a word: rows of a small node are
strewn over the table, and each costs one trip to memory. Words are brought together
some rows at a time; then one of them serves eight histograms that stay in the nearest
cache.
"""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import (
    BEND_BITS,
    BENDS,
    BLOCK,
    COUNT_BITS,
    COUNTS,
    SHORT_BITS,
    SLOPES,
)
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop

__all__ = ["divide", "eight_to_a_word", "fill_more", "fill_strip"]

_U = np.uint64
_BYTE = np.uint64(255)
#: Words of a row that are brought together, for so many rows at a time; their lines
#: must not lie a power of 2 apart, or they drive each other out of the cache.
TOGETHER, SOME, APART = 4, 2048, 24
#: Features of a word.
EIGHT = 8


@loop()
def eight_to_a_word(codes: Any, words: Any) -> None:
    """Write the codes of eight features at a time into a row's words."""
    for start in range(0, words.shape[0], BLOCK):
        stop = min(start + BLOCK, words.shape[0])
        for j in range(codes.shape[0]):
            shift, group = np.uint64(8 * (j % 8)), j // 8
            for i in range(start, stop):
                words[i, group] |= np.uint64(codes[j, i]) << shift


@loop()
def divide(codes: Any, goes_left: Any, rows: Any, spare: Any, span: Any) -> Any:
    """Move the rows of a span that go left before the others; return where those begin.

    Both sides keep their order.
    """
    at, rest = _U(span[0]), _U(0)
    for t in range(_U(span[0]), _U(span[1])):
        i = rows[t]
        rows[at] = i
        spare[rest] = i
        left = _U(goes_left[_U(codes[_U(i)])])
        at += left
        rest += _U(1) - left
    for t in range(rest):
        rows[at + t] = spare[t]
    return np.int64(at)


@inner_loop()
def _gather(words: Any, rows: Any, first: Any, some: Any) -> None:
    """Write four words of some rows, from `first` on, a line for each word."""
    at = _U(first)
    a, b, c, d = some[0], some[1], some[2], some[3]
    for t in range(_U(rows.size)):
        i = _U(rows[t])
        a[t] = words[i, at]
        b[t] = words[i, at + _U(1)]
        c[t] = words[i, at + _U(2)]
        d[t] = words[i, at + _U(3)]


@inner_loop()
def _gather_all(words: Any, rows: Any, first: Any, groups: Any, some: Any) -> None:
    if groups == TOGETHER:
        _gather(words, rows, first, some)
        return
    for group in range(groups):
        at = _U(first + group)
        for t in range(_U(rows.size)):
            some[group, t] = words[_U(rows[t]), at]


@inner_loop()
def _spread(packed: Any, rows: Any, values: Any) -> None:
    """Write slope, curvature and count of some rows, with room to add them up."""
    for t in range(_U(rows.size)):
        short = np.int64(packed[_U(rows[t])])
        slope, bend = short >> SHORT_BITS, short & ((1 << SHORT_BITS) - 1)
        values[t] = (slope << (COUNT_BITS + BEND_BITS)) + (bend << COUNT_BITS) + 1


@inner_loop()
def _add_four(
    column: Any, shift: Any, values: Any, size: Any, block: Any, stride: Any
) -> None:
    a, b, c = _U(stride), _U(2 * stride), _U(3 * stride)
    for t in range(_U(size)):
        value, x = values[t], column[t] >> _U(shift)
        block[x & _BYTE] += value
        block[a + ((x >> _U(8)) & _BYTE)] += value
        block[b + ((x >> _U(16)) & _BYTE)] += value
        block[c + ((x >> _U(24)) & _BYTE)] += value


@inner_loop()
def _add_eight(column: Any, values: Any, size: Any, block: Any, stride: Any) -> None:
    a, b, c, d = _U(stride), _U(2 * stride), _U(3 * stride), _U(4 * stride)
    e, f, g = _U(5 * stride), _U(6 * stride), _U(7 * stride)
    for t in range(_U(size)):
        value, x = values[t], column[t]
        block[x & _BYTE] += value
        block[a + ((x >> _U(8)) & _BYTE)] += value
        block[b + ((x >> _U(16)) & _BYTE)] += value
        block[c + ((x >> _U(24)) & _BYTE)] += value
        block[d + ((x >> _U(32)) & _BYTE)] += value
        block[e + ((x >> _U(40)) & _BYTE)] += value
        block[f + ((x >> _U(48)) & _BYTE)] += value
        block[g + (x >> _U(56))] += value


@inner_loop()
def _unpack(block: Any, counts: Any, bends: Any, slopes: Any) -> None:
    """Add packed sums to those in full, and clear them."""
    for k in range(counts.size):
        value = block[k]
        counts[k] += value & ((1 << COUNT_BITS) - 1)
        bends[k] += (value >> COUNT_BITS) & ((1 << BEND_BITS) - 1)
        slopes[k] += value >> (COUNT_BITS + BEND_BITS)
        block[k] = 0


@inner_loop()
def _add_word(
    column: Any, word: Any, strip: Any, values: Any, size: Any, block: Any, stride: Any
) -> None:
    """Add to the features of a word that lie in a strip: all, or four of them."""
    low, high = _own_features(word, strip)
    if high - low == EIGHT:
        _add_eight(column, values, size, block, stride)
    else:
        _add_four(column, 8 * (low % 8), values, size, block, stride)


@inner_loop()
def _own_features(word: Any, strip: Any) -> Any:
    return max(8 * word, strip[0]), min(8 * word + 8, -(-strip[1] // 4) * 4)


@inner_loop()
def _fill_packed(
    words: Any, rows: Any, packed: Any, stride: Any, strip: Any, planes: Any
) -> None:
    blocks, values = (
        np.zeros((TOGETHER, 8 * stride), np.int64),
        np.empty(SOME, np.int64),
    )
    some = np.empty((TOGETHER, SOME + APART), np.uint64)
    last = -(-strip[1] // 8)
    for first in range(strip[0] // 8, last, TOGETHER):
        groups = min(TOGETHER, last - first)
        for begin in range(0, rows.size, SOME):
            mine = rows[begin : begin + SOME]
            _gather_all(words, mine, first, groups, some)
            _spread(packed, mine, values)
            for group in range(groups):
                _add_word(some[group], first + group, strip, values, mine.size,
                          blocks[group], stride)  # fmt: skip
            if (begin + SOME) % BLOCK == 0 or begin + SOME >= rows.size:
                for group in range(groups):
                    low, high = _own_features(first + group, strip)
                    own = slice(low * stride, high * stride)
                    _unpack(
                        blocks[group],
                        planes[COUNTS, own],
                        planes[BENDS, own],
                        planes[SLOPES, own],
                    )


@inner_loop()
def _fill_wide(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, strip: Any, planes: Any
) -> None:
    values, last = np.empty(SOME, np.int64), -(-strip[1] // 8)
    some = np.empty((TOGETHER, SOME + APART), np.uint64)
    for first in range(strip[0] // 8, last, TOGETHER):
        groups = min(TOGETHER, last - first)
        for begin in range(0, rows.size, SOME):
            mine = rows[begin : begin + SOME]
            _gather_all(words, mine, first, groups, some)
            for plane in range(planes.shape[0]):
                _take(plane, mine, slopes, fine, values)
                for group in range(groups):
                    low, high = _own_features(first + group, strip)
                    block = planes[plane, low * stride : high * stride]
                    _add_word(some[group], first + group, strip, values, mine.size,
                              block, stride)  # fmt: skip


@inner_loop()
def _take(plane: Any, rows: Any, slopes: Any, fine: Any, values: Any) -> None:
    """Write what some rows add to a plane."""
    if plane == COUNTS and fine.shape[0] == 1:
        values[: rows.size] = 1
        return
    line = slopes if plane == SLOPES else fine[1 if plane == COUNTS else 0]
    for t in range(_U(rows.size)):
        values[t] = line[_U(rows[t])]


@inner_loop()
def fill_strip(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, strip: Any, planes: Any
) -> None:
    """Add some rows to the histograms of a strip of features.

    A strip begins at a multiple of four, and ends there or with the last feature.
    """
    if fine.shape[0]:
        _fill_wide(words, rows, slopes, fine, stride, strip, planes)
    else:
        _fill_packed(words, rows, slopes.view(np.int32), stride, strip, planes)


@loop()
def fill_more(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, planes: Any
) -> None:
    """Add some rows to the histograms: counts, curvatures and slopes by bin.

    `fine` has a line of curvatures, and one of copies where rows stand for several.
    Without lines, `slopes` is the memory of short words, a slope and a curvature in
    each: the same type, or all that calls this would be compiled twice.
    """
    strip = np.int64(0), np.int64(planes.shape[1] // stride)
    fill_strip(words, rows, slopes, fine, stride, strip, planes)
