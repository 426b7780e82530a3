"""The growth of one boosted tree: which node is split next, and what becomes of it.

Rows are kept in parts, one for each thread. Each part divides its rows of a node and
counts them; the first joins what all have found and chooses the next node.
"""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import (
    BEND,
    BEND_GRAIN,
    BENDS,
    COUNT,
    COUNTS,
    DEPTH,
    EXACT,
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
    MAX_FEATURES,
    MAX_LEAVES,
    MIN_GAIN,
    MIN_ROWS,
    MIN_SPLIT,
    MONOTONE,
    NODES,
    RIGHT,
    SEED,
    SLOPE,
    SLOPE_GRAIN,
    SLOPES,
    SLOT,
    STRENGTH,
    STRIDE,
    TALLIES,
    WAITING,
)
from infimum.compiled.boosting.boost_rows import divide, fill
from infimum.compiled.boosting.boost_split import best_split, bounded_value
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.spin_wait import announce, wait_for

__all__ = ["DONE", "NEXT", "OVER", "TURN", "grow_first", "grow_other", "settle"]

#: Places of the clock that threads share: the turn, the node it is about and, part by
#: part, the last turn done, on lines of the cache of their own.
TURN, NEXT, DONE = 0, 1, 8
#: What stands for no node any more.
OVER = -2


@inner_loop()
def _divide_part(
    at: Any, nodes: Any, sets: Any, tally: Any, limits: Any, codes: Any, words: Any,
    slopes: Any, fine: Any, rows: Any, spare: Any, spans: Any, found: Any,
) -> None:  # fmt: skip
    """Divide one part's rows of a node, and count those of its smaller child.

    For ``at = -1`` count all rows. Where the node's own histogram was not kept, count
    those of the larger child, too.
    """
    stride = limits[STRIDE]
    if at < 0:
        fill(words, rows[spans[0, 0] : spans[0, 1]], slopes, fine, stride, found[0])
        return
    node = nodes[at]
    middle = divide(codes[node[FEATURE]], sets[at], rows, spare, spans[at])
    left, right = tally[NODES], tally[NODES] + 1
    spans[left, 0], spans[left, 1] = spans[at, 0], middle
    spans[right, 0], spans[right, 1] = middle, spans[at, 1]
    if not tally[FILL]:
        return
    small, large = left, right
    if 2 * node[LEFT_COUNT] > node[COUNT]:
        small, large = right, left
    own = rows[spans[small, 0] : spans[small, 1]]
    fill(words, own, slopes, fine, stride, found[0])
    if node[SLOT] == 0:
        own = rows[spans[large, 0] : spans[large, 1]]
        fill(words, own, slopes, fine, stride, found[1])


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
def _join(found: Any, which: int, planes: Any) -> None:
    second = min(1, found.shape[0] - 1)
    for plane in range(planes.shape[0]):
        for k in range(planes.shape[1]):
            other = found[second, which, plane, k] if second else 0
            planes[plane, k] = found[0, which, plane, k] + other
        for part in range(2, found.shape[0]):
            for k in range(planes.shape[1]):
                planes[plane, k] += found[part, which, plane, k]


@inner_loop()
def _subtract(planes: Any, part: Any) -> None:
    for plane in range(planes.shape[0]):
        for k in range(planes.shape[1]):
            planes[plane, k] -= part[plane, k]


@inner_loop()
def _features_of(at: Any, openings: Any, groups: Any, limits: Any) -> Any:
    """Return the features a node may ask for: some of those its path leaves open.

    Of equally good ones the first is asked for.
    """
    d = groups.shape[1]
    features = np.empty(d, dtype=np.int64)
    count = 0
    for j in range(d):
        for group in range(groups.shape[0]):
            if openings[at, group] and groups[group, j]:
                features[count] = j
                count += 1
                break
    wanted = min(count, limits[MAX_FEATURES])
    if wanted < count or limits[EXACT]:
        state = np.uint64(limits[SEED]) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15)
        for t in range(wanted):
            state += np.uint64(0x9E3779B97F4A7C15)
            mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
            other = t + np.int64(mixed % np.uint64(count - t))
            features[t], features[other] = features[other], features[t]
    return features[:wanted]


