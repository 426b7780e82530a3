"""Growth of a tree from its root down, for single trees and for forests."""

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
    GROUPS,
    LEFT,
    LEFTWARD,
    LOWER,
    NODE,
    RIGHT,
    SET,
    SPLIT,
    START,
    STOP,
    UPPER,
    WIDTH,
    put_entry,
    take_entry,
    with_room,
)
from infimum.compiled.trees.tree_measure import measure_rows
from infimum.compiled.trees.tree_parts import (
    Ranks,
    Rules,
    Target,
    Workspace,
    inner,
    part_of,
)
from infimum.compiled.trees.tree_split import find_split
from infimum.compiled.trees.tree_split_plain import (
    CUT,
    FEATURE,
    IS_SET,
    MISSING_LEFT,
    SCORE,
    THRESHOLD,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["grow_tree"]


@part_of
def _allow(table: Ranks, active: int, allowed: Any) -> None:
    """Write which features may be asked for: those of a group that is still active."""
    if table.groups.shape[0] == 0:
        return
    for f in range(allowed.size):
        allowed[f] = False
        for g in range(table.groups.shape[0]):
            allowed[f] |= table.groups[g, f] and ((active >> g) & 1) > 0


@part_of
def _write_set(
    table: Ranks,
    work: Workspace,
    rows: Indices,
    split: Vector,
    words: Any,
    used: int,
) -> tuple[Any, int]:
    """Append the set of categories that go left; return the words and their number."""
    f = int(split[FEATURE])
    ranks, absent = table.ranks[f], table.counts[f]
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
            if work.sides[i]:
                words[at] |= bit
            else:
                words[at] &= ~bit
    split[CUT] = used
    return words, used + 1 + count


@inner
def _goes_left(rank: int, absent: int, split: Vector, words: Any) -> bool:
    if rank == absent:
        return bool(split[MISSING_LEFT] > 0.0)
    if split[IS_SET] > 0.0:
        start = int(split[CUT])
        return bool(((words[start + 1 + (rank >> 5)] >> (rank & 31)) & 1) > 0)
    return bool(rank <= split[CUT])


@part_of
def _divide(
    table: Ranks, rows: Indices, split: Vector, words: Any, spare: Indices
) -> int:
    """Bring the rows that go left to the front, both sides in order; find a threshold.

    Returns how many go left.
    """
    f = int(split[FEATURE])
    ranks, absent = table.ranks[f], table.counts[f]
    lefts = rights = missing = 0
    below, above = -1, absent
    for i in range(rows.size):
        r = rows[i]
        rank = ranks[r]
        missing += rank == absent
        if _goes_left(rank, absent, split, words):
            rows[lefts] = r
            lefts += 1
            if rank != absent:
                below = max(below, rank)
        else:
            spare[rights] = r
            rights += 1
            above = min(above, rank)
    for t in range(rights):
        rows[lefts + t] = spare[t]
    if missing == 0:
        split[MISSING_LEFT] = lefts > rights
    if np.isnan(split[THRESHOLD]):
        a, b = table.values[table.starts[f] + below], np.inf
        if above < absent:
            b = table.values[table.starts[f] + above]
        middle = a / 2.0 + b / 2.0
        split[THRESHOLD] = middle if a <= middle < b else a
    return lefts


@part_of
def _consider(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    weight: Vector,
    rows: Indices,
    node: Indices,
    reals: Vector,
    allowed: Any,
    entry: Vector,
) -> bool:
    """Find the split of a new node, if it may have one; write it into `entry`."""
    mine = rows[node[START] : node[STOP]]
    W, score, _, pure = measure_rows(target, work, weight, mine, target.level)
    small = mine.size < rules.min_split or mine.size < 2 * rules.min_leaf
    if pure or small or node[DEPTH] >= rules.max_depth or 2.0 * rules.min_weight > W:
        return False
    _allow(table, node[GROUPS], allowed)
    split = entry[SPLIT:]
    if not find_split(
        table, target, rules, work, mine, W, reals[LOWER:], allowed, split
    ):
        return False
    gain = max(0.0, split[SCORE] - score)
    entry[GAINED] = reals[GAIN] = gain
    return bool(gain + 1e-15 * abs(score) >= rules.min_decrease)


@inner
def _tighten(
    target: Target,
    work: Workspace,
    weight: Vector,
    rows: Indices,
    sign: int,
    left: Indices,
    right: Indices,
    reals: Matrix,
) -> None:
    """Let the children of a monotone split keep to their side of its middle."""
    level = target.level
    lefts, rights = rows[left[START] : left[STOP]], rows[right[START] : right[STOP]]
    low = measure_rows(target, work, weight, lefts, level)[2]
    high = measure_rows(target, work, weight, rights, level)[2]
    middle = low / 2.0 + high / 2.0
    if sign > 0:
        reals[0, UPPER] = reals[1, LOWER] = middle
    else:
        reals[0, LOWER] = reals[1, UPPER] = middle


@part_of
def _branch(
    table: Ranks, nodes: Indices, reals: Matrix, at: int, count: int, split: Vector,
    lefts: int,
) -> None:  # fmt: skip
    """Write the split of a node, and its two children, which are the next two nodes."""
    f = int(split[FEATURE])
    nodes[at, ASKS], nodes[at, LEFT], nodes[at, RIGHT] = f, count, count + 1
    nodes[at, LEFTWARD] = int(split[MISSING_LEFT])
    nodes[at, SET] = int(split[CUT]) if split[IS_SET] > 0.0 else -1
    reals[at, CUTS] = split[THRESHOLD]
    active = 0
    for g in range(table.groups.shape[0]):
        if table.groups[g, f]:
            active |= 1 << g
    for child in range(count, count + 2):
        for c in range(nodes.shape[1]):
            nodes[child, c] = -1
        nodes[child, DEPTH] = nodes[at, DEPTH] + 1
        nodes[child, GROUPS] = nodes[at, GROUPS] & active
        reals[child, CUTS] = reals[child, GAIN] = 0.0
        reals[child, LOWER], reals[child, UPPER] = reals[at, LOWER], reals[at, UPPER]
    middle = nodes[at, START] + lefts
    nodes[count, START], nodes[count, STOP] = nodes[at, START], middle
    nodes[count + 1, START], nodes[count + 1, STOP] = middle, nodes[at, STOP]


@part_of
def _enter(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    weight: Vector,
    rows: Indices,
    nodes: Indices,
    reals: Matrix,
    at: int,
    allowed: Any,
    frontier: Matrix,
    waiting: int,
    words: Any,
    used: int,
    entry: Vector,
) -> tuple[Matrix, int, Any, int]:
    """Put a new node among those that wait to be split, if it can be."""
    entry[NODE] = at
    if not _consider(
        table,
        target,
        rules,
        work,
        weight,
        rows,
        nodes[at],
        reals[at],
        allowed,
        entry,
    ):
        return frontier, waiting, words, used
    if entry[SPLIT + IS_SET] > 0.0:
        mine = rows[nodes[at, START] : nodes[at, STOP]]
        words, used = _write_set(table, work, mine, entry[SPLIT:], words, used)
    frontier = put_entry(frontier, waiting, entry, rules.max_leaves < ENDLESS)
    return frontier, waiting + 1, words, used


@loop(error_model="numpy")
def grow_tree(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    weight: Vector,
    rows: Indices,
) -> tuple[Indices, Matrix, Any]:
    """Return the nodes of a tree: whole numbers, others, and words of sets.

    `rows` end in the order of the leaves: a node's are those from START to STOP.
    """
    nodes, reals = np.full((64, 9), -1, dtype=np.int64), np.zeros((64, 4))
    words, used = np.zeros(64, dtype=np.uint32), int(np.int64(0))
    nodes[0, START], nodes[0, STOP], nodes[0, DEPTH] = 0, rows.size, 0
    reals[0, LOWER], reals[0, UPPER] = -np.inf, np.inf
    allowed = np.ones(work.features.size, dtype=np.bool_)
    frontier: Matrix = np.empty((64, WIDTH))
    entry = np.zeros(WIDTH)
    zero = int(np.int64(0))  # not a literal, for which loops would be compiled twice
    waiting, first, count, leaves = zero, zero, zero + 1, zero + 1
    while True:
        while first < count:
            if nodes[first, STOP] - nodes[first, START] < rules.min_split:
                first += 1
                continue
            frontier, waiting, words, used = _enter(
                table, target, rules, work, weight, rows, nodes, reals, first, allowed,
                frontier, waiting, words, used, entry,
            )  # fmt: skip
            first += 1
        if waiting == 0 or leaves >= rules.max_leaves:
            break
        take_entry(frontier, waiting, rules.max_leaves < ENDLESS, entry)
        waiting -= 1
        leaves += 1
        nodes, reals = with_room(nodes, reals, count + 2)
        at, split = int(entry[NODE]), entry[SPLIT:]
        mine = rows[nodes[at, START] : nodes[at, STOP]]
        lefts = _divide(table, mine, split, words, work.spare)
        _branch(table, nodes, reals, at, count, split, lefts)
        sign = table.monotone[nodes[at, ASKS]]
        if sign != 0:
            _tighten(
                target, work, weight, rows, sign, nodes[count], nodes[count + 1],
                reals[count:],
            )  # fmt: skip
        count += 2
    return nodes[:count], reals[:count], words[:used]
