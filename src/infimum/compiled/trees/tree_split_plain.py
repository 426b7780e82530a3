"""The best split of a node in the plainest and most frequent case.

One number or two classes to tell, nothing missing, no categories, no constraints. Loops
that pass few arrays take less time to call, which counts in small nodes.
"""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_order import order_keys
from infimum.compiled.trees.tree_parts import inner
from infimum.compiled.trees.tree_scan import (
    scan_bins,
    scan_number,
    score_cut,
    score_side,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["draw", "draw_threshold", "keep_split", "split_plain_node", "try_plain"]

#: Where things are in the description of a split.
SCORE, FEATURE, CUT, MISSING_LEFT, THRESHOLD, IS_SET = 0, 1, 2, 3, 4, 5
#: Rows from which on bins replace sorting, where they may.
MANY = 128
#: Rows up to which the last value below a threshold is looked for among themselves.
FEW = 32


@inner
def draw(state: Any) -> float:
    """Return a number of [0, 1), and move the state of the generator (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@inner
def _between(least: float, most: float, state: Any) -> float:
    u = draw(state)
    threshold = least * (1.0 - u) + most * u
    if threshold >= most or not threshold >= least:
        return least
    return threshold


@inner
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


@inner
def keep_split(
    split: Vector, score: float, feature: int, cut: int, left: int, threshold: float
) -> bool:
    """Write a split over a worse one; tell whether it was one."""
    if score <= split[SCORE] + 1e-13 * abs(split[SCORE]) and split[FEATURE] >= 0:
        return False
    split[SCORE], split[FEATURE], split[CUT] = score, feature, cut
    split[MISSING_LEFT], split[THRESHOLD], split[IS_SET] = left, threshold, 0.0
    return True


@inner
def _fill_bins(
    local: Indices, size: int, low: int, shift: int, parts: Vector, weights: Vector,
    histogram: Matrix, number: int,
) -> None:  # fmt: skip
    for b in range(number):
        histogram[b, 0] = histogram[b, 1] = histogram[b, 2] = 0.0
    for i in range(size):
        b = ((local[i] >> 32) - low) >> shift
        histogram[b, 0] += parts[i]
        histogram[b, 1] += weights[i]
        histogram[b, 2] += 1.0


@inner
def try_plain(
    ranks: Indices,
    rows: Indices,
    keys: Indices,
    spare: Indices,
    buckets: Indices,
    parts: Vector,
    weights: Vector,
    histogram: Matrix,
    S: float,
    W: float,
    formula: int,
    min_leaf: int,
    min_weight: float,
    bins: int,
    f: int,
    split: Vector,
) -> bool:
    """Let a feature compete for the best split; tell whether it varies.

    With bins, large nodes try thresholds evenly spread in rank; the ranks of the node
    set the limits, so that bins get finer with every split.
    """
    size = rows.size
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
        order_keys(keys, spare, buckets, size, low, high)
        # Of the types that other callers have, or the loop is compiled again.
        sign = int(np.int64(0))
        score, p = scan_number(
            keys, size, size, sign != 0, parts, weights, S, W, formula, min_leaf,
            min_weight, sign, -np.inf, np.inf,
        )  # fmt: skip
        if p:
            keep_split(split, score, f, keys[p - 1] >> 32, 0, np.nan)
        return True
    shift = 0
    while ((high - low) >> shift) >= min(bins, size >> 1):
        shift += 1
    number = ((high - low) >> shift) + 1
    _fill_bins(keys, size, low, shift, parts, weights, histogram, number)
    score, b = scan_bins(histogram, number, S, W, size, formula, min_leaf, min_weight)
    if b >= 0:
        keep_split(split, score, f, low + ((b + 1) << shift) - 1, 0, np.nan)
    return True


@inner
def _last_up_to(
    values: Vector, keys: Indices, size: int, low: int, threshold: float
) -> int:
    """Return the largest of some ranks whose value is no larger than a threshold."""
    last: Any = low
    for i in range(size):
        if values[keys[i]] <= threshold:
            last = max(last, keys[i])
    return int(last)


@inner
def _try_at_random(
    ranks: Indices,
    values: Vector,
    rows: Indices,
    keys: Indices,
    parts: Vector,
    weights: Vector,
    S: float,
    W: float,
    formula: int,
    min_leaf: int,
    min_weight: float,
    state: Any,
    f: int,
    split: Vector,
) -> bool:
    """Let a feature compete at one threshold, drawn between the extremes of a node."""
    size = rows.size
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
        s += inside * parts[i]
        w += inside * weights[i]
        lefts += inside
    if min(lefts, size - lefts) >= min_leaf and min(w, W - w) >= min_weight:
        score = score_cut(formula, s, w, S, W)
        if score > -np.inf:
            keep_split(split, score, f, cut, 0, threshold)
    return True


@inner
def split_plain_node(
    ranks: Indices,
    starts: Indices,
    values: Vector,
    rows: Indices,
    weight: Vector,
    numbers: Vector,
    keys: Indices,
    spare: Indices,
    buckets: Indices,
    parts: Vector,
    weights: Vector,
    histogram: Matrix,
    features: Indices,
    state: Any,
    formula: int,
    min_leaf: int,
    min_weight: float,
    bins: int,
    max_features: int,
    random: bool,  # noqa: FBT001
    split: Vector,
) -> float:
    """Write the best split of a node and return what it gains; -1 if there is none.

    What `find_split` does where every feature is plain, draw by draw.
    """
    S = W = 0.0
    first, varies = numbers[rows[0]], False
    for i in range(rows.size):
        w, y = weight[rows[i]], numbers[rows[i]]
        weights[i], parts[i] = w, w * y
        S += w * y
        W += w
        varies |= y != first
    split[FEATURE], split[SCORE] = -1.0, -np.inf
    if not varies or 2.0 * min_weight > W:
        return -1.0
    varied = False
    for k in range(features.size):
        if varied and k >= max_features:
            break
        j = k
        if max_features < features.size or random:
            j = k + int(draw(state) * (features.size - k))
        features[k], features[j] = features[j], features[k]
        f = features[k]
        if random:
            varied |= _try_at_random(
                ranks[f], values[starts[f] :], rows, keys, parts, weights, S, W,
                formula, min_leaf, min_weight, state, f, split,
            )  # fmt: skip
        else:
            varied |= try_plain(
                ranks[f], rows, keys, spare, buckets, parts, weights, histogram, S, W,
                formula, min_leaf, min_weight, bins, f, split,
            )  # fmt: skip
    if split[FEATURE] < 0.0:
        return -1.0
    return float(max(0.0, split[SCORE] - score_side(formula, S, W)))
