"""The best question to ask the rows of one node."""

from typing import Any

import numpy as np
from numba import njit

from infimum.compiled.tree_order import order_keys
from infimum.compiled.tree_parts import INNER, Desk, Rules, Table, Target
from infimum.compiled.tree_scan import scan_bins, scan_number, scan_numbers
from infimum.compiled.tree_scan_quantiles import scan_quantiles
from infimum.typing import Indices, Vector

__all__ = ["draw", "find_split"]

PLACE = 0xFFFFFFFF
NUMBER, CLASSES, NUMBERS, QUANTILES = 0, 1, 2, 3
#: Where things are in the description of a split.
SCORE, FEATURE, CUT, MISSING_LEFT, THRESHOLD, IS_SET = 0, 1, 2, 3, 4, 5
#: Orders of categories that are tried when there are many classes.
ORDERS = 8


@njit(**INNER)
def draw(state: Any) -> float:
    """Return a number of [0, 1), and move the state of the generator (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * 2.0**-53


@njit(**INNER)
def _write_keys(
    ranks: Indices, rows: Indices, absent: int, keys: Indices
) -> tuple[int, int, int]:
    """Write the keys of a node's rows, the missing last; return how many are not.

    Also their smallest and largest rank.
    """
    low, high, count, size = np.int64(absent), np.int64(-1), 0, rows.size
    end = size
    for i in range(size):
        rank = np.int64(ranks[rows[i]])
        key = (rank << 32) | i
        if rank == absent:
            end -= 1
            keys[end] = key
            continue
        keys[count] = key
        count += 1
        low = min(low, rank)
        high = max(high, rank)
    return count, low, high


@njit(**INNER)
def _scan(
    target: Target,
    rules: Rules,
    desk: Desk,
    size: int,
    W: float,
    count: int,
    missing_left: bool,  # noqa: FBT001
    sign: int,
    bounds: Vector,
) -> tuple[float, int]:
    """Hand the keys to the loop of the target's family."""
    if target.family == NUMBER:
        return scan_number(
            desk.keys, count, size, missing_left, desk.parts[:, 0], desk.weights,
            desk.totals[0], W, target.formula, rules.min_leaf, rules.min_weight, sign,
            bounds[0], bounds[1],
        )  # fmt: skip
    if target.family == QUANTILES:
        return scan_quantiles(
            desk.keys, count, size, missing_left, desk.codes[:, 0], desk.parts[:, 0],
            desk.weights, target.level, desk.losses, desk.histogram[:, : size + 1],
            rules.min_leaf, rules.min_weight, sign, bounds[0], bounds[1],
        )  # fmt: skip
    return scan_numbers(
        desk.keys, count, size, missing_left, desk.weights, desk.parts, desk.codes,
        target.width, desk.left, desk.totals, W, target.formula, rules.min_leaf,
        rules.min_weight,
    )  # fmt: skip


@njit(**INNER)
def _keep(
    split: Vector, score: float, feature: int, cut: int, left: int, threshold: float
) -> bool:
    """Write a split over a worse one; tell whether it was one."""
    if score <= split[SCORE] + 1e-13 * abs(split[SCORE]) and split[FEATURE] >= 0:
        return False
    split[SCORE], split[FEATURE], split[CUT] = score, feature, cut
    split[MISSING_LEFT], split[THRESHOLD], split[IS_SET] = left, threshold, 0.0
    return True


@njit(**INNER)
def _draw_threshold(
    table: Table, f: int, desk: Desk, count: int, low: int, high: int
) -> tuple[float, int]:
    """Draw a threshold between extremes; give keys the ranks 0 and 1 by their side."""
    start = table.starts[f]
    least, most = table.values[start + low], table.values[start + high]
    u = draw(desk.state)
    threshold = least * (1.0 - u) + most * u
    if threshold >= most or not threshold >= least:
        threshold = least
    first, last = low, high
    while first < last - 1:
        middle = (first + last) // 2
        if table.values[start + middle] <= threshold:
            first = middle
        else:
            last = middle
    lefts = 0
    for t in range(count):
        lefts += (desk.keys[t] >> 32) <= first
    i, j = 0, lefts
    for t in range(count):
        key = desk.keys[t]
        if (key >> 32) <= first:
            desk.spare[i] = key & PLACE
            i += 1
        else:
            desk.spare[j] = (np.int64(1) << 32) | (key & PLACE)
            j += 1
    for t in range(count):
        desk.keys[t] = desk.spare[t]
    return threshold, first


