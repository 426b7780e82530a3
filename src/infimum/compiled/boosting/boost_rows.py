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

__all__ = ["divide", "eight_to_a_word", "fill", "fill_more"]

_U = np.uint64
_BYTE = np.uint64(255)
#: Words of a row that are brought together, for so many rows at a time; their lines
#: must not lie a power of 2 apart, or they drive each other out of the cache.
TOGETHER, SOME, APART = 4, 2048, 24


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
def _add_four(column: Any, values: Any, size: Any, block: Any, stride: Any) -> None:
    a, b, c = _U(stride), _U(2 * stride), _U(3 * stride)
    for t in range(_U(size)):
        value, x = values[t], column[t]
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
def _fill_packed(words: Any, rows: Any, packed: Any, stride: Any, planes: Any) -> None:
    width, all_bins = 8 * stride, planes.shape[1]
    blocks, values = np.zeros((TOGETHER, width), np.int64), np.empty(SOME, np.int64)
    some = np.empty((TOGETHER, SOME + APART), np.uint64)
    for first in range(0, -(-all_bins // width), TOGETHER):
        start = first * width
        groups = min(TOGETHER, -(-(all_bins - start) // width))
        for begin in range(0, rows.size, SOME):
            mine = rows[begin : begin + SOME]
            _gather_all(words, mine, first, groups, some)
            _spread(packed, mine, values)
            for group in range(groups):
                block, size = blocks[group], mine.size
                if start + group * width + width > all_bins:
                    _add_four(some[group], values, size, block, stride)
                else:
                    _add_eight(some[group], values, size, block, stride)
            if (begin + SOME) % BLOCK == 0 or begin + SOME >= rows.size:
                for group in range(groups):
                    low = start + group * width
                    high = min(low + width, all_bins)
                    _unpack(
                        blocks[group],
                        planes[COUNTS, low:high],
                        planes[BENDS, low:high],
                        planes[SLOPES, low:high],
                    )


@inner_loop()
def _fill_copies(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, planes: Any
) -> None:
    bends, copies = fine[0], fine[1]
    for feature in range(planes.shape[1] // stride):
        start, shift, word = _U(feature * stride), _U(8 * (feature % 8)), feature // 8
        for t in range(rows.size):
            i = _U(rows[t])
            at = start + ((words[i, word] >> shift) & _BYTE)
            planes[COUNTS, at] += copies[i]
            planes[BENDS, at] += bends[i]
            planes[SLOPES, at] += slopes[i]


@inner_loop()
def _fill_wide(
    words: Any, rows: Any, slopes: Any, bends: Any, stride: Any, planes: Any
) -> None:
    for feature in range(planes.shape[1] // stride):
        start, shift, word = _U(feature * stride), _U(8 * (feature % 8)), feature // 8
        for t in range(rows.size):
            i = _U(rows[t])
            at = start + ((words[i, word] >> shift) & _BYTE)
            planes[COUNTS, at] += 1
            planes[BENDS, at] += bends[i]
            planes[SLOPES, at] += slopes[i]


@inner_loop()
def _fill_any(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, planes: Any
) -> None:
    if fine.shape[0] > 1:
        _fill_copies(words, rows, slopes, fine, stride, planes)
    elif fine.shape[0] == 1:
        _fill_wide(words, rows, slopes, fine[0], stride, planes)
    else:
        _fill_packed(words, rows, slopes.view(np.int32), stride, planes)


@loop()
def fill(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, planes: Any
) -> None:
    """Write the histograms of some rows: counts, curvatures and slopes by bin.

    `fine` has a line of curvatures, and one of copies where rows stand for several.
    Without lines, `slopes` is the memory of short words, a slope and a curvature in
    each: the same type, or all that calls this would be compiled twice.
    """
    planes[:] = 0
    _fill_any(words, rows, slopes, fine, stride, planes)


@loop()
def fill_more(
    words: Any, rows: Any, slopes: Any, fine: Any, stride: Any, planes: Any
) -> None:
    """Add the same to what is in the histograms."""
    _fill_any(words, rows, slopes, fine, stride, planes)
