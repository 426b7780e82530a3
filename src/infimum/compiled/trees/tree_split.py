"""The best split of one node."""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_frontier import (
    FEATURE,
    IS_SET,
    LOWER,
    SCORE,
    UPPER,
)
from infimum.compiled.trees.tree_order import order_keys
from infimum.compiled.trees.tree_parts import (
    Bounds,
    Growth,
    Keys,
    Measure,
    Ranks,
    Target,
    Workspace,
    borrower,
    inner,
    part_of,
)
from infimum.compiled.trees.tree_scan import scan_number, scan_numbers
from infimum.compiled.trees.tree_scan_quantiles import scan_quantiles
from infimum.compiled.trees.tree_split_plain import (
    draw_threshold,
    keep_split,
    lay_of,
    next_feature,
    try_plain,
)
from infimum.typing import Indices, Vector

__all__ = ["find_split"]

PLACE = 0xFFFFFFFF
NUMBER, CLASSES, NUMBERS, QUANTILES = 0, 1, 2, 3
#: Orders of categories that are tried when there are many classes.
ORDERS = 8


@borrower
def _write_keys(
    ranks: Indices, rows: Indices, absent: int, keys: Indices
) -> tuple[int, int, int]:
    """Write the keys of a node's rows, the missing last; return how many are not.

    Also their smallest and largest rank.
    """
    low, high, count, size = absent, -1, 0, rows.size
    end = size
    for i in range(size):
        rank = int(ranks[rows[i]])
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


@borrower
def _scan(
    target: Target, work: Workspace, run: Keys, measure: Measure, bounds: Bounds,
    level: float | None,
) -> tuple[float, int]:  # fmt: skip
    """Hand the keys to the loop of the target's family.

    Without a level the branch of quantiles is not even compiled.
    """
    if target.family == NUMBER:
        return scan_number(run, work.parts[0], work.weights, measure, bounds)
    if level is not None:
        return scan_quantiles(run, work, level, measure, bounds)
    return scan_numbers(run, work, target.width, measure)


@part_of
def _draw_threshold(
    table: Ranks, f: int, work: Workspace, count: int, low: int, high: int
) -> tuple[float, int]:
    """Draw a threshold between extremes; give keys the ranks 0 and 1 by their side."""
    values = table.values[table.starts[f] :]
    threshold, first = draw_threshold(values, low, high, work.state)
    lefts = 0
    for t in range(count):
        lefts += (work.keys[t] >> 32) <= first
    i, j = 0, lefts
    for t in range(count):  # no branch: half of them would be guessed wrong
        key = work.keys[t]
        side: Any = np.int64((key >> 32) > first)
        work.spare[i + side * (j - i)] = (side << 32) | (key & PLACE)
        i, j = i + 1 - side, j + side
    for t in range(count):
        work.keys[t] = work.spare[t]
    return threshold, first


@borrower
def _group_means(
    target: Target,
    work: Workspace,
    count: int,
    which: int,
    means: Vector,
    groups: Indices,
) -> int:
    """Write the mean of statistic `which` in each category; return how many they are.

    ``groups[t]`` is the number of the category of the t-th key.
    """
    g, w, s = -1, 0.0, 0.0
    for t in range(count):
        if t == 0 or (work.keys[t] ^ work.keys[t - 1]) > PLACE:
            g, w, s = g + 1, 0.0, 0.0
        i = work.keys[t] & PLACE
        if target.family == QUANTILES:
            part = work.weights[i] * work.parts[0, work.codes[i, 0]]
        elif target.family == CLASSES:
            part = work.weights[i] * (work.codes[i, 0] == which)
        else:
            part = work.parts[which, i]
        w += work.weights[i]
        s += part
        means[g] = s / w
        groups[t] = g
    return g + 1


@inner
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


@inner
def _order_categories(
    target: Target, work: Workspace, count: int, which: int, size: int
) -> None:
    """Sort keys by the means of their categories, which then are their ranks.

    For one number a row some cut of this order is the best of all 2^(k-1) - 1 sets
    (Fisher 1958); for others it is a good one.
    """
    means = np.empty(count)
    groups = np.empty(count, dtype=np.int64)
    number = _group_means(target, work, count, which, means, groups)
    place = _places(means, number)
    for t in range(count):
        work.keys[t] = (place[groups[t]] << 32) | (work.keys[t] & PLACE)
    first = int(np.int64(0))  # of one type with ranks, or it is compiled again
    order_keys(work.keys, work.spare, work.buckets, count, first, number - 1)


