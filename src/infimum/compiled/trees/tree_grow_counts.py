"""A forest's tree of two classes, from its root down: the quickest way to that tree.

Rows are drawn a few times each, nothing is missing, there are no categories and no
constraints, a leaf may have a single row, and large nodes try bins.
"""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_frontier import (
    DEPTH,
    ENDLESS,
    GAIN,
    GAINED,
    LOWER,
    NODE,
    SPLIT,
    START,
    STOP,
    UPPER,
    WIDTH,
    put_entry,
    take_entry,
)
from infimum.compiled.trees.tree_grow_plain import _branch
from infimum.compiled.trees.tree_parts import (
    Ranks,
    Rules,
    Target,
    Workspace,
    inner,
    part_of,
)
from infimum.compiled.trees.tree_split_counts import (
    ROW,
    TOGETHER,
    Room,
    split_counted_node,
)
from infimum.compiled.trees.tree_split_plain import CUT, FEATURE
from infimum.typing import Indices, Matrix, Vector

__all__ = ["HEAVIEST", "grow_counted_tree"]

_U = np.uint64
#: Weight of a row up to which the sums of a small node fit into half a word.
HEAVIEST = 255


@inner
def _divide(
    ranks: Indices, values: Vector, items: Indices, cut: int, spare: Indices
) -> tuple[Any, float]:
    """Bring the items up to a rank to the front, both sides in order.

    Returns how many they are, and the threshold between the sides.
    """
    lefts, rights = _U(0), _U(0)
    below, above = np.int64(0), np.int64(values.size)
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
        above = min(above, np.int64(values.size) if left else rank)
    for t in range(rights):
        items[lefts + t] = spare[t]
    a, b = values[below], values[above]
    middle = a / 2.0 + b / 2.0
    return np.int64(lefts), float(middle if a <= middle < b else a)


@part_of
def _grow(
    ranks: Indices, known: Indices, starts: Indices, values: Vector, items: Indices,
    spare: Indices, room: Room, features: Indices, state: Any, formula: int,
    rules: Rules,
) -> tuple[Indices, Matrix]:  # fmt: skip
    nodes, reals = np.full((64, 9), -1, dtype=np.int64), np.zeros((64, 4))
    nodes[0, START], nodes[0, STOP], nodes[0, DEPTH] = 0, items.size, 0
    reals[0, LOWER], reals[0, UPPER] = -np.inf, np.inf
    frontier: Matrix = np.empty((64, WIDTH))
    entry, best_first = np.zeros(WIDTH), rules.max_leaves < ENDLESS
    zero = int(np.int64(0))  # not a literal, for which loops would be compiled twice
    waiting, first, count, leaves = zero, zero, zero + 1, zero + 1
    while True:
        while first < count:
            mine, gain = items[nodes[first, START] : nodes[first, STOP]], -1.0
            if mine.size >= rules.min_split and nodes[first, DEPTH] < rules.max_depth:
                gain = split_counted_node(
                    ranks, mine, room, features, state, formula, rules.min_weight,
                    rules.bins, rules.max_features, entry[SPLIT:],
                )  # fmt: skip
            if gain >= 0.0 and gain * (1.0 + 1e-12) >= rules.min_decrease:
                entry[NODE], entry[GAINED], reals[first, GAIN] = first, gain, gain
                frontier = put_entry(frontier, waiting, entry, best_first)
                waiting += 1
            first += 1
        if waiting == 0 or leaves >= rules.max_leaves:
            return nodes[:count], reals[:count]
        take_entry(frontier, waiting, best_first, entry)
        waiting, leaves = waiting - 1, leaves + 1
        at, f = int(entry[NODE]), int(entry[SPLIT + FEATURE])
        lefts, cut = _divide(
            ranks[f], values[starts[f] : starts[f] + known[f]],
            items[nodes[at, START] : nodes[at, STOP]], int(entry[SPLIT + CUT]), spare,
        )  # fmt: skip
        nodes, reals = _branch(nodes, reals, at, count, f, cut, lefts)
        count += 2


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
    nodes, reals = _grow(
        table.ranks, table.counts, table.starts, table.values, items, work.spare, room,
        work.features, work.state, target.formula, rules,
    )  # fmt: skip
    for t in range(size):
        rows[t] = items[t] & ROW
    return nodes, reals, np.zeros(0, dtype=np.uint32)
