"""The best threshold of a feature in the plainest and most frequent case.

One number or two classes to tell, nothing missing, no categories, no constraints. Loops
that pass few arrays take less time to call, which counts in small nodes.
"""

import numpy as np

from infimum.compiled.tree_order import order_keys
from infimum.compiled.tree_parts import inner
from infimum.compiled.tree_scan import scan_bins, scan_number
from infimum.typing import Indices, Matrix, Vector

__all__ = ["keep_split", "try_plain"]

#: Where things are in the description of a split.
SCORE, FEATURE, CUT, MISSING_LEFT, THRESHOLD, IS_SET = 0, 1, 2, 3, 4, 5
#: Rows from which on bins replace sorting, where they may.
MANY = 128


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
    low = high = int(ranks[rows[0]])
    for i in range(size):
        rank = int(ranks[rows[i]])
        keys[i] = (rank << 32) | i
        low = min(low, rank)
        high = max(high, rank)
    if low == high:
        return False
    if bins == 0 or size < MANY:
        order_keys(keys, spare, buckets, size, low, high)
        score, p = scan_number(
            keys, size, size, False, parts, weights, S, W, formula, min_leaf,
            min_weight, 0, -np.inf, np.inf,
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
