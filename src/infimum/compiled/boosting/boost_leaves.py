"""From leaves back to rows: sums over the rows of a leaf, and scores for all rows."""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import FEATURE, LEFT, RIGHT
from infimum.compiled.loop import loop

__all__ = ["add_values", "mark_rows", "name_leaves", "sum_rows_of_leaves"]

_U = np.uint64


@loop()
def mark_rows(leaves: Any, rows: Any, spans: Any, marks: Any) -> None:
    """Write for each row the place of its leaf among the leaves.

    What follows can then take rows in their order, and marks are short: strewing them
    stays within a core's cache.
    """
    for t in range(leaves.size):
        for at in range(_U(spans[leaves[t], 0]), _U(spans[leaves[t], 1])):
            marks[_U(rows[at])] = t


@loop()
def sum_rows_of_leaves(
    rows: Any, marks: Any, slopes: Any, bends: Any, units: Any, out: Any
) -> None:
    """Add slopes and curvatures of each leaf's rows, in whole grains of 1/unit."""
    out[:] = 0
    for at in range(_U(rows.size)):
        i = _U(rows[at])
        leaf = _U(marks[i])
        out[leaf, 0] += np.int64(slopes[i] * units[0])
        out[leaf, 1] += np.int64(bends[i] * units[1])


@loop()
def add_values(rows: Any, marks: Any, values: Any, scores: Any) -> None:
    """Add the value of each leaf to the scores of its rows."""
    for at in range(_U(rows.size)):
        i = _U(rows[at])
        scores[i] += values[_U(marks[i])]


@loop()
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
