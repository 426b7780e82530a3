"""Where a learnt noise scale is 0: samples that a linear function meets exactly.

The objective of `ConcomitantRisk` has a corner there. No slope follows from residuals
that are 0, so the point and its proof are found by linear algebra instead: the shortest
function through the samples, and the shortest slopes that hold it in balance.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from infimum.objectives.concomitant_risk import (
    LARGEST_PROJECTION,
    ConcomitantRisk,
    DualSide,
)
from infimum.typing import Mask, Matrix, Vector

__all__ = ["corner_bound", "corner_point"]

#: Singular values below this share of the largest are rounding.
ROUNDING = 1e-12
#: Numbers in the table that is decomposed, at most.
LARGEST_TABLE = 20_000_000


def corner_point(risk: ConcomitantRisk, point: Vector, met: Mask) -> Vector | None:
    """Return the best point whose residuals are 0 on the samples that are `met`.

    The other samples keep the signs of their residuals at `point`. None where no
    function meets all of them, or the table is too large to decompose.
    """
    table = _table(risk)
    if table is None or not met.any():
        return None
    rows, y = table[met], risk.y[met]
    lengths, axes = _axes(rows)
    through = axes.T @ ((axes @ (rows.T @ y)) / lengths**2)
    if np.abs(rows @ through - y).max() > 1e-9 * np.abs(risk.y).max(initial=0.0):
        return None
    free = linalg.null_space(axes) if len(axes) < table.shape[1] else axes[:0].T
    if free.shape[1] and risk.strength > 0.0:
        inner = free[:-1]  # the intercept has no price
        pull = 2.0 * risk.strength * (inner.T @ through[:-1])
        pull += free.T @ _outer_pull(risk, table, point, met)
        bends = 2.0 * risk.strength * (inner.T @ inner)
        through = through - free @ linalg.lstsq(bends, pull)[0]
    if not risk.intercept:
        through[-1] = 0.0
    return np.asarray(through)


def corner_bound(risk: ConcomitantRisk, point: Vector, met: Mask) -> DualSide:
    """Return a lower bound on the objective from a point that meets some samples."""
    table = _table(risk)
    if table is None or not met.any():
        nothing = np.zeros(risk.design.shape[1])
        return DualSide(-np.inf, np.zeros(len(risk.y)), nothing)
    aim = -_outer_pull(risk, table, point, met)
    aim[:-1] -= 2.0 * risk.strength * point[:-1]
    roots = np.sqrt(risk.weights[met])
    lengths, axes = _axes(table[met] * roots[:, None])
    # Of all slopes in balance with the others, those of least weighted square.
    along = axes.T @ ((axes @ aim) / lengths**2)
    slopes = 2.0 * risk.epsilon * np.sign(risk.residuals(point))
    slopes[met] = table[met] @ along
    return risk.bound(slopes, point)


def _table(risk: ConcomitantRisk) -> Matrix | None:
    n, d = risk.design.shape
    if d > LARGEST_PROJECTION or n * (d + 1) > LARGEST_TABLE:
        return None
    last = np.full(n, float(risk.intercept))
    return np.column_stack([np.asarray(risk.design.toarray(), np.float64), last])


def _axes(rows: Matrix) -> tuple[Vector, Matrix]:
    """Return the lengths and directions of a table, those of length 0 left out."""
    _, lengths, axes = linalg.svd(rows, full_matrices=False)
    kept = lengths > ROUNDING * max(float(lengths[0]), 1e-300)
    return lengths[kept], axes[kept]


def _outer_pull(
    risk: ConcomitantRisk, table: Matrix, point: Vector, met: Mask
) -> Vector:
    """Return the gradient of the samples that are not met, whose slopes are known."""
    signs = np.sign(risk.residuals(point))[~met]
    weighted = 2.0 * risk.epsilon * signs * risk.weights[~met]
    return np.asarray(table[~met].T @ weighted)
