"""What is done to the rows of a node: they are divided, and counted into histograms.

The codes of a row lie side by side, four features to a word: rows of a small node are
strewn over the table, and each costs one trip to memory. Words are brought together
block by block; then one of them serves four histograms that stay in the nearest cache.
"""

from typing import Any

import numpy as np
from numba import njit

from infimum.compiled.boost_columns import (
    BEND_BITS,
    BENDS,
    BLOCK,
    COUNT_BITS,
    COUNTS,
    SLOPES,
)
from infimum.compiled.inner_loop import inner_loop

__all__ = ["TOGETHER", "divide", "fill", "four_to_a_word"]

_U = np.uint64
_BYTE = np.uint64(255)
#: Words of a row that are brought together at a time; their lines must not lie a power
#: of 2 apart, or they drive each other out of the cache.
TOGETHER, APART = 4, 24


@njit(cache=True, nogil=True)
def four_to_a_word(codes: Any, words: Any) -> None:
    """Write the codes of four features at a time into a row's words."""
    for start in range(0, words.shape[0], BLOCK):
        stop = min(start + BLOCK, words.shape[0])
        for j in range(codes.shape[0]):
            shift, group = np.uint32(8 * (j % 4)), j // 4
            for i in range(start, stop):
                words[i, group] |= np.uint32(codes[j, i]) << shift


@njit(cache=True, nogil=True)
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
def _gather(words: Any, rows: Any, first: int, some: Any) -> None:
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
def _add_packed(column: Any, values: Any, size: int, block: Any, stride: int) -> None:
    a, b, c = _U(stride), _U(2 * stride), _U(3 * stride)
    for t in range(_U(size)):
        value, x = values[t], _U(column[t])
        block[x & _BYTE] += value
        block[a + ((x >> _U(8)) & _BYTE)] += value
        block[b + ((x >> _U(16)) & _BYTE)] += value
        block[c + (x >> _U(24))] += value


@inner_loop()
def _unpack(block: Any, counts: Any, bends: Any, slopes: Any) -> None:
    for k in range(block.size):
        value = block[k]
        counts[k] += value & ((1 << COUNT_BITS) - 1)
        bends[k] += (value >> COUNT_BITS) & ((1 << BEND_BITS) - 1)
        slopes[k] += value >> (COUNT_BITS + BEND_BITS)


@inner_loop()
def _fill_packed(words: Any, rows: Any, packed: Any, stride: int, planes: Any) -> None:
    width = 4 * stride
    block, values = np.empty(width, np.int64), np.empty(BLOCK, np.int64)
    some = np.empty((TOGETHER, BLOCK + APART), np.uint32)
    for start in range(0, rows.size, BLOCK):
        mine = rows[start : start + BLOCK]
        for t in range(mine.size):
            values[t] = packed[_U(mine[t])]
        for group in range(planes.shape[1] // width):
            if group % TOGETHER == 0:
                _gather(words, mine, group, some)
            block[:] = 0
            _add_packed(some[group % TOGETHER], values, mine.size, block, stride)
            low, high = group * width, (group + 1) * width
            _unpack(
                block,
                planes[COUNTS, low:high],
                planes[BENDS, low:high],
                planes[SLOPES, low:high],
            )


@inner_loop()
def _fill_wide(
    words: Any, rows: Any, slopes: Any, bends: Any, stride: int, planes: Any
) -> None:
    for group in range(planes.shape[1] // (4 * stride)):
        for k in range(4):
            start, shift = _U((4 * group + k) * stride), _U(8 * k)
            for t in range(rows.size):
                i = _U(rows[t])
                at = start + ((_U(words[i, group]) >> shift) & _BYTE)
                planes[COUNTS, at] += 1
                planes[BENDS, at] += bends[i]
                planes[SLOPES, at] += slopes[i]


@njit(cache=True, nogil=True)
def fill(
    words: Any, rows: Any, slopes: Any, bends: Any, stride: int, planes: Any
) -> None:
    """Write the histograms of some rows: counts, curvatures and slopes by bin.

    Without `bends`, `slopes` are packed words of all three.
    """
    planes[:] = 0
    if bends.size:
        _fill_wide(words, rows, slopes, bends, stride, planes)
    else:
        _fill_packed(words, rows, slopes, stride, planes)
