"""The best split of a node, found from its histograms."""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import (
    ASKED,
    BEND,
    BEND_GRAIN,
    BENDS,
    BIN,
    BINS,
    CATEGORICAL,
    COUNT,
    COUNTS,
    EXACT,
    FEATURE,
    GAIN,
    HIGH,
    IS_CATEGORICAL,
    LEFT_BEND,
    LEFT_COUNT,
    LEFT_SLOPE,
    LOW,
    MIN_BEND,
    MIN_ROWS,
    MISSING_LEFT,
    MONOTONE,
    SLOPE,
    SLOPE_GRAIN,
    SLOPES,
    STRENGTH,
    STRIDE,
    SUPPORT,
)
from infimum.compiled.boosting.boost_parts import Split, Terms
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop

__all__ = ["best_split", "bounded_value", "fall", "rank", "standing"]

#: Gains that differ only in so many of their last bits are equal: the first one stands.
TIE_BITS = 22
_U = np.uint64


@inner_loop(borrows=True)
def rank(bits: Any) -> Any:
    """Return the order of a gain, given its bits: equal for gains that are nearly so.

    What is best does not depend on who compares first, then: threads may share gains.
    """
    return (bits + (1 << (TIE_BITS - 1))) >> TIE_BITS


@inner_loop(borrows=True, error_model="numpy")
def bounded_value(slope: float, bend: float, l2: float, low: float, high: float) -> Any:
    """Return the step that lowers the quadratic model most, within bounds."""
    if not bend + l2 > 0.0:
        return min(max(0.0, low), high)
    return min(max(-slope / (bend + l2), low), high)


@inner_loop(borrows=True, error_model="numpy")
def standing(node: Any, real: Any, rules: Any) -> Any:
    """Return how far the model of a node falls before it is split."""
    slope, bend = node[SLOPE] * rules[SLOPE_GRAIN], node[BEND] * rules[BEND_GRAIN]
    value = bounded_value(slope, bend, rules[STRENGTH], real[LOW], real[HIGH])
    # Rounding alone must not look like progress.
    return max(fall(slope, bend, rules[STRENGTH], value), 0.0)


@loop(error_model="numpy")
def fall(slope: float, bend: float, l2: float, value: float) -> float:
    """Return by how much (twice) the quadratic model falls at a value."""
    return -value * (2.0 * slope + (bend + l2) * value)


@inner_loop(borrows=True, error_model="numpy")
def _free_gains(sides: Any, total: Any, rules: Any, gains: Any) -> None:
    """Write the falls of both children for each cut; -1 where a child is too small."""
    _, bend, slope = total
    l2, least_bend = rules[STRENGTH], rules[MIN_BEND]
    per_bend, per_slope = rules[BEND_GRAIN], rules[SLOPE_GRAIN]
    bends, slopes = sides[1], sides[2]
    for k in range(gains.size):
        h, g = bends[k] * per_bend, slopes[k] * per_slope
        other, rest = bend - h, slope - g
        value = g * g / (h + l2) + rest * rest / (other + l2)
        big = (h >= least_bend) & (other >= least_bend) & (value >= 0.0)
        gains[k] = value if big else -1.0


@inner_loop(borrows=True, error_model="numpy")
def _bounded_gains(sides: Any, total: Any, rules: Any, bounds: Any, gains: Any) -> None:
    """Write the same where values are bounded, or must rise or fall with x."""
    _, bend, slope = total
    low, high, direction = bounds
    l2, least_bend = rules[STRENGTH], rules[MIN_BEND]
    for k in range(gains.size):
        gains[k] = -1.0
        h, g = sides[1, k] * rules[BEND_GRAIN], sides[2, k] * rules[SLOPE_GRAIN]
        other, rest = bend - h, slope - g
        if min(h, other) < least_bend:
            continue
        left = bounded_value(g, h, l2, low, high)
        right = bounded_value(rest, other, l2, low, high)
        if direction * (right - left) >= 0.0:
            value = fall(g, h, l2, left) + fall(rest, other, l2, right)
            gains[k] = value if value >= 0.0 else -1.0


