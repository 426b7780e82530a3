"""The best split of a node, found from its histograms."""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import (
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
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop

__all__ = ["best_split", "bounded_value", "fall"]

#: Gains this close are equal, and the first one stands.
TIE = 1.0 + 1e-9


@inner_loop(error_model="numpy")
def bounded_value(slope: float, bend: float, l2: float, low: float, high: float) -> Any:
    """Return the step that lowers the quadratic model most, within bounds."""
    if not bend + l2 > 0.0:
        return min(max(0.0, low), high)
    return min(max(-slope / (bend + l2), low), high)


@loop(error_model="numpy")
def fall(slope: float, bend: float, l2: float, value: float) -> float:
    """Return by how much (twice) the quadratic model falls at a value."""
    return -value * (2.0 * slope + (bend + l2) * value)


@inner_loop(error_model="numpy")
def _free_gains(sides: Any, total: Any, rules: Any, least: int, gains: Any) -> None:
    """Write the falls of both children for each cut; -1 where a child is too small."""
    count, bend, slope = total
    l2, least_bend = rules[STRENGTH], rules[MIN_BEND]
    for k in range(gains.size):
        n, h, g = sides[0, k], sides[1, k], sides[2, k]
        other, rest = bend - h, slope - g
        value = g * g / (h + l2) + rest * rest / (other + l2)
        big = (n >= least) & (count - n >= least)
        gains[k] = value if big & (h >= least_bend) & (other >= least_bend) else -1.0


@inner_loop(error_model="numpy")
def _bounded_gains(
    sides: Any, total: Any, rules: Any, least: int, bounds: Any, gains: Any
) -> None:
    """Write the same where values are bounded, or must rise or fall with x."""
    count, bend, slope = total
    low, high, direction = bounds
    l2, least_bend = rules[STRENGTH], rules[MIN_BEND]
    for k in range(gains.size):
        gains[k] = -1.0
        n, h, g = sides[0, k], sides[1, k], sides[2, k]
        other, rest = bend - h, slope - g
        if min(n, count - n) < least or min(h, other) < least_bend:
            continue
        left = bounded_value(g, h, l2, low, high)
        right = bounded_value(rest, other, l2, low, high)
        if direction * (right - left) >= 0.0:
            gains[k] = fall(g, h, l2, left) + fall(rest, other, l2, right)


@inner_loop()
def _accumulate(run: Any, begin: Any, rules: Any, sides: Any) -> None:
    """Write the running sums over bins in their order."""
    count, bend, slope = begin
    per_bend, per_slope = rules[BEND_GRAIN], rules[SLOPE_GRAIN]
    for k in range(run.shape[1]):
        count += run[COUNTS, k]
        bend += run[BENDS, k]
        slope += run[SLOPES, k]
        sides[0, k] = count
        sides[1, k] = bend * per_bend
        sides[2, k] = slope * per_slope


@inner_loop()
def _first_best(gains: Any) -> int:
    best = -1
    top = 0.0
    for k in range(gains.size):
        if gains[k] > top * TIE:
            best, top = k, gains[k]
    return best


@inner_loop()
def _cut(
    node: Any, real: Any, run: Any, begin: Any, direction: float, rules: Any,
    limits: Any, sides: Any, gains: Any,
) -> int:  # fmt: skip
    """Return the best place to cut bins in their order, or -1."""
    size = run.shape[1]
    _accumulate(run, begin, rules, sides)
    total = (
        np.float64(node[COUNT]),
        node[BEND] * rules[BEND_GRAIN],
        node[SLOPE] * rules[SLOPE_GRAIN],
    )
    if direction != 0.0 or real[LOW] > -np.inf or real[HIGH] < np.inf:
        bounds = (real[LOW], real[HIGH], direction)
        _bounded_gains(sides, total, rules, limits[MIN_ROWS], bounds, gains[:size])
    else:
        _free_gains(sides, total, rules, limits[MIN_ROWS], gains[:size])
    return _first_best(gains[:size])


@inner_loop()
def _middle(run: Any, k: int) -> int:
    """Return the middle of the cuts that part the same rows as the first of them."""
    free = 0
    while k + 1 + free < run.shape[1] and run[COUNTS, k + 1 + free] == 0:
        free += 1
    return k + free // 2


@inner_loop()
def _keep(node: Any, run: Any, begin: Any, feature: int, k: int) -> None:
    """Write a split and the sums of its left side, in whole grains."""
    node[FEATURE], node[BIN] = feature, k
    node[LEFT_COUNT], node[LEFT_BEND], node[LEFT_SLOPE] = begin
    for t in range(k + 1):
        node[LEFT_COUNT] += run[COUNTS, t]
        node[LEFT_BEND] += run[BENDS, t]
        node[LEFT_SLOPE] += run[SLOPES, t]


@inner_loop()
def _try_numbers(
    node: Any, real: Any, planes: Any, feature: int, bins: int, direction: float,
    goes_left: Any, rules: Any, limits: Any, sides: Any, gains: Any,
) -> None:  # fmt: skip
    """Try cuts between the bins of a number, the missing on either side."""
    start = feature * limits[STRIDE]
    lost = start + bins
    missing = planes[COUNTS, lost]
    for side in range(2 if missing else 1):
        begin = (np.int64(0), np.int64(0), np.int64(0))
        if side:
            begin = missing, planes[BENDS, lost], planes[SLOPES, lost]
        # All that is known against all that is missing is a cut, too.
        last = bins if missing and not side else bins - 1
        run = planes[:, start : start + last]
        k = _cut(node, real, run, begin, direction, rules, limits, sides, gains)
        if k >= 0 and gains[k] > real[GAIN] * TIE:
            real[GAIN] = gains[k]
            if limits[EXACT]:
                k = _middle(run, k)
            _keep(node, run, begin, feature, k)
            bigger = 2 * node[LEFT_COUNT] > node[COUNT]
            node[MISSING_LEFT] = side if missing else np.int64(bigger)
            node[CATEGORICAL] = 0
            goes_left[:] = 0
            goes_left[: k + 1] = 1
            goes_left[bins] = node[MISSING_LEFT]


@inner_loop(error_model="numpy")
def _order_levels(
    planes: Any, start: int, bins: int, node: Any, rules: Any, support: int
) -> Any:
    """Return the levels with enough rows, by their ratios of slope to curvature."""
    places = np.empty(bins + 1, dtype=np.int64)
    ratios = np.empty(bins + 1)
    shrink = support * node[BEND] / max(node[COUNT], 1)
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
    node: Any, real: Any, planes: Any, feature: int, bins: int,
    goes_left: Any, rules: Any, limits: Any, sides: Any, gains: Any,
) -> None:  # fmt: skip
    """Try sets of categories: the first in the order of their ratios go left."""
    start = feature * limits[STRIDE]
    places = _order_levels(planes, start, bins, node, rules, limits[SUPPORT])
    begin = (np.int64(0), np.int64(0), np.int64(0))
    run = np.empty((3, 256), dtype=np.int64)[:, : places.size]
    for t in range(places.size):
        for plane in range(3):
            run[plane, t] = planes[plane, places[t]]
    k = _cut(node, real, run, begin, 0.0, rules, limits, sides, gains)
    if k < 0 or not gains[k] > real[GAIN] * TIE:
        return
    real[GAIN] = gains[k]
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
    node: Any, real: Any, planes: Any, features: Any, table: Any, goes_left: Any,
    rules: Any, limits: Any,
) -> None:  # fmt: skip
    """Write a node's best split and what it gains; a gain of -1 means there is none."""
    sides, gains = np.empty((3, 256)), np.empty(256)
    slope, bend = node[SLOPE] * rules[SLOPE_GRAIN], node[BEND] * rules[BEND_GRAIN]
    value = bounded_value(slope, bend, rules[STRENGTH], real[LOW], real[HIGH])
    # Rounding alone must not look like progress.
    now = max(fall(slope, bend, rules[STRENGTH], value), 0.0)
    real[GAIN] = now * (1.0 + 1e-10)
    node[FEATURE] = -1
    for t in range(features.size):
        feature = features[t]
        bins = table[feature, BINS]
        if table[feature, IS_CATEGORICAL]:
            _try_levels(node, real, planes, feature, bins, goes_left, rules, limits,
                        sides, gains)  # fmt: skip
        else:
            _try_numbers(node, real, planes, feature, bins,
                         float(table[feature, MONOTONE]), goes_left, rules, limits,
                         sides, gains)  # fmt: skip
    real[GAIN] = real[GAIN] - now if node[FEATURE] >= 0 else -1.0