@njit(**INNER)
def _group_means(
    target: Target, desk: Desk, count: int, which: int, means: Vector, groups: Indices
) -> int:
    """Write the mean of statistic `which` in each category; return how many they are.

    ``groups[t]`` is the number of the category of the t-th key.
    """
    g, w, s = -1, 0.0, 0.0
    for t in range(count):
        if t == 0 or (desk.keys[t] ^ desk.keys[t - 1]) > PLACE:
            g, w, s = g + 1, 0.0, 0.0
        i = desk.keys[t] & PLACE
        part = desk.parts[i, 0]
        if target.family == QUANTILES:
            part = desk.weights[i] * desk.parts[desk.codes[i, 0], 0]
        elif target.family == CLASSES:
            part = desk.weights[i] * (desk.codes[i, 0] == which)
        elif target.family == NUMBERS:
            part = desk.parts[i, which]
        w += desk.weights[i]
        s += part
        means[g] = s / w
        groups[t] = g
    return g + 1


@njit(**INNER)
def _places(means: Vector, number: int) -> Indices:
    """Return the place of each mean in their order (Shell 1959); equals by number."""
    order = np.empty(number, dtype=np.int64)
    place = np.empty(number, dtype=np.int64)
    for g in range(number):
        order[g] = g
    gap = number
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for t in range(gap, number):
            g, at = order[t], t
            while at >= gap and (
                means[order[at - gap]] > means[g]
                or (means[order[at - gap]] == means[g] and order[at - gap] > g)
            ):
                order[at] = order[at - gap]
                at -= gap
            order[at] = g
    for t in range(number):
        place[order[t]] = t
    return place


@njit(**INNER)
def _order_categories(
    target: Target, desk: Desk, count: int, which: int, size: int
) -> None:
    """Sort keys by the means of their categories, which then are their ranks.

    For one number a row some cut of this order is the best of all 2^(k-1) - 1 sets
    (Fisher 1958); for others it is a good one.
    """
    means = np.empty(count)
    groups = np.empty(count, dtype=np.int64)
    number = _group_means(target, desk, count, which, means, groups)
    place = _places(means, number)
    for t in range(count):
        desk.keys[t] = (place[groups[t]] << 32) | (desk.keys[t] & PLACE)
    order_keys(desk.keys, desk.spare, desk.buckets, count, 0, number - 1)


@njit(**INNER)
def _try_categories(
    table: Table,
    target: Target,
    rules: Rules,
    desk: Desk,
    f: int,
    size: int,
    W: float,
    count: int,
    bounds: Vector,
    split: Vector,
) -> None:
    tries = 1
    if target.family == CLASSES:
        tries = min(ORDERS, target.width)
    elif target.family == NUMBERS:
        tries = desk.parts.shape[1]
    original = desk.keys[:size].copy()
    for which in range(tries):
        for t in range(size):
            desk.keys[t] = original[t]
        _order_categories(target, desk, count, which, size)
        for side in range(2 if count < size else 1):
            score, p = _scan(target, rules, desk, size, W, count, side == 1, 0, bounds)
            if p and _keep(split, score, f, p, side, 0.0):
                split[IS_SET] = 1.0
                for t in range(size):
                    ahead = t < p if t < count else side == 1
                    desk.sides[desk.keys[t] & PLACE] = ahead


