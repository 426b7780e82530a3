"""The best split of one node."""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_order import order_keys
from infimum.compiled.trees.tree_parts import (
    Ranks,
    Rules,
    Target,
    Workspace,
    inner,
    part_of,
)
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
    work: Workspace,
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
            work.keys, count, size, missing_left, work.parts[0], work.weights,
            work.totals[0], W, target.formula, rules.min_leaf, rules.min_weight, sign,
            bounds[0], bounds[1],
        )  # fmt: skip
    if level is not None:
        return scan_quantiles(
            work.keys, count, size, missing_left, work.codes[:, 0], work.parts[0],
            work.weights, level, work.losses, work.histogram[:, : size + 1],
            rules.min_leaf, rules.min_weight, sign, bounds[0], bounds[1],
        )  # fmt: skip
    return scan_numbers(
        work.keys, count, size, missing_left, work.weights, work.parts, work.codes,
        target.width, work.left, work.totals, W, target.formula, rules.min_leaf,
        rules.min_weight,
    )  # fmt: skip


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


@inner
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


@part_of
def _try_categories(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
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
        tries = work.parts.shape[0]
    original = work.keys[:size].copy()
    for which in range(tries):
        for t in range(size):
            work.keys[t] = original[t]
        _order_categories(target, work, count, which, size)
        sign = int(np.int64(table.monotone[f]))  # 0, but of the type that numbers have
        for side in range(2 if count < size else 1):
            score, p = _scan(
                target, rules, work, size, W, count, side == 1, sign, bounds,
                target.level,
            )  # fmt: skip
            if p and keep_split(split, score, f, p, side, 0.0):
                split[IS_SET] = 1.0
                for t in range(size):
                    ahead = t < p if t < count else side == 1
                    work.sides[work.keys[t] & PLACE] = ahead


@inner
def _try_numbers(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
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
        threshold, cut = _draw_threshold(table, f, work, count, low, high)
    elif low < high:
        order_keys(work.keys, work.spare, work.buckets, count, low, high)
    for side in range(2 if count < size else 1):
        sign = int(np.int64(table.monotone[f]))
        score, p = _scan(
            target,
            rules,
            work,
            size,
            W,
            count,
            side == 1,
            sign,
            bounds,
            target.level,
        )
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
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
    f: int,
    rows: Indices,
    W: float,
    bounds: Vector,
    split: Vector,
) -> bool:
    """Let a feature compete for the best split; tell whether it varies."""
    size = rows.size
    absent = table.counts[f]
    count, low, high = _write_keys(table.ranks[f], rows, absent, work.keys)
    if count == 0 or (low == high and count == size):
        return False
    if table.categorical[f]:
        order_keys(work.keys, work.spare, work.buckets, count, low, high)
        _try_categories(table, target, rules, work, f, size, W, count, bounds, split)
    else:
        _try_numbers(
            table, target, rules, work, f, size, W, count, low, high, bounds, split
        )
    return True


@part_of
def find_split(
    table: Ranks,
    target: Target,
    rules: Rules,
    work: Workspace,
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
    features, seen, varied = work.features, 0, False
    quick = target.family == NUMBER and not rules.random
    for k in range(features.size):
        if varied and seen >= rules.max_features:
            break
        j = k
        if rules.max_features < features.size or rules.random:
            j = k + int(draw(work.state) * (features.size - k))
        features[k], features[j] = features[j], features[k]
        f = features[k]
        if not allowed[f]:
            continue
        seen += 1
        if quick and table.plain[f]:
            varied |= try_plain(
                table.ranks[f], rows, work.keys, work.spare, work.buckets,
                work.parts[0], work.weights, work.histogram, work.totals[0], W,
                target.formula, rules.min_leaf, rules.min_weight, rules.bins, f, split,
            )  # fmt: skip
        else:
            varied |= _try_feature(
                table, target, rules, work, f, rows, W, bounds, split
            )
    return bool(split[FEATURE] >= 0.0)
