"""The inner loop of nonnegative factorisation: rows solved in turn, side by side."""

import numpy as np
from numba import prange

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["improve_rows"]


@loop(parallel=True)
def improve_rows(
    point: Matrix,
    gram: Matrix,
    pulls: Matrix,
    order: Indices,
    violations: Vector,
    sweeps: int,
) -> None:
    """Lower ½ wᵀ G w - wᵀ b over w ≥ 0 for every row w of `point`, in place.

    Row i has its own b, row i of `pulls`, and shares G. The coordinates are visited in
    `order`, as often as `sweeps` says, less where a row stands still. `violations`
    gets, for each row, the sum of its projected gradients before the first sweep.
    """
    for i in prange(point.shape[0]):
        row, aim = point[i], pulls[i]
        first = 0.0
        for sweep in range(sweeps):
            moved = 0.0
            for at in range(len(order)):
                t = order[at]
                slope = -aim[t]
                for r in range(len(order)):
                    slope += gram[t, r] * row[r]
                step = min(slope, 0.0) if row[t] == 0.0 else slope
                moved += abs(step)
                if gram[t, t] != 0.0:
                    row[t] = max(row[t] - slope / gram[t, t], 0.0)
            if sweep == 0:
                first = moved
            elif moved < np.float64(0.1) * first:
                break
        violations[i] = first
