"""The minimum spanning tree of mutual reachabilities, from coordinates alone (Prim).

The reachability of two points is their distance, but at least the radius of each of
them. Points are given with a row per feature, so that loops over points are contiguous.
"""

import numpy as np

from infimum.compiled.clusters.linkage_rounds import find_least
from infimum.compiled.clusters.linkage_vectors import TILE, _move_last
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["span_reaches", "square_in_order"]


@inner_loop()
def square_in_order(points: Matrix, q: Vector, start: int, out: Vector) -> None:
    """Write squared distances of q to the points from `start` on, term after term.

    Rounded in the same way as by a k-d tree: what is equal to a radius stays equal.
    """
    out[:] = 0.0
    for t in range(q.size):
        side, here = points[t, start : start + out.size], q[t]
        for j in range(out.size):
            apart = side[j] - here
            out[j] += apart * apart


@loop()
def span_reaches(
    points: Matrix,
    radii: Vector,
    factor: float,
    first: Indices,
    second: Indices,
    heights: Vector,
) -> None:
    """Write the edges and their squared reachabilities.

    `radii` are squared, and squared distances are multiplied by `factor`. `points` and
    `radii` are overwritten.
    """
    count = points.shape[1]
    names, tied = np.arange(count), np.zeros(count, dtype=np.int64)
    best, apart = np.full(count, np.inf), np.empty(TILE)
    q = points[:, count - 1].copy()
    own = radii[count - 1]
    newest, left = count - 1, count - 1
    for edge in range(count - 1):
        for low in range(0, left, TILE):
            part = apart[: min(left, low + TILE) - low]
            square_in_order(points, q, low, part)
            for j in range(part.size):
                reach = max(part[j] * factor, own, radii[low + j])
                if reach < best[low + j]:
                    best[low + j], tied[low + j] = reach, newest
        place = find_least(best[:left])
        first[edge], second[edge] = tied[place], names[place]
        heights[edge], newest, own = best[place], names[place], radii[place]
        for t in range(q.size):
            q[t] = points[t, place]
        left -= 1
        _move_last(points, place, left)
        best[place], names[place], tied[place] = best[left], names[left], tied[left]
        radii[place] = radii[left]
