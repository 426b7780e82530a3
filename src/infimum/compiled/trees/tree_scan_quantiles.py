"""The best place to cut rows that are in order, for the loss of quantiles.

The loss of a group is that of its own quantile. Rows join the group one by one; two
Fenwick trees over the order of the targets keep the sums that the loss is made of.
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
from infimum.compiled.trees.tree_scan import admits
from infimum.typing import Indices, Matrix

__all__ = ["Joining", "quantile_loss", "scan_quantiles"]

PLACE = 0xFFFFFFFF
SLACK = 1e-13


class Joining(NamedTuple):
    """Rows that join a group: their targets in order, their places in it, weights."""

    targets: Any
    places: Any
    weights: Any
    level: float
    middle: bool


@borrower
def _empty(sums: Matrix) -> None:
    for j in range(sums.shape[1]):
        sums[0, j] = sums[1, j] = 0.0


@borrower
def _join(sums: Matrix, at: int, weight: float, part: float) -> None:
    """Add a row whose target is the at-th smallest of the node."""
    j = at + 1
    while j < sums.shape[1]:
        sums[0, j] += weight
        sums[1, j] += part
        j += j & -j


@borrower
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


@borrower
def _loss(sums: Matrix, w: float, s: float, rows: Joining) -> tuple[float, float]:
    """Return the loss of the group and its quantile: of several the least or middle."""
    targets, level = rows.targets, rows.level
    at, below, part = _descend(sums, level * w * (1.0 - 1e-12))
    q = targets[at]
    # Rows below the quantile lie in `below` and `part`; those at it cost nothing.
    above = (s - part) - q * (w - below)
    loss = level * above + (1.0 - level) * (q * below - part)
    if rows.middle:
        last = _descend(sums, level * w * (1.0 + 1e-12))[0]
        q = q / 2.0 + targets[last] / 2.0
    return loss, q


@borrower
def quantile_loss(sums: Matrix, rows: Joining) -> tuple[float, float]:
    """Return the loss of a group whose targets are sorted, and its quantile."""
    _empty(sums)
    targets, weights = rows.targets, rows.weights
    w = s = 0.0
    for i in range(targets.size):
        _join(sums, i, weights[i], weights[i] * targets[i])
        w += weights[i]
        s += weights[i] * targets[i]
    return _loss(sums, w, s, rows)


@borrower
def _one_way(
    keys: Indices, steps: Any, losses: Matrix, sums: Matrix, rows: Joining, group: Any
) -> Any:
    """Let rows join from one end; write loss, quantile and weight after each.

    Returns the weight and the sum of the group.
    """
    (w, s), (first, last, step) = group, steps
    for t in range(first, last, step):
        i = keys[t] & PLACE
        at, weight = rows.places[i], rows.weights[i]
        w += weight
        s += weight * rows.targets[at]
        _join(sums, at, weight, weight * rows.targets[at])
        ends = t + step < 0 or t + step >= keys.size
        if ends or (keys[t] ^ keys[t + step]) > PLACE:
            losses[0, t], losses[1, t] = _loss(sums, w, s, rows)
            losses[2, t] = w
    return w, s


@borrower
def scan_quantiles(
    run: Keys, work: Workspace, level: float, measure: Measure, bounds: Bounds
) -> tuple[float, int]:
    """Return what `scan_number` does, for losses of quantiles."""
    keys, count, size, missing_left = run
    losses, sums = work.losses, work.histogram[:, : size + 1]
    rows = Joining(
        work.parts[0], work.codes[:, 0], work.weights, level, bounds.sign != 0
    )
    lone = count < size and not missing_left
    for side in range(2):
        _empty(sums)
        group, own = (0.0, 0.0), losses[3 * side :]
        if (side == 0) == missing_left and count < size:
            group = _one_way(keys[:size], (count, size, 1), own, sums, rows, group)
            if lone:
                for j in range(3, 6):
                    losses[j, count] = losses[j, size - 1]
        steps = (0, count, 1) if side == 0 else (count - 1, -1, -1)
        _one_way(keys[:count], steps, own, sums, rows, group)
    return _choose(run, lone, losses, measure, bounds)


@borrower
def _choose(
    run: Keys,
    lone: bool,  # noqa: FBT001
    losses: Matrix,
    measure: Measure,
    bounds: Bounds,
) -> tuple[float, int]:
    keys, count, size, missing_left = run
    ahead = size - count if missing_left else 0
    best, bar, at = -np.inf, -np.inf, 0
    for p in range(1, count + 1 if lone else count):
        if p < count and (keys[p] ^ keys[p - 1]) <= PLACE:
            continue
        if min(ahead + p, size - ahead - p) < measure.min_leaf:
            continue
        if min(losses[2, p - 1], losses[5, p]) < measure.min_weight:
            continue
        value = -losses[0, p - 1] - losses[3, p]
        if value > bar and (
            bounds.sign == 0 or admits(losses[1, p - 1], losses[4, p], bounds)
        ):
            best, bar, at = value, value + SLACK * abs(value), p
    return best, at
