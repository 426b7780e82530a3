"""Growth from the root down: the last node is split first, or the one that gains most.

How a node is split is up to the kind of grower.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.compiled.trees.tree_parts import Growth, borrower, part_of
from infimum.typing import Indices, Matrix, Vector

__all__ = ["grow_nodes", "settle_threshold"]

#: Columns of the whole numbers of a node, and of its others.
ASKS, LEFT, RIGHT, START, STOP, LEFTWARD, SET, DEPTH, GROUPS = range(9)
CUTS, GAIN, LOWER, UPPER = range(4)
#: Columns of an entry: a node, how much its split gains, and the split.
NODE, GAINED, SPLIT, WIDTH = 0, 1, 2, 9
#: Columns of a split. The last is where its sides part, if answers must rise or fall.
SCORE, FEATURE, CUT, MISSING_LEFT, THRESHOLD, IS_SET, MIDDLE = range(7)
#: A limit on leaves that is none: then the last node is split first.
ENDLESS = 2**62


@borrower
def _sift(frontier: Matrix, size: int, best_first: bool) -> None:  # noqa: FBT001
    """Move the last entry up the heap of gains, if the order is by gain."""
    at = size - 1
    while best_first and at > 0:
        above = (at - 1) // 2
        if frontier[above, GAINED] >= frontier[at, GAINED]:
            break
        for c in range(WIDTH):
            kept = frontier[at, c]
            frontier[at, c], frontier[above, c] = frontier[above, c], kept
        at = above


@borrower
def _take_entry(frontier: Matrix, size: int, best_first: bool, out: Vector) -> None:  # noqa: FBT001
    """Write the next entry to split: the one with the largest gain, or the last."""
    for c in range(WIDTH):
        out[c] = frontier[0 if best_first else size - 1, c]
        frontier[0, c] = frontier[size - 1 if best_first else 0, c]
    at, size = 0, size - 1 if best_first else 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and frontier[child + 1, GAINED] > frontier[child, GAINED]:
            child += 1
        if frontier[at, GAINED] >= frontier[child, GAINED]:
            break
        for c in range(WIDTH):
            kept = frontier[at, c]
            frontier[at, c], frontier[child, c] = frontier[child, c], kept
        at = child


@part_of
def _put_entry(
    frontier: Matrix,
    waiting: int,
    entry: Vector,
    best_first: bool,  # noqa: FBT001
) -> Matrix:
    """Put an entry behind those that wait, or where its gain belongs."""
    if waiting == frontier.shape[0]:
        frontier = np.concatenate((frontier, frontier))
    for c in range(WIDTH):
        frontier[waiting, c] = entry[c]
    _sift(frontier, waiting + 1, best_first)
    return frontier


@part_of
def _write_set(
    growth: Growth, rows: Indices, split: Vector, words: Any, used: int
) -> tuple[Any, int]:
    """Append the set of categories that go left; return the words and their number."""
    f = int(split[FEATURE])
    ranks, absent = growth.table.ranks[f], growth.table.counts[f]
    highest = 0
    for i in range(rows.size):
        if ranks[rows[i]] != absent:
            highest = max(highest, ranks[rows[i]])
    count = (highest >> 5) + 1
    while used + count + 1 > words.size:
        words = np.concatenate((words, words))
    words[used] = count
    # What has not been seen here goes where the missing go.
    for at in range(used + 1, used + 1 + count):
        words[at] = 0xFFFFFFFF if split[MISSING_LEFT] > 0.0 else 0
    for i in range(rows.size):
        level = ranks[rows[i]]
        if level != absent:
            at, bit = used + 1 + (level >> 5), np.uint32(1) << np.uint32(level & 31)
            if growth.work.sides[i]:
                words[at] |= bit
            else:
                words[at] &= ~bit
    split[CUT] = used
    return words, used + 1 + count


@borrower
def settle_threshold(split: Vector, low: float, high: float) -> None:
    """Put the threshold between two values in their middle, unless it is there."""
    if np.isnan(split[THRESHOLD]):
        middle = low / 2.0 + high / 2.0
        split[THRESHOLD] = middle if low <= middle < high else low


@borrower
def _branch(
    nodes: Indices, reals: Matrix, at: int, count: int, split: Vector, lefts: int
) -> None:
    """Write the split of a node, and its two children, which are the next two nodes."""
    nodes[at, ASKS], nodes[at, LEFT] = int(split[FEATURE]), count
    nodes[at, RIGHT], nodes[at, LEFTWARD] = count + 1, int(split[MISSING_LEFT])
    nodes[at, SET] = int(split[CUT]) if split[IS_SET] > 0.0 else -1
    reals[at, CUTS] = split[THRESHOLD]
    for child in range(count, count + 2):
        for c in range(nodes.shape[1]):
            nodes[child, c] = -1
        nodes[child, DEPTH] = nodes[at, DEPTH] + 1
        nodes[child, GROUPS] = nodes[at, GROUPS]
        reals[child, CUTS] = reals[child, GAIN] = 0.0
        reals[child, LOWER], reals[child, UPPER] = reals[at, LOWER], reals[at, UPPER]
    middle = nodes[at, START] + lefts
    nodes[count, START], nodes[count, STOP] = nodes[at, START], middle
    nodes[count + 1, START], nodes[count + 1, STOP] = middle, nodes[at, STOP]


@borrower
def _oblige(
    nodes: Indices, reals: Matrix, groups: Any, sign: int, f: int, middle: float
) -> None:
    """Write what the question asked above two nodes obliges them to.

    They keep to features that share a group with it and, where answers must rise or
    fall with it, to their side of its middle.
    """
    active = 0
    for g in range(groups.shape[0]):
        if groups[g, f]:
            active |= 1 << g
    for child in range(2):
        nodes[child, GROUPS] &= active
    if sign > 0:
        reals[0, UPPER] = reals[1, LOWER] = middle
    elif sign < 0:
        reals[0, LOWER] = reals[1, UPPER] = middle


@part_of
def grow_nodes(
    find: Callable[..., float],
    divide: Callable[..., int],
    growth: Growth,
    rows: Indices,
) -> tuple[Indices, Matrix, Any]:
    """Return the nodes of a tree: whole numbers, others, and words of sets.

    Parameters
    ----------
    find : loop
        Writes the best split of some rows, and returns what it gains; below 0, there is
        none. It is given the growth, the rows, the node and the split.
    divide : loop
        Brings the rows that go left to the front, completes the split, and returns how
        many they are. It is given the growth, the rows and the split.
    growth : Growth
    rows : integers
        They end in the order of the leaves: a node's are those from START to STOP.
    """
    nodes, reals = np.full((64, 9), -1, dtype=np.int64), np.zeros((64, 4))
    words, used = np.zeros(64, dtype=np.uint32), int(np.int64(0))
    nodes[0, START], nodes[0, STOP], nodes[0, DEPTH] = 0, rows.size, 0
    reals[0, LOWER], reals[0, UPPER] = -np.inf, np.inf
    table, rules = growth.table, growth.rules
    frontier: Matrix = np.empty((64, WIDTH))
    entry, best_first = np.zeros(WIDTH), rules.max_leaves < ENDLESS
    split = entry[SPLIT:]
    zero = int(np.int64(0))  # not a literal, for which loops would be compiled twice
    waiting, first, count, leaves = zero, zero, zero + 1, zero + 1
    while True:
        while first < count:
            mine, gain = rows[nodes[first, START] : nodes[first, STOP]], -1.0
            if mine.size >= rules.min_split and nodes[first, DEPTH] < rules.max_depth:
                gain = find(growth, mine, nodes[first], reals[first], split)
            if gain >= 0.0:
                entry[NODE], entry[GAINED], reals[first, GAIN] = first, gain, gain
                if split[IS_SET] > 0.0:
                    words, used = _write_set(growth, mine, split, words, used)
                frontier = _put_entry(frontier, waiting, entry, best_first)
                waiting += 1
            first += 1
        if waiting == 0 or leaves >= rules.max_leaves:
            return nodes[:count], reals[:count], words[:used]
        _take_entry(frontier, waiting, best_first, entry)
        waiting, leaves = waiting - 1, leaves + 1
        if count + 2 > nodes.shape[0]:
            nodes = np.concatenate((nodes, nodes))
            reals = np.concatenate((reals, reals))
        at, f = int(entry[NODE]), int(split[FEATURE])
        mine = rows[nodes[at, START] : nodes[at, STOP]]
        lefts = divide(growth, mine, split, words)
        _branch(nodes, reals, at, count, split, lefts)
        _oblige(nodes[count:], reals[count:], table.groups, table.monotone[f], f,
                split[MIDDLE])  # fmt: skip
        count += 2
