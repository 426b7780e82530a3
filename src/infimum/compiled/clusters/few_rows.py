"""K-means on a table so small that every step belongs in one loop.

Distances are sums of squared differences, so no bound and no second look is needed.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["descend_few", "spread_few"]

#: Rows that meet a centre side by side.
RUN = 128


@inner_loop()
def _meet(columns: Matrix, start: int, across: Matrix, j: int, far: Vector) -> None:
    """Write squared distances of a run of rows, columns of `columns`, to a centre."""
    far[:] = 0.0
    for t in range(columns.shape[0]):
        side, value = columns[t, start : start + far.size], across[t, j]
        for r in range(far.size):
            apart = side[r] - value
            far[r] += apart * apart


@inner_loop()
def _assign(columns: Matrix, across: Matrix, labels: Indices) -> int:
    """Give each row its nearest centre, a column of `across`; count the changes."""
    n, changed = columns.shape[1], 0
    best, far, who = np.empty(RUN), np.empty(RUN), np.empty(RUN, dtype=labels.dtype)
    for start in range(0, n, RUN):
        size = min(RUN, n - start)
        best[:] = np.inf
        who[:] = 0
        for j in range(across.shape[1]):
            _meet(columns, start, across, j, far[:size])
            for r in range(size):
                closer = far[r] < best[r]
                best[r] = far[r] if closer else best[r]
                who[r] = j if closer else who[r]
        for r in range(size):
            changed += labels[start + r] != who[r]
            labels[start + r] = who[r]
    return changed


@inner_loop()
def _sum(
    Z: Matrix, weights: Vector, labels: Indices, sums: Matrix, mass: Vector
) -> None:
    """Write the weighted sum of the rows of each label, and their weight."""
    sums[:] = 0.0
    mass[:] = 0.0
    for i in range(Z.shape[0]):
        own, weight = labels[i], weights[i] if weights.size else 1.0
        mass[own] += weight
        for t in range(Z.shape[1]):
            sums[own, t] += weight * Z[i, t]


@inner_loop()
def _average(sums: Matrix, mass: Vector, across: Matrix) -> tuple[float, float]:
    """Move the centres to the means; return Σ mass ‖mean‖² and the squared shifts."""
    heights, shifts = 0.0, 0.0
    for j in range(mass.size):
        for t in range(sums.shape[1]):
            mean = sums[j, t] / mass[j]
            heights += mass[j] * mean * mean
            shifts += (mean - across[t, j]) ** 2
            across[t, j] = mean
    return heights, shifts


@loop()
def descend_few(
    Z: Matrix,
    weights: Vector,
    across: Matrix,
    labels: Indices,
    heights: Vector,
    enough: float,
) -> tuple[int, bool]:
    """Assign and average until nothing moves, or the shifts are `enough`.

    The columns of `across` are the centres and are moved; `heights` receives
    Σ mass ‖mean‖² of each step, and has as many entries as there may be steps. Weights
    of size 0 stand for ones. Return the number of steps, 0 if a centre lost all its
    rows, and whether labels had settled.
    """
    d, k = across.shape
    sums, mass, columns = np.empty((k, d)), np.empty(k), np.empty((d, Z.shape[0]))
    for i in range(Z.shape[0]):
        for t in range(d):
            columns[t, i] = Z[i, t]
    for step in range(heights.size):
        if _assign(columns, across, labels) == 0 and step > 0:
            return step + 1, True
        _sum(Z, weights, labels, sums, mass)
        if mass.min() <= 0.0:
            return 0, False
        heights[step], shifts = _average(sums, mass, across)
        if shifts <= enough:
            _assign(columns, across, labels)
            return step + 1, False
    _assign(columns, across, labels)
    return heights.size, False


@inner_loop()
def _square(Z: Matrix, i: int, name: int) -> float:
    total = 0.0
    for t in range(Z.shape[1]):
        apart = Z[i, t] - Z[name, t]
        total += apart * apart
    return total


@inner_loop()
def _gain(Z: Matrix, weights: Vector, nearest: Vector, name: int) -> float:
    """Return by how much a row as a centre lowers the sum of squares."""
    total = 0.0
    for i in range(Z.shape[0]):
        lower = nearest[i] - _square(Z, i, name)
        if lower > 0.0:
            total += lower * (weights[i] if weights.size else 1.0)
    return total


@inner_loop()
def _draw(weights: Vector, order: Indices, nearest: Vector, levels: Vector) -> Indices:
    """Return the rows in which the odds, summed along `order`, reach the levels."""
    n, total = order.size, 0.0
    summed = np.empty(n)
    for r in range(n):
        i = order[r]
        total += nearest[i] * (weights[i] if weights.size else 1.0)
        summed[r] = total
    names = np.empty(levels.size, dtype=np.intp)
    for p in range(levels.size):
        place = np.searchsorted(summed, levels[p] * total, side="right")
        names[p] = order[min(place, n - 1)]
    return names


@inner_loop()
def _best(Z: Matrix, weights: Vector, nearest: Vector, waiting: Indices) -> int:
    """Return the row that lowers the sum of squares most, and take it as a centre."""
    best, most = waiting[0], -1.0
    for name in waiting:
        gain = _gain(Z, weights, nearest, name)
        if gain > most * (1.0 + 1e-12):  # of rows as good, the first: copies round
            best, most = name, gain
    for i in range(nearest.size):
        nearest[i] = min(nearest[i], _square(Z, i, best))
    return int(best)


@loop()
def spread_few(
    Z: Matrix,
    weights: Vector,
    order: Indices,
    nearest: Vector,
    draws: Matrix,
    waiting: Indices,
    chosen: Indices,
    counts: Indices,
) -> bool:
    """Draw proposals, and choose the best of each full set that is waiting.

    ``draws[0]`` are levels at which rows are drawn along `order`, by the odds
    `weights` times `nearest`; ``draws[1]`` decide whether they still are drawn by the
    odds of their turn. `counts` says how many are chosen and waiting. Return whether
    any row is away from all centres.
    """
    names = _draw(weights, order, nearest, draws[0])
    then = nearest[names]
    for p in range(names.size):
        if draws[1, p] * then[p] >= nearest[names[p]]:
            continue
        waiting[counts[1]] = names[p]
        counts[1] += 1
        if counts[1] == waiting.size:
            chosen[counts[0]] = _best(Z, weights, nearest, waiting)
            counts[0] += 1
            counts[1] = 0
        if counts[0] == chosen.size:
            break
    return bool(nearest.max() > 0.0)