@inner_loop()
def _examine(
    at: Any, nodes: Any, reals: Any, sets: Any, tally: Any, slots: Any, groups: Any,
    openings: Any, table: Any, rules: Any, limits: Any,
) -> None:  # fmt: skip
    """Find a node's best split from its histogram, or make a leaf of it."""
    node = nodes[at]
    reals[at, GAIN] = -1.0
    if node[COUNT] >= limits[MIN_SPLIT] and node[DEPTH] < limits[MAX_DEPTH]:
        features = _features_of(at, openings, groups, limits)
        best_split(node, reals[at], slots[node[SLOT]], features, table, sets[at],
                   rules, limits)  # fmt: skip
    if reals[at, GAIN] <= 0.0 or reals[at, GAIN] < rules[MIN_GAIN]:
        reals[at, GAIN] = -1.0
        _give_back(node, tally)
    elif limits[MAX_LEAVES] == 0:
        tally[-1 - tally[WAITING]] = at
        tally[WAITING] += 1


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
def _inherit(at: Any, nodes: Any, tally: Any, slots: Any, found: Any) -> Any:
    """Give the children their histograms; return them, the smaller first.

    The larger takes its parent's, less what the smaller has.
    """
    node = nodes[at]
    small, large = node[LEFT], node[RIGHT]
    if nodes[small, COUNT] > nodes[large, COUNT]:
        small, large = large, small
    nodes[small, SLOT] = _take_slot(tally)
    own = slots[nodes[small, SLOT]]
    _join(found, 0, own)
    if node[SLOT]:
        nodes[large, SLOT] = node[SLOT]
        _subtract(slots[node[SLOT]], own)
    else:
        nodes[large, SLOT] = _take_slot(tally)
    node[SLOT] = 0
    return small, large


@inner_loop()
def _plant(root: Any, tally: Any, slots: Any, found: Any, stride: int) -> None:
    """Write what the root is made of: the sums over the bins of any feature."""
    root[SLOT] = _take_slot(tally)
    planes = slots[root[SLOT]]
    _join(found, 0, planes)
    for k in range(stride):
        root[COUNT] += planes[COUNTS, k]
        root[BEND] += planes[BENDS, k]
        root[SLOPE] += planes[SLOPES, k]


@inner_loop()
def _settle(
    at: Any, nodes: Any, reals: Any, sets: Any, tally: Any, slots: Any, groups: Any,
    openings: Any, table: Any, rules: Any, limits: Any, found: Any,
) -> Any:  # fmt: skip
    """Join what the parts found about a node; return the next node to split, or -1."""
    first, second, borrowed = np.int64(0), np.int64(-1), False
    if at < 0:
        _plant(nodes[0], tally, slots, found, limits[STRIDE])
    else:
        _bear(at, nodes, reals, tally, openings, groups, table, rules)
        if not tally[FILL]:
            _give_back(nodes[at], tally)
            return _choose(nodes, reals, tally, limits)
        borrowed = nodes[at, SLOT] == 0
        second, first = _inherit(at, nodes, tally, slots, found)
        # On a stack what comes last comes off first: the smaller child, so that few
        # nodes wait. But scratch paper serves one child at a time, the smaller first.
        if borrowed:
            first, second = second, first
    for child in (first, second):
        if borrowed and child == second:
            _join(found, 1, slots[nodes[child, SLOT]])
        if child >= 0:
            _examine(child, nodes, reals, sets, tally, slots, groups, openings, table,
                     rules, limits)  # fmt: skip
    return _choose(nodes, reals, tally, limits)


@loop()
def settle(
    at: Any, nodes: Any, reals: Any, sets: Any, tally: Any, slots: Any, groups: Any,
    openings: Any, table: Any, rules: Any, limits: Any, found: Any,
) -> Any:  # fmt: skip
    """Make a node's step from histograms that others have filled; return the next."""
    return _settle(at, nodes, reals, sets, tally, slots, groups, openings, table, rules,
                   limits, found)  # fmt: skip


@loop()
def grow_first(
    clock: Any, nodes: Any, reals: Any, sets: Any, tally: Any, slots: Any, groups: Any,
    openings: Any, table: Any, rules: Any, limits: Any, codes: Any, words: Any,
    slopes: Any, fine: Any, rows: Any, spare: Any, spans: Any, found: Any,
) -> None:  # fmt: skip
    """Grow a whole tree, with the help of those who follow the same clock."""
    at, turn, parts = np.int64(-1), 0, found.shape[0]
    while True:
        turn += 1
        clock[NEXT] = at
        announce(clock, TURN, turn)
        _divide_part(at, nodes, sets, tally, limits, codes, words, slopes, fine, rows,
                    spare, spans, found[0])  # fmt: skip
        for part in range(1, parts):
            wait_for(clock, DONE * part, turn)
        at = _settle(at, nodes, reals, sets, tally, slots, groups, openings, table,
                    rules, limits, found)  # fmt: skip
        if at < 0:
            break
    clock[NEXT] = OVER
    announce(clock, TURN, turn + 1)


@loop()
def grow_other(
    clock: Any, part: int, nodes: Any, sets: Any, tally: Any, limits: Any, codes: Any,
    words: Any, slopes: Any, fine: Any, rows: Any, spare: Any, spans: Any, found: Any,
) -> None:  # fmt: skip
    """Do another part's share of every step until the tree is grown."""
    turn = 0
    while True:
        turn += 1
        wait_for(clock, TURN, turn)
        if clock[NEXT] == OVER:
            return
        _divide_part(clock[NEXT], nodes, sets, tally, limits, codes, words, slopes,
                    fine, rows, spare, spans, found)  # fmt: skip
        announce(clock, DONE * part, turn)
