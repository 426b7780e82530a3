"""From leaves back to rows: sums over the rows of a leaf, and scores for all rows."""

from typing import Any

import numpy as np
from numba import njit

from infimum.compiled.boost_columns import FEATURE, LEFT, RIGHT

__all__ = ["add_values", "name_leaves", "sum_rows_of_leaves"]

_U = np.uint64


@njit(cache=True, nogil=True)
def sum_rows_of_leaves(
    leaves: Any, rows: Any, spans: Any, slopes: Any, bends: Any, units: Any, out: Any
) -> None:
    """Add slopes and curvatures of each leaf's rows, in whole grains of 1/unit."""
    for t in range(leaves.size):
        begin, end = spans[leaves[t], 0], spans[leaves[t], 1]
        slope, bend = np.int64(0), np.int64(0)
        for at in range(_U(begin), _U(end)):
            i = _U(rows[at])
            slope += np.int64(slopes[i] * units[0])
            bend += np.int64(bends[i] * units[1])
        out[t, 0], out[t, 1] = slope, bend


@njit(cache=True, nogil=True)
def add_values(leaves: Any, values: Any, rows: Any, spans: Any, scores: Any) -> None:
    """Add the value of each leaf to the scores of its rows."""
    for t in range(leaves.size):
        value = values[t]
        for at in range(_U(spans[leaves[t], 0]), _U(spans[leaves[t], 1])):
            scores[_U(rows[at])] += value


@njit(cache=True, nogil=True)
def name_leaves(nodes: Any, sets: Any, words: Any, rows: Any, out: Any) -> None:
    """Write the node in which each of some rows ends."""
    for t in range(rows.size):
        i, at = _U(rows[t]), 0
        while nodes[at, LEFT] >= 0:
            feature = nodes[at, FEATURE]
            word = words[i, feature >> 3]
            code = (word >> _U(8 * (feature & 7))) & _U(255)
            at = nodes[at, LEFT] if sets[at, _U(code)] else nodes[at, RIGHT]
        out[t] = at
