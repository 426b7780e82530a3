"""Growth of a tree from its root down, for single trees and for forests."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_frontier import (
    CUT,
    FEATURE,
    GROUPS,
    IS_SET,
    MIDDLE,
    MISSING_LEFT,
    SCORE,
    grow_nodes,
    settle_threshold,
)
from infimum.compiled.trees.tree_measure import measure_rows
from infimum.compiled.trees.tree_parts import (
    Growth,
    Ranks,
    Rules,
    Target,
    Workspace,
    borrower,
    part_of,
)
from infimum.compiled.trees.tree_split import find_split
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


@borrower
def _goes_left(rank: int, absent: int, split: Vector, words: Any) -> bool:
    if rank == absent:
        return bool(split[MISSING_LEFT] > 0.0)
    if split[IS_SET] > 0.0:
        start = int(split[CUT])
        return bool(((words[start + 1 + (rank >> 5)] >> (rank & 31)) & 1) > 0)
    return bool(rank <= split[CUT])


@borrower
def _divide(growth: Growth, rows: Indices, split: Vector, words: Any) -> int:
    """Bring the rows that go left to the front, both sides in order."""
    table, spare, f = growth.table, growth.work.spare, int(split[FEATURE])
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
    values = table.values[table.starts[f] :]
    settle_threshold(split, values[below], values[above] if above < absent else np.inf)
    if table.monotone[f] != 0:
        target, work, weight = growth.target, growth.work, growth.weight
        level = target.level
        low = measure_rows(target, work, weight, rows[:lefts], level)[2]
        high = measure_rows(target, work, weight, rows[lefts:], level)[2]
        split[MIDDLE] = low / 2.0 + high / 2.0
    return lefts


@borrower
def _find(
    growth: Growth, rows: Indices, node: Indices, real: Vector, split: Vector
) -> float:
    """Write the best split of a node; return what it gains, -1 if it may have none."""
    table, target, rules, work, weight, allowed = growth
    W, score, _, pure = measure_rows(target, work, weight, rows, target.level)
    if pure or rows.size < 2 * rules.min_leaf or 2.0 * rules.min_weight > W:
        return -1.0
    _allow(table, node[GROUPS], allowed)
    if not find_split(growth, rows, W, real, split):
        return -1.0
    gain = max(0.0, split[SCORE] - score)
    return gain if gain + 1e-15 * abs(score) >= rules.min_decrease else -1.0


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
    allowed = np.ones(work.features.size, dtype=np.bool_)
    growth = Growth(table, target, rules, work, weight, allowed)
    return grow_nodes(_find, _divide, growth, rows)
