"""The best cut of a table into two parts, for any number of classes."""

import math

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.trees.tree_parts import Columns
from infimum.typing import Indices, Matrix, Vector

__all__ = ["cut_classes"]

#: Rows of the loop's scratch: sums of what is left, of the missing, of the zeros that
#: are not stored, of nothing, and of one part.
LEFT, MISSING, ZEROS, NOTHING, PART = range(5)
SCRATCH = 5
GINI, ENTROPY, EXPONENTIAL = 1, 2, 3
PAIR = 2


@inner_loop(borrows=True)
def _term(share: float, weight: float, criterion: int) -> float:
    if criterion == GINI:
        return share * share / weight
    if share <= 0.0:
        return -math.inf if criterion == EXPONENTIAL else 0.0
    return (
        math.log(share)
        if criterion == EXPONENTIAL
        else share * math.log(share / weight)
    )


@inner_loop(borrows=True)
def _purity(shares: Vector, criterion: int) -> float:
    """Return how pure a part is, times its weight; the larger, the purer.

    0 counts what a majority vote gets right, 1 is Gini's, 2 the entropy's, and 3 the
    exponential risk of the best score: K times the geometric mean of the classes,
    negative.
    """
    weight = most = out = 0.0
    for k in range(shares.size):
        weight += max(shares[k], 0.0)
        most = max(most, shares[k])
    if criterion == 0 or weight <= 0.0:
        return most
    if criterion == EXPONENTIAL and shares.size == PAIR:
        return -2.0 * math.sqrt(max(shares[0], 0.0) * max(shares[1], 0.0))
    for k in range(shares.size):
        out += _term(shares[k], weight, criterion)
    if criterion == EXPONENTIAL:
        return -shares.size * math.exp(out / shares.size)
    return out


@inner_loop(borrows=True)
def _offer(
    sums: Matrix,
    extra: int,
    total: Vector,
    cut: int,
    found: tuple[float, int, bool],
    criterion: int,
    margin: float,
) -> tuple[float, int, bool]:
    """Keep the better of what was found and the cut of left + extra from the rest."""
    left, more, part = sums[LEFT], sums[extra], sums[PART]
    for k in range(part.size):
        part[k] = left[k] + more[k]
    value = _purity(part, criterion)
    for k in range(part.size):
        part[k] = total[k] - left[k] - more[k]
    value += _purity(part, criterion)
    if value > found[0] + margin:
        return value, cut, extra == MISSING
    return found


@inner_loop(borrows=True)
def _scan(
    columns: Columns, j: int, codes: Indices, weights: Vector, total: Vector,
    sums: Matrix, criterion: int, margin: float,
) -> tuple[float, int, bool]:  # fmt: skip
    """Return the best cut of one feature."""
    order, zero = columns.order, columns.zeros[j]
    start, stop, end = columns.starts[j], columns.known[j], columns.starts[j + 1]
    found, gap = (-math.inf, -1, False), end > stop
    last = stop if gap or zero == stop else stop - 1
    for step in range(2 * start, 2 * stop + 1):  # a cut, as its number says
        r = step // 2
        if step % 2 == 0:
            if r != zero:
                continue
            for k in range(total.size):
                sums[LEFT, k] += sums[ZEROS, k]
            cut = r < stop or gap
        else:
            sums[LEFT, codes[order[r]]] += weights[order[r]]
            cut = columns.ends[r] and r < last
        if cut:
            found = _offer(sums, NOTHING, total, step, found, criterion, margin)
            if gap:
                found = _offer(sums, MISSING, total, step, found, criterion, margin)
    return found


@loop()
def cut_classes(
    columns: Columns, first: int, last: int, codes: Indices, weights: Vector,
    total: Vector, criterion: int, margin: float,
) -> tuple[float, int, int, bool]:  # fmt: skip
    """Return the greatest purity of two parts, its cut, its feature, and missing left.

    Cuts and ties are as in `cut_signs`.
    """
    best, cut, feature, side = -math.inf, -1, -1, False
    sums = np.empty((SCRATCH, total.size))
    for j in range(first, last):
        sums[:] = 0.0
        sums[ZEROS] += total
        for r in range(columns.starts[j], columns.starts[j + 1]):
            i = columns.order[r]
            sums[ZEROS, codes[i]] -= weights[i]
            if r >= columns.known[j]:
                sums[MISSING, codes[i]] += weights[i]
        found = _scan(columns, j, codes, weights, total, sums, criterion, margin)
        if found[0] > best + margin:
            best, cut, side = found
            feature = j
    return best, cut, feature, side
