"""The best split of a node in the plainest and most frequent case.

One number or two classes to tell, nothing missing, no categories, no constraints. Loops
that pass few arrays take less time to call, which counts in small nodes.
"""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_frontier import (
    CUT,
    FEATURE,
    IS_SET,
    MISSING_LEFT,
    SCORE,
    THRESHOLD,
)
from infimum.compiled.trees.tree_order import order_keys
from infimum.compiled.trees.tree_parts import (
    Bounds,
    Growth,
    Keys,
    Lay,
    Measure,
    Rules,
    Workspace,
    borrower,
    part_of,
)
from infimum.compiled.trees.tree_scan import (
    scan_bins,
    scan_number,
    score_cut,
    score_side,
)
from infimum.typing import Indices, Vector

__all__ = [
    "draw_threshold", "keep_split", "lay_of", "next_feature", "split_plain_node",
    "try_plain",
]  # fmt: skip

#: Rows from which on bins replace sorting, where they may.
MANY = 128
#: Rows up to which the last value below a threshold is looked for among themselves.
FEW = 32


@borrower
def draw(state: Any) -> float:
    """Return a number of [0, 1), and move the state of the generator (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@borrower
def _between(least: float, most: float, state: Any) -> float:
    u = draw(state)
    threshold = least * (1.0 - u) + most * u
    if threshold >= most or not threshold >= least:
        return least
    return threshold


@borrower
def next_feature(features: Indices, k: int, state: Any, rules: Rules) -> int:
    """Return the k-th feature to ask, by chance unless all are tried in their order."""
    j = k
    if rules.max_features < features.size or rules.random:
        j = k + int(draw(state) * (features.size - k))
    features[k], features[j] = features[j], features[k]
    return int(features[k])


@borrower
def draw_threshold(
    values: Vector, low: int, high: int, state: Any
) -> tuple[float, int]:
    """Draw a threshold between two values; return it and the last rank below it."""
    threshold = _between(values[low], values[high], state)
    first, last = low, high
    while first < last - 1:
        middle = (first + last) // 2
        if values[middle] <= threshold:
            first = middle
        else:
            last = middle
    return threshold, first


@borrower
def keep_split(
    split: Vector, score: float, feature: int, cut: int, left: int, threshold: float
) -> bool:
    """Write a split over a worse one; tell whether it was one."""
    if score <= split[SCORE] + 1e-13 * abs(split[SCORE]) and split[FEATURE] >= 0:
        return False
    split[SCORE], split[FEATURE], split[CUT] = score, feature, cut
    split[MISSING_LEFT], split[THRESHOLD], split[IS_SET] = left, threshold, 0.0
    return True


@part_of
def lay_of(work: Workspace) -> Lay:
    """Return what plain features need: fewer arrays take less time to pass."""
    return Lay(
        work.keys, work.spare, work.buckets, work.parts[0], work.weights,
        work.histogram,
    )  # fmt: skip


@borrower
def _fill_bins(lay: Lay, size: int, low: int, shift: int, number: int) -> None:
    histogram = lay.histogram
    for b in range(number):
        histogram[b, 0] = histogram[b, 1] = histogram[b, 2] = 0.0
    for i in range(size):
        b = ((lay.keys[i] >> 32) - low) >> shift
        histogram[b, 0] += lay.parts[i]
        histogram[b, 1] += lay.weights[i]
        histogram[b, 2] += 1.0


@borrower
def try_plain(
    ranks: Indices, rows: Indices, lay: Lay, measure: Measure, bins: int, f: int,
    split: Vector,
) -> bool:  # fmt: skip
    """Let a feature compete for the best split; tell whether it varies.

    With bins, large nodes try thresholds evenly spread in rank; the ranks of the node
    set the limits, so that bins get finer with every split.
    """
    size, keys = rows.size, lay.keys
    low: Any = np.int64(ranks[rows[0]])
    high = low
    for i in range(size):
        rank = np.int64(ranks[rows[i]])
        keys[i] = (rank << 32) | i
        low = min(low, rank)
        high = max(high, rank)
    if low == high:
        return False
    if bins == 0 or size < MANY:
        order_keys(keys, lay.spare, lay.buckets, size, low, high)
        # Of the types that other callers have, or the loop is compiled again.
        sign = int(np.int64(0))
        score, p = scan_number(
            Keys(keys, size, size, sign != 0), lay.parts, lay.weights, measure,
            Bounds(sign, -np.inf, np.inf),
        )  # fmt: skip
        if p:
            keep_split(split, score, f, keys[p - 1] >> 32, 0, np.nan)
        return True
    shift = 0
    while ((high - low) >> shift) >= min(bins, size >> 1):
        shift += 1
    number = ((high - low) >> shift) + 1
    _fill_bins(lay, size, low, shift, number)
    score, b = scan_bins(lay.histogram, number, size, measure)
    if b >= 0:
        keep_split(split, score, f, low + ((b + 1) << shift) - 1, 0, np.nan)
    return True


@borrower
def _last_up_to(
    values: Vector, keys: Indices, size: int, low: int, threshold: float
) -> int:
    """Return the largest of some ranks whose value is no larger than a threshold."""
    last: Any = low
    for i in range(size):
        if values[keys[i]] <= threshold:
            last = max(last, keys[i])
    return int(last)


@borrower
def _try_at_random(
    ranks: Indices, values: Vector, rows: Indices, lay: Lay, measure: Measure,
    state: Any, f: int, split: Vector,
) -> bool:  # fmt: skip
    """Let a feature compete at one threshold, drawn between the extremes of a node."""
    size, keys = rows.size, lay.keys
    low: Any = np.int64(ranks[rows[0]])
    high = low
    for i in range(size):
        rank = np.int64(ranks[rows[i]])
        keys[i] = rank
        low = min(low, rank)
        high = max(high, rank)
    if low == high:
        return False
    if size < FEW:  # a look at each is quicker than a search among all values
        threshold = _between(values[low], values[high], state)
        cut = _last_up_to(values, keys, size, low, threshold)
    else:
        threshold, cut = draw_threshold(values, low, high, state)
    s, w, lefts = 0.0, 0.0, 0
    for i in range(size):  # no branch: half of them would be guessed wrong
        inside = int(keys[i] <= cut)
        s += inside * lay.parts[i]
        w += inside * lay.weights[i]
        lefts += inside
    S, W, formula, min_leaf, min_weight = measure
    if min(lefts, size - lefts) >= min_leaf and min(w, W - w) >= min_weight:
        score = score_cut(formula, s, w, S, W)
        if score > -np.inf:
            keep_split(split, score, f, cut, 0, threshold)
    return True


@part_of
def split_plain_node(growth: Growth, rows: Indices, split: Vector) -> float:
    """Write the best split of a node and return what it gains; -1 if there is none.

    What `find_split` does where every feature is plain, draw by draw.
    """
    table, target, rules, work, weight, numbers = growth
    features, state = work.features, work.state
    lay = lay_of(work)
    S = W = 0.0
    first, varies = numbers[rows[0]], False
    for i in range(rows.size):
        w, y = weight[rows[i]], numbers[rows[i]]
        lay.weights[i], lay.parts[i] = w, w * y
        S += w * y
        W += w
        varies |= y != first
    split[FEATURE], split[SCORE] = -1.0, -np.inf
    if not varies or 2.0 * rules.min_weight > W:
        return -1.0
    measure = Measure(S, W, target.formula, rules.min_leaf, rules.min_weight)
    varied = False
    for k in range(features.size):
        if varied and k >= rules.max_features:
            break
        f = next_feature(features, k, state, rules)
        if rules.random:
            varied |= _try_at_random(
                table.ranks[f], table.values[table.starts[f] :], rows, lay, measure,
                state, f, split,
            )  # fmt: skip
        else:
            varied |= try_plain(
                table.ranks[f], rows, lay, measure, rules.bins, f, split
            )
    if split[FEATURE] < 0.0:
        return -1.0
    return float(max(0.0, split[SCORE] - score_side(target.formula, S, W)))
