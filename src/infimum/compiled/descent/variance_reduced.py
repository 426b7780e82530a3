"""One pass of SAGA: stochastic steps whose noise vanishes, over rows of X."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, dot, entry, place, span
from infimum.typing import Indices, Matrix, Vector

__all__ = ["saga"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}


@loop(fastmath=_REORDER)
def saga(
    rows: Rows,
    rarity: Vector,
    samples: tuple[Vector, Vector, Vector],
    order: Indices,
    state: tuple[Vector, Vector, Vector],
    pace: tuple[float, float],
    slope: Any,
    shrink: Any,
    numbers: tuple[Vector, Matrix],
) -> None:
    """Visit the samples in `order`; the state follows in place.

    `samples` are targets, offsets and shares. `state` holds the weighted slope each
    sample was last seen with, the mean gradient they make, and the point. `pace` is
    (step, 1 with a free intercept and else 0). `numbers` are the parameters of `slope`
    and the settings of `shrink`, the penalty's proximal step: one row, or one per
    feature.

    Compressed rows touch only their own features. `rarity` is samples / samples with
    the feature: a feature seen in one row out of k takes k times the mean and the
    penalty whenever it is seen, right on average.
    """
    (y, offset, shares), (slopes, mean, point) = samples, state
    parameters, settings = numbers
    step, free = pace
    n, last = y.size, point.size - 1
    rows_of_settings = np.uint64(settings.shape[0] - 1)
    for i in order:
        score = point[last] + offset[i] + dot(rows, i, point)
        seen = n * shares[i] * slope(y[i], score, parameters)
        change = seen - slopes[i]
        slopes[i] = seen
        begin, end = span(rows, i)
        for k in range(begin, end):
            j, x = place(rows, k), entry(rows, i, k)
            ahead = point[j] - step * (change * x + rarity[j] * mean[j])
            setting = settings[min(np.uint64(j), rows_of_settings)]
            point[j] = shrink(ahead, step * rarity[j], setting)
            mean[j] += change * x / n
        point[last] -= free * step * (change + mean[last])
        mean[last] += change / n
