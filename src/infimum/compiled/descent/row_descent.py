"""The inner loop of block coordinate descent: one row of a matrix at a time."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["sweep_rows"]


@loop()
def sweep_rows(
    gram: Matrix,
    gradient: Matrix,
    point: Matrix,
    l1: float,
    l2: float,
    max_sweeps: int,
    tolerance: float,
) -> int:
    """Visit the rows in turn until none moves its own gradient much.

    The quadratic is known by its Gram matrix; each row pays `l1` for its length and
    half of `l2` for its square. `point` and `gradient` (that of the quadratic) are
    updated in place. Returns the number of sweeps.
    """
    aim = np.empty(point.shape[1])
    for sweep in range(max_sweeps):
        worst = 0.0
        for j in range(point.shape[0]):
            if gram[j, j] > 0.0:
                moved = _move_row(gram[j], gradient, point, j, l1, l2, aim)
                worst = max(worst, moved)
        if worst <= tolerance:
            return sweep + 1
    return max_sweeps


@inner_loop()
def _move_row(
    pulls: Vector,
    gradient: Matrix,
    point: Matrix,
    j: int,
    l1: float,
    l2: float,
    aim: Vector,
) -> float:
    """Put row j where it is best; return how far its gradient moved."""
    bend: float = pulls[j]
    length, moved = 0.0, 0.0
    for t in range(len(aim)):
        aim[t] = bend * point[j, t] - gradient[j, t]
        length += aim[t] * aim[t]
    length = np.sqrt(length)
    kept = (1.0 - l1 / length) / (bend + l2) if length > l1 else 0.0
    for t in range(len(aim)):
        aim[t] = kept * aim[t] - point[j, t]
        moved = max(moved, abs(aim[t]))
        point[j, t] += aim[t]
    if moved > 0.0:
        for i in range(len(pulls)):
            for t in range(len(aim)):
                gradient[i, t] += pulls[i] * aim[t]
    return moved * bend
