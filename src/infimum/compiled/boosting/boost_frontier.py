"""The frontier of a growing tree: which node is split next, and where histograms are.

Only the first of the threads does this, between the steps of the others.
"""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import (
    ASKED,
    BEND,
    BEND_GRAIN,
    COUNT,
    DEPTH,
    FEATURE,
    FILL,
    FREE,
    GAIN,
    HIGH,
    LEAVES,
    LEFT,
    LEFT_BEND,
    LEFT_COUNT,
    LEFT_SLOPE,
    LOW,
    MAX_DEPTH,
    MAX_LEAVES,
    MIN_GAIN,
    MIN_ROWS,
    MONOTONE,
    NODES,
    RIGHT,
    SLOPE,
    SLOPE_GRAIN,
    SLOT,
    STRENGTH,
    TALLIES,
    WAITING,
)
from infimum.compiled.boosting.boost_split import bounded_value, rank, standing
from infimum.compiled.inner_loop import inner_loop

__all__ = ["by_size", "conclude"]


@inner_loop()
def by_size(at: Any, nodes: Any) -> Any:
    """Return the children of a node, the smaller first; the root for ``at = -1``.

    The last number tells whether rows of the larger are counted, too: where the
    histogram of the node itself was not kept.
    """
    if at < 0:
        return np.int64(0), np.int64(-1), False
    node = nodes[at]
    if 2 * node[LEFT_COUNT] > node[COUNT]:
        return node[RIGHT], node[LEFT], node[SLOT] == 0
    return node[LEFT], node[RIGHT], node[SLOT] == 0


@inner_loop()
def _take_slot(tally: Any) -> Any:
    """Return the number of a free histogram; 0, the scratch paper, if there is none."""
    if tally[FREE] == 0:
        return 0
    tally[FREE] -= 1
    return np.int64(tally[TALLIES + tally[FREE]])


@inner_loop()
def _give_back(node: Any, tally: Any) -> None:
    if node[SLOT]:
        tally[TALLIES + tally[FREE]] = node[SLOT]
        tally[FREE] += 1
        node[SLOT] = 0


@inner_loop()
def _inherit(at: Any, nodes: Any, tally: Any) -> None:
    """Give the children room for histograms; the larger takes that of the node."""
    node = nodes[at]
    if not tally[FILL]:
        _give_back(node, tally)
        return
    small, large, _ = by_size(at, nodes)
    nodes[small, SLOT] = _take_slot(tally)
    nodes[large, SLOT] = node[SLOT] if node[SLOT] else _take_slot(tally)


@inner_loop()
def _bear(
    at: Any, nodes: Any, reals: Any, tally: Any, openings: Any, groups: Any,
    table: Any, rules: Any,
) -> None:  # fmt: skip
    """Write the children of a node: their sums, bounds, and the features left open."""
    node, left = nodes[at], tally[NODES]
    right = left + 1
    node[LEFT], node[RIGHT] = left, right
    for child in range(left, left + 2):
        one, mine = nodes[child], child == left
        one[COUNT] = node[LEFT_COUNT] if mine else node[COUNT] - node[LEFT_COUNT]
        one[BEND] = node[LEFT_BEND] if mine else node[BEND] - node[LEFT_BEND]
        one[SLOPE] = node[LEFT_SLOPE] if mine else node[SLOPE] - node[LEFT_SLOPE]
        one[DEPTH], one[SLOT] = node[DEPTH] + 1, 0
        one[FEATURE], one[LEFT] = -1, -1
        reals[child, LOW], reals[child, HIGH] = reals[at, LOW], reals[at, HIGH]
        reals[child, GAIN] = -1.0
        for group in range(groups.shape[0]):
            inside = groups[group, node[FEATURE]]
            openings[child, group] = openings[at, group] & inside
    direction = table[node[FEATURE], MONOTONE]
    if direction != 0:
        middle = 0.0
        for child in range(left, left + 2):
            slope = nodes[child, SLOPE] * rules[SLOPE_GRAIN]
            bend = nodes[child, BEND] * rules[BEND_GRAIN]
            low, high = reals[at, LOW], reals[at, HIGH]
            middle += 0.5 * bounded_value(slope, bend, rules[STRENGTH], low, high)
        reals[left if direction > 0 else right, HIGH] = middle
        reals[right if direction > 0 else left, LOW] = middle
    tally[NODES] += 2
    tally[LEAVES] += 1


