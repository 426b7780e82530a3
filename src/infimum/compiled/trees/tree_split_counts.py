"""The best split of a node whose rows are of two classes and drawn a few times each.

That is what a forest's trees are grown from. Weight and class of a row fit into one
word, so that one addition counts both. Small nodes are not even sorted: each row asks
all others whether they lie below, eight at a time, which takes less time than a sort
that has to guess.
"""

from typing import Any

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.trees.tree_frontier import FEATURE, SCORE
from infimum.compiled.trees.tree_parts import Growth, Measure, borrower, part_of
from infimum.compiled.trees.tree_scan import SLACK, SQUARES, score_cut, score_side
from infimum.compiled.trees.tree_split_plain import MANY, keep_split, next_feature
from infimum.typing import Indices, Vector

__all__ = ["ROW", "TOGETHER", "Room", "split_counted_node"]

_U = np.uint64
#: An item is a row below, and above it its word: weight of class 1, weight of all.
ROW, WORD, HALF_WORD = 0xFFFFFFFF, 32, 16
LOW_HALF = 0xFFFF
#: Small nodes are filled up to a multiple of this, which loops take at a time.
TOGETHER = 32
LAST = np.int32(2**31 - 1)

#: Where a node is worked on: counts of each row, the same in short, ranks, sums of
#: class 1 and of all up to each cut, scores of the cuts, counts of bins.
Room = tuple[Indices, Indices, Indices, Vector, Vector, Vector, Indices]


@borrower
def _look_up(ranks: Indices, items: Indices, local: Indices) -> tuple[int, int]:
    """Write the ranks of a node's rows; return the lowest and the highest."""
    low: Any = ranks[_U(items[0] & ROW)]
    high = low
    for t in range(_U(items.size)):
        rank = ranks[_U(items[t] & ROW)]
        local[t] = rank
        low = min(low, rank)
        high = max(high, rank)
    return low, high


@borrower
def _ask_all(local: Indices, short: Indices, size: int, s: Vector, w: Vector) -> None:
    """Write, for each row, what all rows up to its rank add up to."""
    full = (size + TOGETHER - 1) // TOGETHER * TOGETHER
    for i in range(size):
        mine, total = local[i], np.int32(0)
        for j in range(full):
            total = np.int32(total + (short[j] if local[j] <= mine else np.int32(0)))
        s[i], w[i] = total >> HALF_WORD, total & LOW_HALF


@borrower
def _fill_bins(
    local: Indices, counts: Indices, size: int, low: int, shift: int, bins: Indices
) -> None:
    bins[:] = 0
    for t in range(_U(size)):
        bins[_U((local[t] - low) >> shift)] += counts[t]


@borrower
def _add_up(bins: Indices, s: Vector, w: Vector) -> None:
    total = np.int64(0)
    for b in range(bins.size):
        total += bins[b]
        s[b], w[b] = total >> WORD, total & ROW


@borrower
def _score_cuts(s: Vector, w: Vector, measure: Measure, scores: Vector) -> None:
    """Write the scores of cuts; minus infinity where a side weighs too little."""
    S, W, formula, least = measure.S, measure.W, measure.formula, measure.min_weight
    if formula != SQUARES:
        for k in range(scores.size):
            heavy = min(w[k], W - w[k]) >= least
            scores[k] = score_cut(formula, s[k], w[k], S, W) if heavy else -np.inf
        return
    for k in range(scores.size):
        t, v = S - s[k], W - w[k]
        value = (s[k] * s[k] * v + t * t * w[k]) / (w[k] * v)
        scores[k] = value if (w[k] >= least) & (v >= least) else -np.inf


@inner_loop(borrows=True, fastmath={"nnan", "nsz"})
def _largest(scores: Vector) -> float:
    best = -np.inf
    for k in range(scores.size):
        best = max(best, scores[k])
    return best


@borrower
def _try_feature(
    ranks: Indices, items: Indices, room: Room, measure: Measure, most: int, f: int,
    split: Vector,
) -> bool:  # fmt: skip
    """Let a feature compete for the best split; tell whether it varies.

    The cuts are those of `try_plain`: all of a small node, even bins in a large one.
    """
    counts, short, local, s, w, scores, bins = room
    size, shift = items.size, 0
    low, high = _look_up(ranks, items, local)
    if low == high:
        return False
    if size < MANY:
        number = size
        _ask_all(local, short, size, s, w)
    else:
        while ((high - low) >> shift) >= min(most, size >> 1):
            shift += 1
        number = ((high - low) >> shift) + 1
        _fill_bins(local, counts, size, low, shift, bins[:number])
        _add_up(bins[:number], s, w)
    _score_cuts(s, w, measure, scores[:number])
    best = _largest(scores[:number])
    if best == -np.inf:
        return True
    # Of cuts that are equally good the first one stands.
    bar, score, cut = best - SLACK * abs(best), best, int(np.int64(LAST))
    for k in range(number):
        place = int(local[k]) if size < MANY else low + ((k + 1) << shift) - 1
        if scores[k] >= bar and place < cut:
            cut, score = place, scores[k]
    keep_split(split, score, f, cut, 0, np.nan)
    return True


@borrower
def _lay_out(items: Indices, counts: Indices, short: Indices, local: Indices) -> Any:
    """Write what each row of a node counts; return the sum."""
    total, size = np.int64(0), items.size
    for t in range(size):
        word = items[t] >> WORD
        count = ((word >> HALF_WORD) << WORD) | (word & LOW_HALF)
        counts[t] = count
        total += count
    if size < MANY:
        full = (size + TOGETHER - 1) // TOGETHER * TOGETHER
        for t in range(size):
            short[t] = items[t] >> WORD
        for t in range(size, full):
            short[t], local[t] = 0, LAST
    return total


@part_of
def split_counted_node(growth: Growth, items: Indices, split: Vector) -> float:
    """Write the best split of a node and return what it gains; -1 if there is none.

    What `split_plain_node` does, draw by draw.
    """
    table, target, rules, work, _, room = growth
    features, formula = work.features, target.formula
    total = _lay_out(items, room[0], room[1], room[2])
    S, W = float(total >> WORD), float(total & ROW)
    split[FEATURE], split[SCORE] = -1.0, -np.inf
    if S in (0.0, W) or 2.0 * rules.min_weight > W:
        return -1.0
    # A side has rows, and all of them weigh 1 or more.
    measure = Measure(S, W, formula, rules.min_leaf, max(rules.min_weight, 0.5))
    varied = False
    for k in range(features.size):
        if varied and k >= rules.max_features:
            break
        f = next_feature(features, k, work.state, rules)
        varied |= _try_feature(
            table.ranks[f], items, room, measure, rules.bins, f, split
        )
    if split[FEATURE] < 0.0:
        return -1.0
    return float(max(0.0, split[SCORE] - score_side(formula, S, W)))
