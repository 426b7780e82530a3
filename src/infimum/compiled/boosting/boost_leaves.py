"""From leaves back to rows: sums over the rows of a leaf, and scores for all rows."""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import FEATURE, LEFT, RIGHT
from infimum.compiled.loop import loop

__all__ = [
    "add_values",
    "mark_rows",
    "name_leaves",
    "sort_by_place",
    "sum_rows_of_leaves",
]

_U = np.uint64
#: Rows that go down a tree side by side.
SOME = 512


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
    """Write the node in which each of some rows ends.

    Rows go down side by side, a level at a time, without a branch that nobody can
    guess; those that have arrived are left out of the next level.
    """
    ways, where = np.empty((len(nodes), 2), np.int64), np.empty((len(nodes), 2), _U)
    for k in range(len(nodes)):
        feature = max(nodes[k, FEATURE], 0)
        ways[k, 0], ways[k, 1] = nodes[k, RIGHT], nodes[k, LEFT]
        where[k, 0], where[k, 1] = feature >> 3, 8 * (feature & 7)
    inner = nodes[:, LEFT] >= 0
    going, at = np.empty(SOME, np.int64), np.empty(SOME, np.int64)
    rest: Any
    for begin in range(0, rows.size, SOME):
        size = min(SOME, rows.size - begin)
        for t in range(size):
            going[t], at[t] = t, 0
        count = size if inner[0] else 0
        while count:
            rest = 0
            for s in range(_U(count)):
                mine = _U(going[s])
                node = _U(at[mine])
                word = words[_U(rows[_U(begin) + mine]), where[node, 0]]
                code = (word >> where[node, 1]) & _U(255)
                child = ways[node, _U(sets[node, code])]
                at[mine], going[rest] = child, mine
                rest += _U(inner[_U(child)])
            count = rest
        out[begin : begin + size] = at[:size]


@loop()
def sort_by_place(rows: Any, names: Any, places: Any, out: Any, ends: Any) -> None:
    """Write rows in the order of the places of their nodes, and where each place ends.

    Rows of nodes without a place, -1, are left out; the others keep their order.
    """
    ends[:] = 0
    for t in range(names.size):
        place = places[names[t]]
        if place >= 0:
            ends[place] += 1
    total: Any = 0
    for place in range(ends.size):
        total += ends[place]
        ends[place] = total - ends[place]
    for t in range(names.size):
        place = places[names[t]]
        if place >= 0:
            out[ends[place]] = rows[t]
            ends[place] += 1
