"""Windows over the points of a k-d tree that climb to the mean of what they hold."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.neighbors.kd_tree import _to_box
from infimum.typing import Indices, Matrix, Vector

__all__ = ["climb_windows"]


@inner_loop()
def _add_near(
    points: Matrix, weights: Vector, q: Vector, limit: float, apart: Vector
) -> float:
    """Add up how the points in the window lie away from q; return their weight."""
    mass = 0.0
    for i in range(points.shape[0]):
        square = 0.0
        for t in range(q.size):
            away = points[i, t] - q[t]
            square += away * away
        if square <= limit:
            mass += weights[i]
            for t in range(q.size):
                apart[t] += weights[i] * (points[i, t] - q[t])
    return mass


@inner_loop()
def _look_around(
    points: Matrix,
    lows: Matrix,
    highs: Matrix,
    weights: Vector,
    q: Vector,
    limit: float,
    apart: Vector,
) -> float:
    """Do as `_add_near` with all points, passing over boxes that are too far away."""
    count, inner = points.shape[0], lows.shape[0] // 2
    leaves = inner + 1
    stack = np.empty(128, dtype=np.int64)
    stack[0], size, mass = 0, 1, 0.0
    while size:
        size -= 1
        node = stack[size]
        if _to_box(q, lows[node], highs[node]) > limit:
            continue
        if node < inner:
            stack[size], stack[size + 1] = 2 * node + 2, 2 * node + 1
            size += 2
            continue
        low = (node - inner) * count // leaves
        high = (node - inner + 1) * count // leaves
        mass += _add_near(points[low:high], weights[low:high], q, limit, apart)
    return mass


@loop()
def climb_windows(
    points: Matrix,
    lows: Matrix,
    highs: Matrix,
    weights: Vector,
    reach: float,
    enough: float,
    most: int,
    seeds: Matrix,
    mass: Vector,
    steps: Indices,
) -> None:
    """Move each seed to the mean of the points within `reach`, again and again.

    It stops where a step is no longer than `enough`, after `most` steps and one, or
    where nothing is near. Places, the weight of what is near, and steps are written.
    """
    apart = np.empty(points.shape[1])
    for s in range(seeds.shape[0]):
        for step in range(most + 1):
            apart[:] = 0.0
            mass[s] = _look_around(
                points, lows, highs, weights, seeds[s], reach * reach, apart
            )
            steps[s] = step
            if mass[s] <= 0.0:
                break
            length = 0.0
            for t in range(apart.size):
                apart[t] /= mass[s]
                length += apart[t] * apart[t]
                seeds[s, t] += apart[t]
            if np.sqrt(length) <= enough:
                break
