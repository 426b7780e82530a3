"""A forest's tree of two classes, from its root down: the quickest way to that tree.

Rows are drawn a few times each, nothing is missing, there are no categories and no
constraints, a leaf may have a single row, and large nodes try bins.
"""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_frontier import (
    CUT,
    FEATURE,
    MISSING_LEFT,
    grow_nodes,
    settle_threshold,
)
from infimum.compiled.trees.tree_parts import (
    Growth,
    Ranks,
    Rules,
    Target,
    Workspace,
    borrower,
)
from infimum.compiled.trees.tree_split_counts import ROW, TOGETHER, split_counted_node
from infimum.typing import Indices, Matrix, Vector

__all__ = ["HEAVIEST", "grow_counted_tree"]

_U = np.uint64
#: Weight of a row up to which the sums of a small node fit into half a word.
HEAVIEST = 255


@borrower
def _divide(growth: Growth, items: Indices, split: Vector, words: Any) -> int:
    """Bring the items up to a rank to the front, both sides in order."""
    table, spare, f = growth.table, growth.work.spare, int(split[FEATURE])
    ranks, cut, end = table.ranks[f], int(split[CUT]), np.int64(table.counts[f])
    lefts, rights = _U(0), _U(0)
    below, above = np.int64(0), end
    # Writing to both sides and moving one end: nobody could predict the branch.
    for t in range(_U(items.size)):
        item = items[t]
        rank = np.int64(ranks[_U(item & ROW)])
        left = rank <= cut
        items[lefts] = item
        spare[rights] = item
        lefts += _U(left)
        rights += _U(not left)
        below = max(below, rank if left else np.int64(0))
        above = min(above, end if left else rank)
    for t in range(rights):
        items[lefts + t] = spare[t]
    split[MISSING_LEFT] = lefts > rights
    values = table.values[table.starts[f] :]
    settle_threshold(split, values[below], values[above])
    return int(np.int64(lefts))


@borrower
def _find(
    growth: Growth, items: Indices, node: Indices, real: Vector, split: Vector
) -> float:
    gain = split_counted_node(growth, items, split)
    return gain if gain * (1.0 + 1e-12) >= growth.rules.min_decrease else -1.0


@loop(error_model="numpy")
def grow_counted_tree(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    weight: Vector,
    rows: Indices,
) -> tuple[Indices, Matrix, Any]:
    """Return what `grow_plain_tree` does, for two classes and whole weights."""
    size = rows.size
    items, local = np.empty(size, np.int64), np.empty(size + TOGETHER, np.int32)
    for t in range(size):
        w = np.int64(weight[t])
        items[t] = (((w * target.codes[t, 0]) << 16 | w) << 32) | t
    cuts = max(rules.bins, 128) + 1
    room = (
        work.keys, np.empty(256, np.int32), local, np.empty(cuts), np.empty(cuts),
        np.empty(cuts), np.empty(cuts, np.int64),
    )  # fmt: skip
    growth = Growth(table, target, rules, work, weight, room)
    grown = grow_nodes(_find, _divide, growth, items)
    for t in range(size):
        rows[t] = items[t] & ROW
    return grown