@inner_loop(borrows=True)
def _accumulate(run: Any, begin: Any, count: Any, least: Any, sides: Any) -> Any:
    """Write the running sums over bins in their order; return how many.

    A bin without rows makes no cut of its own, nor does a side with too few rows. The
    first line of `sides` says where the cuts are.
    """
    counts, bends, slopes = run
    places, heights, sums = sides[0], sides[1], sides[2]
    rows, bend, slope = begin
    k, stop, size = _U(0), _U(counts.size), _U(0)
    while k < stop and rows + counts[k] < least:
        rows += counts[k]
        bend += bends[k]
        slope += slopes[k]
        k += _U(1)
    while k < stop:
        own = counts[k]
        rows += own
        if rows > count - least:
            break
        bend += bends[k]
        slope += slopes[k]
        places[size], heights[size], sums[size] = k, bend, slope
        size += _U(own > 0)
        k += _U(1)
    return np.int64(size)


@inner_loop(borrows=True)
def _first_best(gains: Any) -> int:
    """Return the place of the first of the best gains; -1 if none is positive."""
    bits, top = gains.view(np.int64), np.int64(0)
    for k in range(bits.size):
        top = max(top, bits[k])
    bar = rank(top)
    for k in range(bits.size if bar > 0 else 0):
        if rank(bits[k]) == bar:
            return k
    return -1


@inner_loop(borrows=True)
def _cut(
    split: Split, run: Any, begin: Any, direction: float, terms: Terms, paper: Any
) -> Any:
    """Return the best place to cut bins in their order, or -1, and what it gains."""
    (node, real, _), (sides, gains), rules = split, paper, terms.rules
    size = _accumulate(run, begin, node[COUNT], terms.limits[MIN_ROWS], sides)
    total = (
        np.float64(node[COUNT]),
        node[BEND] * rules[BEND_GRAIN],
        node[SLOPE] * rules[SLOPE_GRAIN],
    )
    if direction != 0.0 or real[LOW] > -np.inf or real[HIGH] < np.inf:
        bounds = (real[LOW], real[HIGH], direction)
        _bounded_gains(sides, total, rules, bounds, gains[:size])
    else:
        _free_gains(sides, total, rules, gains[:size])
    best = _first_best(gains[:size])
    bits, now = gains.view(np.int64), real.view(np.int64)
    if best < 0 or rank(bits[best]) <= rank(now[GAIN]):
        return -1
    real[GAIN] = gains[best]
    return sides[0, best]


@inner_loop(borrows=True)
def _middle(run: Any, k: int) -> int:
    """Return the middle of the cuts that part the same rows as the first of them."""
    free = 0
    while k + 1 + free < run[0].size and run[COUNTS][k + 1 + free] == 0:
        free += 1
    return k + free // 2


@inner_loop(borrows=True)
def _keep(node: Any, run: Any, begin: Any, feature: int, k: int) -> None:
    """Write a split and the sums of its left side, in whole grains."""
    node[FEATURE], node[BIN] = feature, k
    node[LEFT_COUNT], node[LEFT_BEND], node[LEFT_SLOPE] = begin
    for t in range(k + 1):
        node[LEFT_COUNT] += run[COUNTS][t]
        node[LEFT_BEND] += run[BENDS][t]
        node[LEFT_SLOPE] += run[SLOPES][t]


