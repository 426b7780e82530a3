"""The best question to ask the rows of one node."""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_order import order_keys
from infimum.compiled.trees.tree_parts import Desk, Rules, Table, Target, inner, part_of
from infimum.compiled.trees.tree_scan import scan_number, scan_numbers
from infimum.compiled.trees.tree_scan_quantiles import scan_quantiles
from infimum.compiled.trees.tree_split_plain import (
    FEATURE,
    IS_SET,
    SCORE,
    draw,
    draw_threshold,
    keep_split,
    try_plain,
)
from infimum.typing import Indices, Vector

__all__ = ["find_split"]

PLACE = 0xFFFFFFFF
NUMBER, CLASSES, NUMBERS, QUANTILES = 0, 1, 2, 3
#: Orders of categories that are tried when there are many classes.
ORDERS = 8


@inner
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


@inner
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
    level: float | None,
) -> tuple[float, int]:
    """Hand the keys to the loop of the target's family.

    Without a level the branch of quantiles is not even compiled.
    """
    if target.family == NUMBER:
        return scan_number(
            desk.keys, count, size, missing_left, desk.parts[0], desk.weights,
            desk.totals[0], W, target.formula, rules.min_leaf, rules.min_weight, sign,
            bounds[0], bounds[1],
        )  # fmt: skip
    if level is not None:
        return scan_quantiles(
            desk.keys, count, size, missing_left, desk.codes[:, 0], desk.parts[0],
            desk.weights, level, desk.losses, desk.histogram[:, : size + 1],
            rules.min_leaf, rules.min_weight, sign, bounds[0], bounds[1],
        )  # fmt: skip
    return scan_numbers(
        desk.keys, count, size, missing_left, desk.weights, desk.parts, desk.codes,
        target.width, desk.left, desk.totals, W, target.formula, rules.min_leaf,
        rules.min_weight,
    )  # fmt: skip


@part_of
def _draw_threshold(
    table: Table, f: int, desk: Desk, count: int, low: int, high: int
) -> tuple[float, int]:
    """Draw a threshold between extremes; give keys the ranks 0 and 1 by their side."""
    values = table.values[table.starts[f] :]
    threshold, first = draw_threshold(values, low, high, desk.state)
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


@inner
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
        if target.family == QUANTILES:
            part = desk.weights[i] * desk.parts[0, desk.codes[i, 0]]
        elif target.family == CLASSES:
            part = desk.weights[i] * (desk.codes[i, 0] == which)
        else:
            part = desk.parts[which, i]
        w += desk.weights[i]
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
    first = int(np.int64(0))  # of one type with ranks, or it is compiled again
    order_keys(desk.keys, desk.spare, desk.buckets, count, first, number - 1)


@part_of
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
        tries = desk.parts.shape[0]
    original = desk.keys[:size].copy()
    for which in range(tries):
        for t in range(size):
            desk.keys[t] = original[t]
        _order_categories(target, desk, count, which, size)
        sign = int(np.int64(table.monotone[f]))  # 0, but of the type that numbers have
        for side in range(2 if count < size else 1):
            score, p = _scan(
                target, rules, desk, size, W, count, side == 1, sign, bounds,
                target.level,
            )  # fmt: skip
            if p and keep_split(split, score, f, p, side, 0.0):
                split[IS_SET] = 1.0
                for t in range(size):
                    ahead = t < p if t < count else side == 1
                    desk.sides[desk.keys[t] & PLACE] = ahead


@inner
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
        sign = int(np.int64(table.monotone[f]))
        score, p = _scan(
            target, rules, desk, size, W, count, side == 1, sign, bounds, target.level
        )
        if p and p == count:
            keep_split(split, score, f, high, 0, np.inf)
        elif p and rules.random:
            keep_split(split, score, f, cut, side, threshold)
        elif p:
            rank = desk.keys[p - 1] >> 32
            keep_split(split, score, f, rank, side, np.nan)


@part_of
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


@part_of
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
    quick = target.family == NUMBER and not rules.random
    for k in range(features.size):
        if varied and seen >= rules.max_features:
            break
        j = k
        if rules.max_features < features.size or rules.random:
            j = k + int(draw(desk.state) * (features.size - k))
        features[k], features[j] = features[j], features[k]
        f = features[k]
        if not allowed[f]:
            continue
        seen += 1
        if quick and table.plain[f]:
            varied |= try_plain(
                table.ranks[f], rows, desk.keys, desk.spare, desk.buckets,
                desk.parts[0], desk.weights, desk.histogram, desk.totals[0], W,
                target.formula, rules.min_leaf, rules.min_weight, rules.bins, f, split,
            )  # fmt: skip
        else:
            varied |= _try_feature(
                table, target, rules, desk, f, rows, W, bounds, split
            )
    return bool(split[FEATURE] >= 0.0)
