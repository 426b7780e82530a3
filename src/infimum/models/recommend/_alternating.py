"""Alternating least squares: each side's best factors for the other's, in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, sparse

from infimum.compiled.factor_rows import (
    BLOCK,
    Entries,
    Facing,
    row_gram_products,
    solve_rows,
)
from infimum.limits import in_time
from infimum.objectives.matrix_risk import Factors, MatrixRisk, SeenSide
from infimum.typing import Matrix, Vector

__all__ = [
    "alternate",
    "balanced",
    "best_rows",
    "improved",
    "start",
    "sweep",
    "widened",
]

#: Steps of conjugate gradients for the factors of features, in each sweep.
INNER = 8


def start(risk: MatrixRisk, rank: int, rng: np.random.Generator) -> Factors:
    """Return small random factors, with biases of 0."""
    sizes = [len(side.scales) for side in (risk.rows, risk.columns)]
    made = [np.zeros((size, risk.width(rank))) for size in sizes]
    for part, size in zip(made, risk.shape, strict=True):
        part[:size, :rank] = rng.standard_normal((size, rank)) * 0.1
    return Factors(made[0], made[1], rank)


def sweep(risk: MatrixRisk, point: Factors) -> Factors:
    """Return better factors: rows for the columns given, then columns for the rows."""
    rows = improved(risk, risk.rows, point, risk.columns)
    half = point._replace(rows=rows)
    columns = improved(risk, risk.columns, half.flipped, risk.rows)
    return half._replace(columns=columns)


def alternate(
    risk: MatrixRisk, point: Factors, *, tol: float, max_iter: int
) -> tuple[Factors, list[float]]:
    """Sweep until the risk falls by less than `tol` of itself; tell the risks met.

    At the end the rows are the best ones for the columns.
    """
    history: list[float] = []
    for count in in_time(range(max_iter)):
        point = sweep(risk, point)
        if count % 2 or count == max_iter - 1:
            history.append(risk.value(point))
            if len(history) > 1 and history[-2] - history[-1] <= tol * history[-1]:
                break
    point = point._replace(rows=improved(risk, risk.rows, point, risk.columns))
    return point, history


def best_rows(
    risk: MatrixRisk,
    side: SeenSide,
    faced: Matrix,
    targets: Vector,
    weights: Vector,
    rank: int,
    known: Matrix | None = None,
) -> Matrix:
    """Return the best free rows of one side for the rows that it faces."""
    n = len(side.starts) - 1
    base = np.zeros((faced.shape[1],) * 2)
    if risk.background:
        base = risk.background * (faced.T @ faced)
    out = np.empty((n, faced.shape[1]))
    solve_rows(
        Entries(side.starts, side.places, targets, weights),
        Facing(faced, base, risk.background),
        risk.ridge(rank),
        side.scales[:n],
        np.zeros_like(out) if known is None else np.ascontiguousarray(known),
        out,
    )
    return out


def balanced(point: Factors, *, drop: float = 0.0) -> Factors:
    """Return factors of the same product with the least ‖U‖² + ‖V‖².

    Directions whose singular value is at most `drop` of the largest are left out.
    Only for factors without biases, features and scales.
    """
    rank = point.rank
    left, lower = linalg.qr(point.rows[:, :rank], mode="economic")
    right, upper = linalg.qr(point.columns[:, :rank], mode="economic")
    P, sizes, Qt = linalg.svd(lower @ upper.T)
    kept = max(int(np.sum(sizes > drop * sizes[0])) if sizes[0] > 0 else 0, 1)
    roots = np.sqrt(sizes[:kept])
    parts = [(left @ P[:, :kept]) * roots, (right @ Qt[:kept].T) * roots]
    return _padded(parts, kept)


def widened(point: Factors, left: Matrix, right: Matrix) -> Factors:
    """Return factors with more directions, given as columns."""
    rank = point.rank
    parts = [
        np.hstack([old[:, :rank], new])
        for old, new in ((point.rows, left), (point.columns, right))
    ]
    return _padded(parts, rank + left.shape[1])


def _padded(parts: Any, rank: int) -> Factors:
    width = -(-rank // BLOCK) * BLOCK
    made = [np.pad(part, ((0, 0), (0, width - rank))) for part in parts]
    return Factors(made[0], made[1], rank)


def improved(
    risk: MatrixRisk, side: SeenSide, point: Factors, other: SeenSide
) -> Matrix:
    """Return better factors of one side, which comes first in the point."""
    effective = np.ascontiguousarray(risk.effective(other, point.columns))
    faced, bias = risk.facing(effective, point.rank)
    targets, weights = risk.targets[side.order], risk.weights[side.order]
    if bias is not None:
        targets = targets - bias[side.places]
    given = (risk, side, faced, targets, weights, point.rank)
    if side.features is None:
        return best_rows(*given)
    n = side.features.shape[0]
    led = side.features @ point.rows[n:]
    free = best_rows(*given, led)
    return np.vstack([free, _of_features(*given, free, point.rows[n:])])


def _of_features(
    risk: MatrixRisk,
    side: SeenSide,
    faced: Matrix,
    targets: Vector,
    weights: Vector,
    rank: int,
    free: Matrix,
    current: Matrix,
) -> Matrix:
    """Improve the factors of features by a few steps of conjugate gradients."""
    n, A = len(free), side.features
    base = np.zeros((faced.shape[1],) * 2)
    if risk.background:
        base = risk.background * (faced.T @ faced)
    ridge = side.scales[n:, None] * risk.ridge(rank)

    entries = Entries(side.starts, side.places, targets, weights)
    facing = Facing(faced, base, risk.background)

    def grams(rows: Matrix) -> Matrix:
        return row_gram_products(entries, facing, np.ascontiguousarray(rows))

    pulls = _pulls(side, faced, targets * weights, n)
    x = current.copy()
    gap = A.T @ (pulls - grams(free + A @ x)) - ridge * x
    way, size = gap.copy(), float(np.sum(gap**2))
    for _ in range(INNER):
        if size <= 1e-28:
            break
        bent = A.T @ grams(A @ way) + ridge * way
        step = size / float(np.sum(way * bent))
        x += step * way
        gap -= step * bent
        size, before = float(np.sum(gap**2)), size
        way = gap + (size / before) * way
    return np.asarray(x)


def _pulls(side: SeenSide, faced: Matrix, values: Vector, n: int) -> Any:
    """Return Σ w t v of each line."""
    lines = sparse.csr_array((values, side.places, side.starts), (n, len(faced)))
    return lines @ faced