@njit(**INNER)
def _try_numbers(
    table: Table,
    target: Target,
    rules: Rules,
    desk: Desk,
    f: int,
    size: int,
    W: float,
    count: int,
    low: int,
    high: int,
    bounds: Vector,
    split: Vector,
) -> None:
    threshold, cut = np.nan, 0
    if rules.random and low < high:
        threshold, cut = _draw_threshold(table, f, desk, count, low, high)
    elif low < high:
        order_keys(desk.keys, desk.spare, desk.buckets, count, low, high)
    for side in range(2 if count < size else 1):
        sign = np.int64(table.monotone[f])
        score, p = _scan(target, rules, desk, size, W, count, side == 1, sign, bounds)
        if p and p == count:
            _keep(split, score, f, high, 0, np.inf)
        elif p and rules.random:
            _keep(split, score, f, cut, side, threshold)
        elif p:
            rank = desk.keys[p - 1] >> 32
            _keep(split, score, f, rank, side, np.nan)


@njit(**INNER)
def _try_bins(
    table: Table,
    target: Target,
    rules: Rules,
    desk: Desk,
    f: int,
    size: int,
    W: float,
    split: Vector,
    rows: Indices,
) -> bool:
    """Try thresholds evenly spread in rank; tell whether the feature varies.

    The ranks of the node set the limits, so that bins get finer with every split.
    """
    ranks, local, histogram = table.ranks[f], desk.spare, desk.histogram
    low, high = ranks[rows[0]], ranks[rows[0]]
    for i in range(size):
        rank = ranks[rows[i]]
        local[i] = rank
        low = min(low, rank)
        high = max(high, rank)
    if low == high:
        return False
    shift = 0
    while ((high - low) >> shift) >= rules.bins:
        shift += 1
    number = ((high - low) >> shift) + 1
    for b in range(number):
        histogram[b, 0] = histogram[b, 1] = histogram[b, 2] = 0.0
    for i in range(size):
        b = (local[i] - low) >> shift
        histogram[b, 0] += desk.parts[i, 0]
        histogram[b, 1] += desk.weights[i]
        histogram[b, 2] += 1.0
    score, b = scan_bins(
        histogram, number, desk.totals[0], W, size, target.formula, rules.min_leaf,
        rules.min_weight,
    )  # fmt: skip
    if b >= 0:
        cut = low + ((np.int64(b) + 1) << shift) - 1
        _keep(split, score, f, cut, 0, np.nan)
    return True


@njit(**INNER)
def _try_feature(
    table: Table,
    target: Target,
    rules: Rules,
    desk: Desk,
    f: int,
    rows: Indices,
    W: float,
    bounds: Vector,
    split: Vector,
) -> bool:
    """Let a feature compete for the best split; tell whether it varies."""
    size = rows.size
    if 0 < 4 * rules.bins <= size and table.plain[f]:
        return _try_bins(table, target, rules, desk, f, size, W, split, rows)
    absent = table.counts[f]
    count, low, high = _write_keys(table.ranks[f], rows, absent, desk.keys)
    if count == 0 or (low == high and count == size):
        return False
    if table.categorical[f]:
        order_keys(desk.keys, desk.spare, desk.buckets, count, low, high)
        _try_categories(table, target, rules, desk, f, size, W, count, bounds, split)
    else:
        _try_numbers(
            table, target, rules, desk, f, size, W, count, low, high, bounds, split
        )
    return True


@njit(**INNER)
def find_split(
    table: Table,
    target: Target,
    rules: Rules,
    desk: Desk,
    rows: Indices,
    W: float,
    bounds: Vector,
    allowed: Any,
    split: Vector,
) -> bool:
    """Write the best split of a node over a few features; tell whether there is one.

    Features are drawn until enough have been seen and one of them varies.
    """
    split[FEATURE], split[SCORE] = -1.0, -np.inf
    features, seen, varied = desk.features, 0, False
    for k in range(features.size):
        if varied and seen >= rules.max_features:
            break
        j = k
        if rules.max_features < features.size or rules.random:
            j = k + int(draw(desk.state) * (features.size - k))
        features[k], features[j] = features[j], features[k]
        f = features[k]
        if allowed[f]:
            seen += 1
            varied |= _try_feature(
                table, target, rules, desk, f, rows, W, bounds, split
            )
    return bool(split[FEATURE] >= 0.0)
