"""The rows of a node laid out side by side, with what they weigh and add up to."""

from typing import Any

import numpy as np

from infimum.compiled.trees.tree_order import order_keys
from infimum.compiled.trees.tree_parts import Target, Workspace, borrower
from infimum.compiled.trees.tree_scan import score_outputs, score_side
from infimum.compiled.trees.tree_scan_quantiles import Joining, quantile_loss
from infimum.typing import Indices, Vector

__all__ = ["measure_rows"]

PLACE = 0xFFFFFFFF
NUMBER = 0


@borrower
def _measure_number(
    target: Target, work: Workspace, weight: Vector, rows: Indices
) -> tuple[float, float, float, bool]:
    numbers, parts = target.numbers[:, 0], work.parts[0]
    s = W = 0.0
    first, varies = numbers[rows[0]], False
    for i in range(rows.size):
        w, y = weight[rows[i]], numbers[rows[i]]
        work.weights[i] = w
        parts[i] = w * y
        s += w * y
        W += w
        varies |= y != first
    work.totals[0] = s
    return W, score_side(target.formula, s, W), s / W, not varies


@borrower
def _measure_quantile(
    target: Target, work: Workspace, weight: Vector, rows: Indices, level: float
) -> tuple[float, float, float, bool]:
    """Write targets in their order, and the place of each row in it."""
    W, size = 0.0, rows.size
    low: Any = np.int64(target.order[rows[0]])
    high = low
    for i in range(size):
        rank = np.int64(target.order[rows[i]])
        low, high = min(low, rank), max(high, rank)
        work.keys[i] = (rank << 32) | i
        work.weights[i] = weight[rows[i]]
        W += work.weights[i]
    order_keys(work.keys, work.spare, work.buckets, size, low, high)
    sorted_weights = work.losses[0]
    for t in range(size):
        i = work.keys[t] & PLACE
        work.codes[i, 0] = t
        work.parts[0, t] = target.numbers[rows[i], 0]
        sorted_weights[t] = work.weights[i]
    own = Joining(
        work.parts[0, :size], work.codes[:, 0], sorted_weights[:size], level, W > 0.0
    )
    loss, value = quantile_loss(work.histogram[:, : size + 1], own)
    return W, -loss, value, low == high


@borrower
def _measure_many(
    target: Target, work: Workspace, weight: Vector, rows: Indices
) -> tuple[float, float, float, bool]:
    totals, width = work.totals, target.width
    for j in range(totals.size):
        totals[j] = 0.0
    W, varies = 0.0, False
    outputs = target.codes.shape[1] if width else target.numbers.shape[1]
    for i in range(rows.size):
        r = rows[i]
        w = weight[r]
        work.weights[i] = w
        W += w
        for o in range(outputs):
            if width:
                code = target.codes[r, o]
                work.codes[i, o] = code
                totals[o * width + code] += w
                varies |= code != target.codes[rows[0], o]
            else:
                work.parts[o, i] = w * target.numbers[r, o]
                totals[o] += work.parts[o, i]
                varies |= target.numbers[r, o] != target.numbers[rows[0], o]
    return W, score_outputs(target.formula, totals, W, width), 0.0, not varies


@borrower
def measure_rows(
    target: Target,
    work: Workspace,
    weight: Vector,
    rows: Indices,
    level: float | None,
) -> tuple[float, float, float, bool]:
    """Lay a node's rows on the workspace; return weight, score, value, if it is pure.

    Without a level the branch of quantiles is not even compiled.
    """
    if target.family == NUMBER:
        return _measure_number(target, work, weight, rows)
    if level is not None:
        return _measure_quantile(target, work, weight, rows, level)
    return _measure_many(target, work, weight, rows)
