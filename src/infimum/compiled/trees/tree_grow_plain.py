"""A tree of plain features, from its root down: the quick way to the same tree.

One number or two classes to tell, nothing missing, no categories, no constraints;
thresholds are searched for or drawn.
"""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_frontier import (
    ASKS,
    CUTS,
    DEPTH,
    ENDLESS,
    GAIN,
    GAINED,
    LEFT,
    LEFTWARD,
    LOWER,
    NODE,
    RIGHT,
    SPLIT,
    START,
    STOP,
    UPPER,
    WIDTH,
    put_entry,
    take_entry,
    with_room,
)
from infimum.compiled.trees.tree_parts import (
    Ranks,
    Rules,
    Target,
    Workspace,
    inner,
    part_of,
)
from infimum.compiled.trees.tree_split_plain import (
    CUT,
    FEATURE,
    THRESHOLD,
    split_plain_node,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["grow_plain_tree"]


@inner
def _divide(
    ranks: Indices,
    values: Vector,
    rows: Indices,
    cut: int,
    threshold: float,
    spare: Indices,
) -> tuple[int, float]:
    """Bring the rows up to a rank to the front, both sides in order.

    Returns how many they are, and the threshold between the sides: the middle, unless
    one is given.
    """
    lefts = rights = 0
    below, above = 0, values.size
    for i in range(rows.size):
        r = rows[i]
        rank = int(ranks[r])
        if rank <= cut:
            rows[lefts] = r
            lefts += 1
            below = max(below, rank)
        else:
            spare[rights] = r
            rights += 1
            above = min(above, rank)
    for t in range(rights):
        rows[lefts + t] = spare[t]
    if not np.isnan(threshold):
        return lefts, threshold
    a, b = values[below], values[above]
    middle = a / 2.0 + b / 2.0
    return lefts, float(middle if a <= middle < b else a)


@inner
def _branch(
    nodes: Indices, reals: Matrix, at: int, count: int, f: int, cut: float, lefts: int
) -> tuple[Any, Any]:
    """Write the split of a node, and its two children, which are the next two nodes."""
    nodes, reals = with_room(nodes, reals, count + 2)
    start, stop = nodes[at, START], nodes[at, STOP]
    nodes[at, ASKS], nodes[at, LEFT], nodes[at, RIGHT] = f, count, count + 1
    nodes[at, LEFTWARD] = int(2 * lefts > stop - start)
    reals[at, CUTS] = cut
    for child in range(count, count + 2):
        for c in range(nodes.shape[1]):
            nodes[child, c] = -1
        nodes[child, DEPTH] = nodes[at, DEPTH] + 1
        reals[child, CUTS] = reals[child, GAIN] = 0.0
        reals[child, LOWER], reals[child, UPPER] = -np.inf, np.inf
    nodes[count, START], nodes[count, STOP] = start, start + lefts
    nodes[count + 1, START], nodes[count + 1, STOP] = start + lefts, stop
    return nodes, reals


@part_of
def _grow(
    ranks: Indices, counts: Indices, starts: Indices, values: Vector, rows: Indices,
    weight: Vector, numbers: Vector, keys: Indices, spare: Indices, buckets: Indices,
    parts: Vector, weights: Vector, histogram: Matrix, features: Indices, state: Any,
    formula: int, rules: Rules,
) -> tuple[Indices, Matrix]:  # fmt: skip
    nodes, reals = np.full((64, 9), -1, dtype=np.int64), np.zeros((64, 4))
    nodes[0, START], nodes[0, STOP], nodes[0, DEPTH] = 0, rows.size, 0
    reals[0, LOWER], reals[0, UPPER] = -np.inf, np.inf
    frontier: Matrix = np.empty((64, WIDTH))
    entry, best_first = np.zeros(WIDTH), rules.max_leaves < ENDLESS
    zero = int(np.int64(0))  # not a literal, for which loops would be compiled twice
    waiting, first, count, leaves = zero, zero, zero + 1, zero + 1
    while True:
        while first < count:
            mine, gain = rows[nodes[first, START] : nodes[first, STOP]], -1.0
            if mine.size >= rules.min_split and nodes[first, DEPTH] < rules.max_depth:
                gain = split_plain_node(
                    ranks, starts, values, mine, weight, numbers, keys, spare, buckets,
                    parts, weights, histogram, features, state, formula, rules.min_leaf,
                    rules.min_weight, rules.bins, rules.max_features, rules.random,
                    entry[SPLIT:],
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
            ranks[f], values[starts[f] : starts[f] + counts[f]],
            rows[nodes[at, START] : nodes[at, STOP]], int(entry[SPLIT + CUT]),
            entry[SPLIT + THRESHOLD], spare,
        )  # fmt: skip
        nodes, reals = _branch(nodes, reals, at, count, f, cut, lefts)
        count += 2


@loop(error_model="numpy")
def grow_plain_tree(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    weight: Vector,
    rows: Indices,
) -> tuple[Indices, Matrix, Any]:
    """Return what `grow_tree` does, for plain features."""
    nodes, reals = _grow(
        table.ranks, table.counts, table.starts, table.values, rows, weight,
        target.numbers[:, 0].copy(), work.keys, work.spare, work.buckets,
        work.parts[0], work.weights, work.histogram, work.features, work.state,
        target.formula, rules,
    )  # fmt: skip
    return nodes, reals, np.zeros(0, dtype=np.uint32)
