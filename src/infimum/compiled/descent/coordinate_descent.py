"""The inner loop of coordinate descent on a quadratic known by its Gram matrix."""

from typing import Any

from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["sweep_gram"]


@loop()
def sweep_gram(
    gram: Matrix,
    gradient: Vector,
    point: Vector,
    free: int,
    shrink: Any,
    settings: Matrix,
    max_sweeps: int,
    tolerance: float,
) -> int:
    """Visit the coordinates in turn until none moves its own gradient much.

    `point` and `gradient` (that of the quadratic) are updated in place; the last `free`
    coordinates are not shrunk; `shrink` comes from `infimum.compiled.callbacks` and
    `settings` holds its numbers, one row for all coordinates or one for each. A
    coordinate that stays where it is costs nothing but its own formula. Returns the
    number of sweeps.
    """
    size, rows = point.size, settings.shape[0] - 1
    for sweep in range(max_sweeps):
        worst = 0.0
        for j in range(size):
            bend = gram[j, j]
            if bend <= 0.0:
                continue
            moved = point[j] - gradient[j] / bend
            if j < size - free:
                moved = shrink(moved, 1.0 / bend, settings[min(j, rows)])
            change = moved - point[j]
            if change != 0.0:
                point[j] = moved
                for k in range(size):
                    gradient[k] += change * gram[j, k]
                worst = max(worst, abs(change) * bend)
        if worst <= tolerance:
            return sweep + 1
    return max_sweeps