@inner_loop(borrows=True)
def _try_numbers(
    split: Split, planes: Any, feature: int, terms: Terms, paper: Any
) -> None:
    """Try cuts between the bins of a number, the missing on either side."""
    node, goes_left = split.node, split.goes_left
    bins, direction = terms.table[feature, BINS], float(terms.table[feature, MONOTONE])
    start = feature * terms.limits[STRIDE]
    lost = start + bins
    missing = planes[COUNTS, lost]
    for side in range(2 if missing else 1):
        begin = (np.int64(0), np.int64(0), np.int64(0))
        if side:
            begin = missing, planes[BENDS, lost], planes[SLOPES, lost]
        # All that is known against all that is missing is a cut, too.
        last = bins if missing and not side else bins - 1
        stop = start + last
        run = planes[0, start:stop], planes[1, start:stop], planes[2, start:stop]
        k = _cut(split, run, begin, direction, terms, paper)
        if k >= 0:
            if terms.limits[EXACT]:
                k = _middle(run, k)
            _keep(node, run, begin, feature, k)
            bigger = 2 * node[LEFT_COUNT] > node[COUNT]
            node[MISSING_LEFT] = side if missing else np.int64(bigger)
            node[CATEGORICAL] = 0
            goes_left[:] = 0
            goes_left[: k + 1] = 1
            goes_left[bins] = node[MISSING_LEFT]


@inner_loop(error_model="numpy")
def _order_levels(planes: Any, start: int, bins: int, node: Any, support: int) -> Any:
    """Return the levels with enough rows, by their ratios of slope to curvature."""
    places = np.empty(bins + 1, dtype=np.int64)
    ratios = np.empty(bins + 1)
    shrink = float(support) * node[BEND] / max(node[COUNT], 1)
    count = 0
    for level in range(start, start + bins + 1):
        if planes[COUNTS, level] < support:
            continue
        ratio = planes[SLOPES, level] / (planes[BENDS, level] + shrink)
        at = count
        while at > 0 and ratios[at - 1] > ratio:
            ratios[at], places[at] = ratios[at - 1], places[at - 1]
            at -= 1
        ratios[at], places[at] = ratio, level
        count += 1
    return places[:count]


@inner_loop()
def _try_levels(
    split: Split, planes: Any, feature: int, terms: Terms, paper: Any
) -> None:
    """Try sets of categories: the first in the order of their ratios go left."""
    node, goes_left, limits = split.node, split.goes_left, terms.limits
    bins, start = terms.table[feature, BINS], feature * limits[STRIDE]
    places = _order_levels(planes, start, bins, node, limits[SUPPORT])
    begin = (np.int64(0), np.int64(0), np.int64(0))
    sorted_ = np.empty((3, 256), dtype=np.int64)
    for t in range(places.size):
        for plane in range(3):
            sorted_[plane, t] = planes[plane, places[t]]
    run = (
        sorted_[0, : places.size],
        sorted_[1, : places.size],
        sorted_[2, : places.size],
    )
    k = _cut(split, run, begin, 0.0, terms, paper)
    if k < 0:
        return
    _keep(node, run, begin, feature, k)
    node[CATEGORICAL] = 1
    goes_left[:] = 0
    for t in range(k + 1):
        goes_left[places[t] - start] = 1
    if planes[COUNTS, start + bins] == 0:
        goes_left[bins] = 2 * node[LEFT_COUNT] > node[COUNT]
    node[MISSING_LEFT] = goes_left[bins]


@inner_loop()
def best_split(
    split: Split, planes: Any, features: Any, strip: Any, terms: Terms
) -> None:
    """Write a node's best split and what it gains; a gain of -1 means there is none.

    Of the features those of a strip are tried. Until it is merged with those of other
    strips the gain contains what the node has without a split.
    """
    node, real = split.node, split.real
    paper = np.empty((3, 257), dtype=np.int64), np.empty(256)
    real[GAIN] = standing(node, real, terms.rules) * (1.0 + 1e-10)
    node[FEATURE] = -1
    for t in range(features.size):
        feature, before = features[t], real[GAIN]
        if not strip[0] <= feature < strip[1]:
            continue
        if terms.table[feature, IS_CATEGORICAL]:
            _try_levels(split, planes, feature, terms, paper)
        else:
            _try_numbers(split, planes, feature, terms, paper)
        if real[GAIN] > before:
            node[ASKED] = t
