"""The best place to cut rows that are in order, for the loss of quantiles.

The loss of a group is that of its own quantile. Rows join the group one by one; two
Fenwick trees over the order of the targets keep the sums that the loss is made of.
"""

import numpy as np

from infimum.compiled.trees.tree_parts import inner
from infimum.typing import Indices, Matrix, Vector

__all__ = ["quantile_loss", "scan_quantiles"]

PLACE = 0xFFFFFFFF
SLACK = 1e-13


@inner
def _empty(sums: Matrix) -> None:
    for j in range(sums.shape[1]):
        sums[0, j] = sums[1, j] = 0.0


@inner
def _join(sums: Matrix, at: int, weight: float, part: float) -> None:
    """Add a row whose target is the at-th smallest of the node."""
    j = at + 1
    while j < sums.shape[1]:
        sums[0, j] += weight
        sums[1, j] += part
        j += j & -j


@inner
def _descend(sums: Matrix, goal: float) -> tuple[int, float, float]:
    """Return how many targets weigh less than the goal together, and their sums."""
    size = sums.shape[1]
    step = 1
    while 2 * step < size:
        step *= 2
    at, below, part = 0, 0.0, 0.0
    while step:
        if at + step < size and below + sums[0, at + step] < goal:
            at += step
            below += sums[0, at]
            part += sums[1, at]
        step >>= 1
    return min(at, size - 2), below, part


@inner
def _loss(
    sums: Matrix,
    sorted_targets: Vector,
    w: float,
    s: float,
    level: float,
    middle: bool,  # noqa: FBT001
) -> tuple[float, float]:
    """Return the loss of the group and its quantile: of several the least or middle."""
    at, below, part = _descend(sums, level * w * (1.0 - 1e-12))
    q = sorted_targets[at]
    # Rows below the quantile lie in `below` and `part`; those at it cost nothing.
    above = (s - part) - q * (w - below)
    loss = level * above + (1.0 - level) * (q * below - part)
    if middle:
        last = _descend(sums, level * w * (1.0 + 1e-12))[0]
        q = q / 2.0 + sorted_targets[last] / 2.0
    return loss, q


@inner
def quantile_loss(
    sums: Matrix, targets: Vector, weights: Vector, level: float
) -> tuple[float, float]:
    """Return the loss of a group whose targets are sorted, and its quantile."""
    _empty(sums)
    w = s = 0.0
    for i in range(targets.size):
        _join(sums, i, weights[i], weights[i] * targets[i])
        w += weights[i]
        s += weights[i] * targets[i]
    return _loss(sums, targets, w, s, level, w > 0.0)


@inner
def _one_way(
    keys: Indices,
    order: Indices,
    first: int,
    last: int,
    step: int,
    losses: Matrix,
    sums: Matrix,
    places: Indices,
    targets: Vector,
    weights: Vector,
    level: float,
    middle: bool,  # noqa: FBT001
    group: Vector,
) -> None:
    """Let rows join from one end; write loss, quantile and weight after each."""
    w, s = group[0], group[1]
    for t in range(first, last, step):
        i = keys[t] & PLACE
        at = places[i]
        w += weights[i]
        s += weights[i] * targets[at]
        _join(sums, at, weights[i], weights[i] * targets[at])
        ends = t + step < 0 or t + step >= order.size
        if ends or (keys[t] ^ keys[t + step]) > PLACE:
            losses[0, t], losses[1, t] = _loss(sums, targets, w, s, level, middle)
            losses[2, t] = w
    group[0], group[1] = w, s


@inner
def scan_quantiles(
    keys: Indices,
    count: int,
    size: int,
    missing_left: bool,  # noqa: FBT001
    places: Indices,
    targets: Vector,
    weights: Vector,
    level: float,
    losses: Matrix,
    sums: Matrix,
    min_leaf: int,
    min_weight: float,
    sign: int,
    lower: float,
    upper: float,
) -> tuple[float, int]:
    """Return what `scan_number` does; `places` are the targets' places in their order.

    `losses` are 6 × size and `sums` 2 × (size + 1), to work on.
    """
    group = np.zeros(2)
    order = keys[:count]
    lone = count < size and not missing_left
    for side in range(2):
        _empty(sums)
        group[0] = group[1] = 0.0
        if (side == 0) == missing_left and count < size:
            _one_way(
                keys, keys[:size], count, size, 1, losses[3 * side :], sums, places,
                targets, weights, level, sign != 0, group,
            )  # fmt: skip
            if lone:
                for j in range(3, 6):
                    losses[j, count] = losses[j, size - 1]
        first, last, step = (0, count, 1) if side == 0 else (count - 1, -1, -1)
        _one_way(
            keys, order, first, last, step, losses[3 * side :], sums, places, targets,
            weights, level, sign != 0, group,
        )  # fmt: skip
    ahead = size - count if missing_left else 0
    return _choose(
        keys, count, size, ahead, lone, losses, min_leaf, min_weight, sign, lower, upper
    )


@inner
def _choose(
    keys: Indices,
    count: int,
    size: int,
    ahead: int,
    lone: bool,  # noqa: FBT001
    losses: Matrix,
    min_leaf: int,
    min_weight: float,
    sign: int,
    lower: float,
    upper: float,
) -> tuple[float, int]:
    best, bar, at = -np.inf, -np.inf, 0
    for p in range(1, count + 1 if lone else count):
        if p < count and (keys[p] ^ keys[p - 1]) <= PLACE:
            continue
        if min(ahead + p, size - ahead - p) < min_leaf:
            continue
        if min(losses[2, p - 1], losses[5, p]) < min_weight:
            continue
        a, b = losses[1, p - 1], losses[4, p]
        value = -losses[0, p - 1] - losses[3, p]
        ordered = (b - a) * sign >= 0.0 and lower <= min(a, b) and max(a, b) <= upper
        if value > bar and (sign == 0 or ordered):
            best, bar, at = value, value + SLACK * abs(value), p
    return best, at
