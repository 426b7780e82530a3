"""One pass of SAGA: stochastic steps whose noise vanishes, over rows of X."""

from typing import Any

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["saga_dense", "saga_sparse"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}


@loop(fastmath=_REORDER)
def saga_dense(
    X: Matrix,
    y: Vector,
    offset: Vector,
    shares: Vector,
    order: Indices,
    slopes: Vector,
    mean: Vector,
    point: Vector,
    pace: tuple[float, float],
    slope: Any,
    loss_parameters: Vector,
    shrink: Any,
    settings: Matrix,
) -> None:
    """Visit the samples in `order`; slopes, their mean and the point follow in place.

    `slopes` holds the weighted slope each sample was last seen with, `mean` the mean
    gradient they make. `pace` is (step, 1 with a free intercept and else 0); `shrink`
    is the penalty's proximal step with one row of `settings`, or one per feature.
    """
    step, free = pace
    n, features = X.shape
    rows = settings.shape[0] - 1
    for i in order:
        score = point[features] + offset[i]
        for j in range(features):
            score += X[i, j] * point[j]
        seen = n * shares[i] * slope(y[i], score, loss_parameters)
        change = seen - slopes[i]
        slopes[i] = seen
        for j in range(features):
            ahead = point[j] - step * (change * X[i, j] + mean[j])
            point[j] = shrink(ahead, step, settings[min(j, rows)])
            mean[j] += change * X[i, j] / n
        point[features] -= free * step * (change + mean[features])
        mean[features] += change / n


@loop()
def saga_sparse(
    starts: Indices,
    places: Indices,
    entries: Vector,
    rarity: Vector,
    y: Vector,
    offset: Vector,
    shares: Vector,
    order: Indices,
    slopes: Vector,
    mean: Vector,
    point: Vector,
    pace: tuple[float, float],
    slope: Any,
    loss_parameters: Vector,
    shrink: Any,
    settings: Matrix,
) -> None:
    """Do the same for rows in compressed form, touching only their own features.

    `rarity` is samples / samples with the feature: a feature seen in one row out of k
    takes k times the mean and the penalty whenever it is seen, right on average.
    """
    step, free = pace
    n, features = y.size, point.size - 1
    rows = settings.shape[0] - 1
    for i in order:
        score = point[features] + offset[i]
        for place in range(starts[i], starts[i + 1]):
            score += entries[place] * point[places[place]]
        seen = n * shares[i] * slope(y[i], score, loss_parameters)
        change = seen - slopes[i]
        slopes[i] = seen
        for place in range(starts[i], starts[i + 1]):
            j = places[place]
            pull = change * entries[place] + rarity[j] * mean[j]
            ahead = point[j] - step * pull
            point[j] = shrink(ahead, step * rarity[j], settings[min(j, rows)])
            mean[j] += change * entries[place] / n
        point[features] -= free * step * (change + mean[features])
        mean[features] += change / n
