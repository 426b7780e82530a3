"""The best place to cut rows that are in order, for impurities made of sums.

Up to what no cut can change, minus the impurity of a group of weight w whose targets
sum to s is s²/w (variance, Gini), s log(s/w) (entropy, Poisson) or s (mistakes), each
summed over classes or outputs; the larger the sum over both sides the better the cut.
"""

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.trees.tree_parts import (
    Bounds,
    Keys,
    Measure,
    Workspace,
    borrower,
)
from infimum.typing import Matrix, Vector

__all__ = [
    "admits",
    "scan_bins",
    "scan_number",
    "scan_numbers",
    "score_cut",
    "score_outputs",
    "score_side",
]

SQUARES, ENTROPY, MISTAKES, POISSON = 0, 1, 2, 3
PLACE = 0xFFFFFFFF
#: What is better by less than this share is the same: sums differ in their last digits
#: when a weight stands for repeated rows.
SLACK = 1e-13


class Outputs(NamedTuple):
    """Rows of classes or of several numbers, and the sums of them on both sides."""

    weights: Any
    parts: Any
    codes: Any
    left: Any
    right: Any


@borrower
def _times_log(s: float, w: float) -> float:
    return s * np.log(s / w) if s > 0.0 else 0.0


@borrower
def score_side(formula: int, s: float, w: float) -> float:
    """Return the score of one side from its only sum."""
    if formula == SQUARES:
        return s * s / w
    if formula == ENTROPY:
        return _times_log(s, w) + _times_log(w - s, w)
    if formula == MISTAKES:
        return max(s, w - s)
    return _times_log(s, w) if s > 0.0 else -np.inf


@borrower
def score_cut(formula: int, s: float, w: float, S: float, W: float) -> float:
    """Return the score of both sides, of which one has the sum s and the weight w."""
    t, v = S - s, W - w
    if formula == SQUARES:
        return (s * s * v + t * t * w) / (w * v)
    if formula == POISSON and min(s, t) <= SLACK * S:
        return -np.inf  # a side that counts nothing but rounding
    return score_side(formula, s, w) + score_side(formula, t, v)


@borrower
def admits(a: float, b: float, bounds: Bounds) -> bool:
    """Tell whether sides with the values a and b keep to order and bounds."""
    within = bounds.lower <= min(a, b) and max(a, b) <= bounds.upper
    return within and (b - a) * bounds.sign >= 0.0


@borrower
def scan_number(
    run: Keys, parts: Vector, weights: Vector, measure: Measure, bounds: Bounds
) -> tuple[float, int]:
    """Return the best score and how many keys are left of its cut; 0 for no cut."""
    keys, count, size, missing_left = run
    S, W, formula, min_leaf, min_weight = measure
    s = w = 0.0
    if missing_left:
        for t in range(count, size):
            i = keys[t] & PLACE
            s += parts[i]
            w += weights[i]
    ahead = size - count if missing_left else 0
    last = count if count < size and not missing_left else count - 1
    best, bar, at = -np.inf, -np.inf, 0
    for p in range(1, last + 1):
        i = keys[p - 1] & PLACE
        s += parts[i]
        w += weights[i]
        if p < count and (keys[p] ^ keys[p - 1]) <= PLACE:
            continue
        if min(ahead + p, size - ahead - p) < min_leaf or min(w, W - w) < min_weight:
            continue
        value = score_cut(formula, s, w, S, W)
        if value > bar and (
            bounds.sign == 0 or admits(s / w, (S - s) / (W - w), bounds)
        ):
            best, bar, at = value, value + SLACK * abs(value), p
    return best, at


