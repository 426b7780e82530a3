"""What is done to the rows of a node: they are divided, and counted into histograms.

Codes lie four features to a word, so that one reading serves four histograms that stay
in the nearest cache together.
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

__all__ = ["divide", "fill", "four_to_a_word"]

_U = np.uint64
_BYTE = np.uint64(255)


@njit(cache=True, nogil=True)
def four_to_a_word(codes: Any, words: Any) -> None:
    """Write the codes of four features at a time into words."""
    for j in range(codes.shape[0]):
        shift = np.uint32(8 * (j % 4))
        line, column = words[j // 4], codes[j]
        for i in range(column.size):
            line[i] |= np.uint32(column[i]) << shift


@njit(cache=True, nogil=True)
def divide(
    words: Any, feature: int, goes_left: Any, rows: Any, spare: Any, span: Any
) -> Any:
    """Move the rows of a span that go left before the others; return where those begin.

    Both sides keep their order.
    """
    column, shift = words[feature >> 2], np.uint32(8 * (feature & 3))
    at, rest = _U(span[0]), _U(0)
    for t in range(_U(span[0]), _U(span[1])):
        i = rows[t]
        code = (column[_U(i)] >> shift) & np.uint32(255)
        rows[at] = i
        spare[rest] = i
        left = _U(goes_left[_U(code)])
        at += left
        rest += _U(1) - left
    for t in range(rest):
        rows[at + t] = spare[t]
    return np.int64(at)


@njit(cache=True, nogil=True)
def _add_packed(column: Any, rows: Any, values: Any, block: Any, stride: int) -> None:
    a, b, c = _U(stride), _U(2 * stride), _U(3 * stride)
    for t in range(_U(rows.size)):
        value, x = values[t], _U(column[_U(rows[t])])
        block[x & _BYTE] += value
        block[a + ((x >> _U(8)) & _BYTE)] += value
        block[b + ((x >> _U(16)) & _BYTE)] += value
        block[c + (x >> _U(24))] += value


@njit(cache=True, nogil=True)
def _unpack(block: Any, counts: Any, bends: Any, slopes: Any) -> None:
    for k in range(block.size):
        value = block[k]
        counts[k] += value & ((1 << COUNT_BITS) - 1)
        bends[k] += (value >> COUNT_BITS) & ((1 << BEND_BITS) - 1)
        slopes[k] += value >> (COUNT_BITS + BEND_BITS)


@njit(cache=True, nogil=True)
def _fill_packed(words: Any, rows: Any, packed: Any, stride: int, planes: Any) -> None:
    width = 4 * stride
    block, values = np.empty(width, np.int64), np.empty(BLOCK, np.int64)
    for start in range(0, rows.size, BLOCK):
        some = rows[start : start + BLOCK]
        for t in range(some.size):
            values[t] = packed[_U(some[t])]
        for group in range(words.shape[0]):
            block[:] = 0
            _add_packed(words[group], some, values, block, stride)
            low, high = group * width, (group + 1) * width
            _unpack(
                block,
                planes[COUNTS, low:high],
                planes[BENDS, low:high],
                planes[SLOPES, low:high],
            )


@njit(cache=True, nogil=True)
def _fill_wide(
    words: Any, rows: Any, slopes: Any, bends: Any, stride: int, planes: Any
) -> None:
    for group in range(words.shape[0]):
        column = words[group]
        for k in range(4):
            start, shift = _U((4 * group + k) * stride), _U(8 * k)
            for t in range(rows.size):
                i = _U(rows[t])
                at = start + ((_U(column[i]) >> shift) & _BYTE)
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