@inner
def _try_categories(
    growth: Growth, f: int, size: int, count: int, measure: Measure, bounds: Bounds,
    split: Vector,
) -> None:  # fmt: skip
    target, work = growth.target, growth.work
    tries = 1
    if target.family == CLASSES:
        tries = min(ORDERS, target.width)
    elif target.family == NUMBERS:
        tries = work.parts.shape[0]
    original = work.keys[:size].copy()
    for which in range(tries):
        for t in range(size):
            work.keys[t] = original[t]
        _order_categories(target, work, count, which, size)
        for side in range(2 if count < size else 1):
            run = Keys(work.keys, count, size, side == 1)
            score, p = _scan(target, work, run, measure, bounds, target.level)
            if p and keep_split(split, score, f, p, side, 0.0):
                split[IS_SET] = 1.0
                for t in range(size):
                    ahead = t < p if t < count else side == 1
                    work.sides[work.keys[t] & PLACE] = ahead


@part_of
def _try_numbers(
    growth: Growth, f: int, size: int, found: Any, measure: Measure, bounds: Bounds,
    split: Vector,
) -> None:  # fmt: skip
    (table, target, rules, work, _, _), (count, low, high) = growth, found
    threshold, cut = np.nan, 0
    if rules.random and low < high:
        threshold, cut = _draw_threshold(table, f, work, count, low, high)
    elif low < high:
        order_keys(work.keys, work.spare, work.buckets, count, low, high)
    for side in range(2 if count < size else 1):
        run = Keys(work.keys, count, size, side == 1)
        score, p = _scan(target, work, run, measure, bounds, target.level)
        if p and p == count:
            most = np.inf
            if rules.random:
                # The greatest value, also where its reader rounds to single precision.
                most = table.values[table.starts[f] + high]
                most = max(most, float(np.float32(most)))
            keep_split(split, score, f, high, 0, most)
        elif p and rules.random:
            keep_split(split, score, f, cut, side, threshold)
        elif p:
            rank = work.keys[p - 1] >> 32
            keep_split(split, score, f, rank, side, np.nan)


@part_of
def _try_feature(
    growth: Growth, f: int, rows: Indices, measure: Measure, real: Vector,
    split: Vector,
) -> bool:  # fmt: skip
    """Let a feature compete for the best split; tell whether it varies."""
    table, work, size = growth.table, growth.work, rows.size
    found = _write_keys(table.ranks[f], rows, table.counts[f], work.keys)
    count, low, high = found
    if count == 0 or (low == high and count == size):
        return False
    sign = int(np.int64(table.monotone[f]))
    bounds = Bounds(sign, real[LOWER], real[UPPER])
    if table.categorical[f]:
        order_keys(work.keys, work.spare, work.buckets, count, low, high)
        _try_categories(growth, f, size, count, measure, bounds, split)
    else:
        _try_numbers(growth, f, size, found, measure, bounds, split)
    return True


@part_of
def find_split(
    growth: Growth, rows: Indices, W: float, real: Vector, split: Vector
) -> bool:
    """Write the best split of a node over a few features; tell whether there is one.

    Features are drawn until enough have been seen and one of them varies.
    """
    table, target, rules, work, _, allowed = growth
    split[FEATURE], split[SCORE] = -1.0, -np.inf
    features, seen, varied = work.features, 0, False
    quick = target.family == NUMBER and not rules.random
    measure = Measure(
        work.totals[0], W, target.formula, rules.min_leaf, rules.min_weight
    )
    lay = lay_of(work)
    for k in range(features.size):
        if varied and seen >= rules.max_features:
            break
        f = next_feature(features, k, work.state, rules)
        if not allowed[f]:
            continue
        seen += 1
        if quick and table.plain[f]:
            varied |= try_plain(
                table.ranks[f], rows, lay, measure, rules.bins, f, split
            )
        else:
            varied |= _try_feature(growth, f, rows, measure, real, split)
    return bool(split[FEATURE] >= 0.0)
