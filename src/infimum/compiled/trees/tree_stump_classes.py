"""The best cut of a table into two parts, for any number of classes."""

import math

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["cut_classes"]

#: Rows of the loop's scratch: sums of what is left, of the missing, of the zeros that
#: are not stored, of nothing, and of one part.
LEFT, MISSING, ZEROS, NOTHING, PART = 0, 1, 2, 3, 4
GINI, ENTROPY, EXPONENTIAL = 1, 2, 3
PAIR = 2


@inner_loop()
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


@inner_loop()
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


@inner_loop()
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


@inner_loop()
def _scan(
    order: Indices,
    ends: Mask,
    start: int,
    stop: int,
    end: int,
    zero: int,
    codes: Indices,
    weights: Vector,
    total: Vector,
    sums: Matrix,
    criterion: int,
    margin: float,
) -> tuple[float, int, bool]:
    """Return the best cut of one feature whose known values lie in start … stop."""
    found = (-math.inf, -1, False)
    gap = end > stop
    last = stop if gap or zero == stop else stop - 1
    for step in range(2 * start, 2 * stop + 1):  # a cut, as its number says
        r = step // 2
        if step % 2 == 0:
            if r != zero:
                continue
            sums[LEFT] += sums[ZEROS]
            cut = r < stop or gap
        else:
            sums[LEFT, codes[order[r]]] += weights[order[r]]
            cut = ends[r] and r < last
        if cut:
            found = _offer(sums, NOTHING, total, step, found, criterion, margin)
            if gap:
                found = _offer(sums, MISSING, total, step, found, criterion, margin)
    return found


@loop()
def cut_classes(
    order: Indices,
    starts: Indices,
    known: Indices,
    zeros: Indices,
    ends: Mask,
    first: int,
    last: int,
    codes: Indices,
    weights: Vector,
    total: Vector,
    sums: Matrix,
    criterion: int,
    margin: float,
) -> tuple[float, int, int, bool]:
    """Return the greatest purity of two parts, its cut, its feature, and missing left.

    Cuts and ties are as in `cut_signs`; `sums` is scratch of five rows.
    """
    best, cut, feature, side = -math.inf, -1, -1, False
    for j in range(first, last):
        start, stop, end = starts[j], known[j], starts[j + 1]
        sums[:] = 0.0
        sums[ZEROS] += total
        for r in range(start, end):
            k = codes[order[r]]
            sums[ZEROS, k] -= weights[order[r]]
            if r >= stop:
                sums[MISSING, k] += weights[order[r]]
        found = _scan(
            order,
            ends,
            start,
            stop,
            end,
            zeros[j],
            codes,
            weights,
            total,
            sums,
            criterion,
            margin,
        )
        if found[0] > best + margin:
            best, cut, side = found
            feature = j
    return best, cut, feature, side
