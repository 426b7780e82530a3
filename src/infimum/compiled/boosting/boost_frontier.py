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
from infimum.compiled.boosting.boost_parts import Finds, Growth, Terms
from infimum.compiled.boosting.boost_split import bounded_value, rank, standing
from infimum.compiled.inner_loop import inner_loop

__all__ = ["by_size", "conclude"]


@inner_loop(borrows=True)
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


@inner_loop(borrows=True)
def _take_slot(tally: Any) -> Any:
    """Return the number of a free histogram; 0, the scratch paper, if there is none."""
    if tally[FREE] == 0:
        return 0
    tally[FREE] -= 1
    return np.int64(tally[TALLIES + tally[FREE]])


@inner_loop(borrows=True)
def _give_back(node: Any, tally: Any) -> None:
    if node[SLOT]:
        tally[TALLIES + tally[FREE]] = node[SLOT]
        tally[FREE] += 1
        node[SLOT] = 0


@inner_loop(borrows=True)
def _inherit(at: Any, tree: Growth) -> None:
    """Give the children room for histograms; the larger takes that of the node."""
    nodes, tally = tree.nodes, tree.tally
    node = nodes[at]
    if not tally[FILL]:
        _give_back(node, tally)
        return
    small, large, _ = by_size(at, nodes)
    nodes[small, SLOT] = _take_slot(tally)
    nodes[large, SLOT] = node[SLOT] if node[SLOT] else _take_slot(tally)


@inner_loop(borrows=True)
def _part_bounds(at: Any, left: Any, direction: Any, tree: Growth, rules: Any) -> None:
    """Let the children of a monotone split keep to their side of its middle."""
    reals, middle = tree.reals, 0.0
    low, high = reals[at, LOW], reals[at, HIGH]
    for child in range(left, left + 2):
        slope = tree.nodes[child, SLOPE] * rules[SLOPE_GRAIN]
        bend = tree.nodes[child, BEND] * rules[BEND_GRAIN]
        middle += 0.5 * bounded_value(slope, bend, rules[STRENGTH], low, high)
    reals[left if direction > 0 else left + 1, HIGH] = middle
    reals[left + 1 if direction > 0 else left, LOW] = middle


@inner_loop(borrows=True)
def _bear(at: Any, tree: Growth, terms: Terms) -> None:
    """Write the children of a node: their sums, bounds, and the features left open."""
    nodes, reals, openings = tree.nodes, tree.reals, tree.openings
    node, left = nodes[at], tree.tally[NODES]
    node[LEFT], node[RIGHT] = left, left + 1
    for child in range(left, left + 2):
        one, mine = nodes[child], child == left
        one[COUNT] = node[LEFT_COUNT] if mine else node[COUNT] - node[LEFT_COUNT]
        one[BEND] = node[LEFT_BEND] if mine else node[BEND] - node[LEFT_BEND]
        one[SLOPE] = node[LEFT_SLOPE] if mine else node[SLOPE] - node[LEFT_SLOPE]
        one[DEPTH], one[SLOT] = node[DEPTH] + 1, 0
        one[FEATURE], one[LEFT] = -1, -1
        reals[child, LOW], reals[child, HIGH] = reals[at, LOW], reals[at, HIGH]
        reals[child, GAIN] = -1.0
        for group in range(terms.groups.shape[0]):
            inside = terms.groups[group, node[FEATURE]]
            openings[child, group] = openings[at, group] & inside
    direction = terms.table[node[FEATURE], MONOTONE]
    if direction != 0:
        _part_bounds(at, left, direction, tree, terms.rules)
    tree.tally[NODES] += 2
    tree.tally[LEAVES] += 1


@inner_loop(borrows=True)
def _choose(tree: Growth, limits: Any) -> Any:
    """Return the node to split next, -1 if the tree is grown."""
    nodes, reals, tally = tree.nodes, tree.reals, tree.tally
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


@inner_loop(borrows=True)
def _winner(which: int, finds: Finds) -> Any:
    """Return the part with the best split; of nearly equal ones the first asked for."""
    nodes, bits = finds.nodes, finds.reals.view(np.int64)
    winner = 0
    for part in range(1, nodes.shape[0]):
        mine, other = nodes[part, which], nodes[winner, which]
        own, top = rank(bits[part, which, GAIN]), rank(bits[winner, which, GAIN])
        better = own > top or (own == top and mine[ASKED] < other[ASKED])
        if mine[FEATURE] >= 0 and (other[FEATURE] < 0 or better):
            winner = part
    return winner


@inner_loop()
def _judge(at: Any, which: int, tree: Growth, terms: Terms, finds: Finds) -> None:
    """Write the best split that the parts have found, or make a leaf of a node."""
    node, real, tally = tree.nodes[at], tree.reals[at], tree.tally
    winner = _winner(which, finds)
    node[:], real[GAIN] = finds.nodes[winner, which], -1.0
    if node[FEATURE] >= 0:
        tree.sets[at] = finds.sets[winner, which]
        gain = finds.reals[winner, which, GAIN]
        real[GAIN] = gain - standing(node, real, terms.rules)
    if real[GAIN] <= 0.0 or real[GAIN] < terms.rules[MIN_GAIN]:
        real[GAIN] = -1.0
        _give_back(node, tally)
    elif terms.limits[MAX_LEAVES] == 0:
        tally[-1 - tally[WAITING]] = at
        tally[WAITING] += 1


@inner_loop()
def conclude(at: Any, tree: Growth, terms: Terms, finds: Finds) -> Any:
    """Judge what the parts have found about the children of a node; return the next.

    The children of that one are born already; -1 if the tree is grown.
    """
    if at < 0 or tree.tally[FILL]:
        small, large, _ = by_size(at, tree.nodes)
        # On a stack what comes last comes off first: the smaller, so that few wait.
        if large >= 0:
            _judge(large, 1, tree, terms, finds)
        _judge(small, 0, tree, terms, finds)
    chosen = _choose(tree, terms.limits)
    if chosen >= 0:
        _bear(chosen, tree, terms)
        _inherit(chosen, tree)
    return chosen