@borrower
def scan_bins(
    histogram: Matrix, number: int, size: int, measure: Measure
) -> tuple[float, int]:
    """Return the same for bins of sums, weights and counts: the last bin on the left.

    What is in no bin is missing, and goes right.
    """
    S, W, formula, min_leaf, min_weight = measure
    s = w = n = 0.0
    best, bar, at = -np.inf, -np.inf, -1
    for b in range(number):
        if histogram[b, 2] == 0.0:
            continue
        s += histogram[b, 0]
        w += histogram[b, 1]
        n += histogram[b, 2]
        if n == size:
            break
        if min(n, size - n) < min_leaf or min(w, W - w) < min_weight:
            continue
        value = score_cut(formula, s, w, S, W)
        if value > bar:
            best, bar, at = value, value + SLACK * abs(value), b
    return best, at


@borrower
def _score_output(formula: int, sums: Vector, w: float) -> float:
    total = 0.0
    for j in range(sums.size):
        if formula == SQUARES:
            total += sums[j] * sums[j] / w
        elif formula == MISTAKES:
            total = max(total, sums[j])
        elif formula == POISSON and sums[j] <= 0.0:
            return -np.inf
        else:
            total += _times_log(sums[j], w)
    return total


@borrower
def _move(i: int, lay: Outputs, width: int) -> tuple[float, float]:
    """Move a row from right to left; return by how much the sums of squares grow."""
    gained = lost = 0.0
    weights, parts, codes, left, right = lay
    outputs = codes.shape[1] if width else parts.shape[0]
    for o in range(outputs):
        part = weights[i] if width else parts[o, i]
        j = o * width + codes[i, o] if width else o
        gained += part * (2.0 * left[j] + part)
        lost += part * (part - 2.0 * right[j])
        left[j] += part
        right[j] -= part
    return gained, lost


@borrower
def _score_sides(
    lay: Outputs, totals: Vector, w: float, measure: Measure, width: int
) -> float:
    """Return the score of both sides; of counts none may be 0 but for rounding."""
    left, right, formula = lay.left, lay.right, measure.formula
    for j in range(totals.size):
        if formula == POISSON and min(left[j], right[j]) <= SLACK * totals[j]:
            return -np.inf
    value = score_outputs(formula, left, w, width)
    return value + score_outputs(formula, right, measure.W - w, width)


@borrower
def scan_numbers(
    run: Keys, work: Workspace, width: int, measure: Measure
) -> tuple[float, int]:
    """Return what `scan_number` does, for `width` classes or for several numbers.

    Several outputs of classes are scored by `width` columns each.
    """
    keys, count, size, missing_left = run
    W, weights, totals = measure.W, work.weights, work.totals
    lay = Outputs(weights, work.parts, work.codes, work.left[0], work.left[1])
    squares, others, w = 0.0, 0.0, 0.0
    for j in range(totals.size):
        lay.left[j], lay.right[j] = 0.0, totals[j]
        others += totals[j] * totals[j]
    ahead = size - count if missing_left else 0
    for t in range(count, count + ahead):
        i = keys[t] & PLACE
        gained, lost = _move(i, lay, width)
        squares, others, w = squares + gained, others + lost, w + weights[i]
    last = count if count < size and not missing_left else count - 1
    best, bar, at = -np.inf, -np.inf, 0
    for p in range(1, last + 1):
        i = keys[p - 1] & PLACE
        gained, lost = _move(i, lay, width)
        squares, others, w = squares + gained, others + lost, w + weights[i]
        if p < count and (keys[p] ^ keys[p - 1]) <= PLACE:
            continue
        least = min(ahead + p, size - ahead - p)
        if least < measure.min_leaf or min(w, W - w) < measure.min_weight:
            continue
        value = squares / w + others / (W - w)
        if measure.formula != SQUARES:
            value = _score_sides(lay, totals, w, measure, width)
        if value > bar:
            best, bar, at = value, value + SLACK * abs(value), p
    return best, at


@borrower
def score_outputs(formula: int, sums: Vector, w: float, width: int) -> float:
    """Return the score of one side from the sums of its classes or outputs."""
    total, step = 0.0, width if width else sums.size
    for j in range(0, sums.size, step):
        total += _score_output(formula, sums[j : j + step], w)
    return total
