"""The inner loop of nonnegative factorisation: rows solved in turn.

On one thread: it alternates with products, whose threads are still awake.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["improve_rows"]


@loop()
def improve_rows(
    point: Matrix,
    gram: Matrix,
    slopes: Matrix,
    order: Indices,
    violations: Vector,
    sweeps: int,
) -> None:
    """Lower ½ wᵀ G w - wᵀ b over w ≥ 0 for every row w of `point`, in place.

    Row i has its own b, and shares G; row i of `slopes` is its gradient, kept up to
    date. The coordinates are visited in `order`, as often as `sweeps` says, less where
    a row stands still. `violations` gets, for each row, the sum of its projected
    gradients before the first sweep.
    """
    for i in range(point.shape[0]):
        first = _visit(point[i], slopes[i], gram, order)
        for _ in range(1, sweeps):
            if _visit(point[i], slopes[i], gram, order) < np.float64(0.1) * first:
                break
        violations[i] = first


@inner_loop()
def _visit(row: Vector, slope: Vector, gram: Matrix, order: Indices) -> float:
    """Put one coordinate after the other where it is best; return the violation."""
    moved = 0.0
    for at in range(len(order)):
        t = order[at]
        pull, before = slope[t], row[t]
        moved += abs(pull) if before != 0.0 else abs(min(pull, 0.0))
        if gram[t, t] != 0.0:
            row[t] = max(before - pull / gram[t, t], 0.0)
            step = row[t] - before
            if step != 0.0:
                for r in range(len(slope)):
                    slope[r] += step * gram[t, r]
    return float(moved)