@inner_loop()
def _choose(nodes: Any, reals: Any, tally: Any, limits: Any) -> Any:
    """Return the node to split next, -1 if the tree is grown."""
    best: Any = -1
    last = limits[MAX_LEAVES] and tally[LEAVES] + 1 >= limits[MAX_LEAVES]
    if limits[MAX_LEAVES] == 0:
        if tally[WAITING]:
            tally[WAITING] -= 1
            best = np.int64(tally[-1 - tally[WAITING]])
    elif tally[LEAVES] < limits[MAX_LEAVES]:
        top = 0.0
        for at in range(tally[NODES]):
            if nodes[at, LEFT] < 0 and reals[at, GAIN] > top:
                best, top = at, reals[at, GAIN]
    if best >= 0:
        node = nodes[best]
        largest = max(node[LEFT_COUNT], node[COUNT] - node[LEFT_COUNT])
        useful = largest >= 2 * limits[MIN_ROWS]
        useful &= node[DEPTH] + 1 < limits[MAX_DEPTH]
        tally[FILL] = np.int64(useful and not last)
    return best


@inner_loop()
def _winner(which: int, best: Any) -> Any:
    """Return the part with the best split; of nearly equal ones the first asked for."""
    nodes, bits = best[0], best[1].view(np.int64)
    winner = 0
    for part in range(1, nodes.shape[0]):
        mine, other = nodes[part, which], nodes[winner, which]
        own, top = rank(bits[part, which, GAIN]), rank(bits[winner, which, GAIN])
        better = own > top or (own == top and mine[ASKED] < other[ASKED])
        if mine[FEATURE] >= 0 and (other[FEATURE] < 0 or better):
            winner = part
    return winner


@inner_loop()
def _judge(
    at: Any, which: int, nodes: Any, reals: Any, sets: Any, tally: Any, rules: Any,
    limits: Any, best: Any,
) -> None:  # fmt: skip
    """Write the best split that the parts have found, or make a leaf of a node."""
    node, winner = nodes[at], _winner(which, best)
    node[:], reals[at, GAIN] = best[0][winner, which], -1.0
    if node[FEATURE] >= 0:
        sets[at] = best[2][winner, which]
        gain = best[1][winner, which, GAIN]
        reals[at, GAIN] = gain - standing(node, reals[at], rules)
    if reals[at, GAIN] <= 0.0 or reals[at, GAIN] < rules[MIN_GAIN]:
        reals[at, GAIN] = -1.0
        _give_back(node, tally)
    elif limits[MAX_LEAVES] == 0:
        tally[-1 - tally[WAITING]] = at
        tally[WAITING] += 1


@inner_loop()
def conclude(
    at: Any, nodes: Any, reals: Any, sets: Any, tally: Any, groups: Any, openings: Any,
    table: Any, rules: Any, limits: Any, best: Any,
) -> Any:  # fmt: skip
    """Judge what the parts have found about the children of a node; return the next.

    The children of that one are born already; -1 if the tree is grown.
    """
    if at < 0 or tally[FILL]:
        small, large, _ = by_size(at, nodes)
        # On a stack what comes last comes off first: the smaller, so that few wait.
        if large >= 0:
            _judge(large, 1, nodes, reals, sets, tally, rules, limits, best)
        _judge(small, 0, nodes, reals, sets, tally, rules, limits, best)
    chosen = _choose(nodes, reals, tally, limits)
    if chosen >= 0:
        _bear(chosen, nodes, reals, tally, openings, groups, table, rules)
        _inherit(chosen, nodes, tally)
    return chosen
