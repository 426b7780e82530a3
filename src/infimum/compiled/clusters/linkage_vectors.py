"""Linkage from coordinates alone: no matrix of distances, memory of O(n).

Points are given with a row per feature, so that loops over points are contiguous.
"""

import numpy as np

from infimum.compiled.clusters.linkage_rounds import find_least
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["measure_rows", "span_matrix", "span_points", "ward_nearest"]

#: Points whose distances are summed at once: they stay in the nearest cache.
TILE = 512


@inner_loop(fastmath={"contract"})
def _squares(points: Matrix, q: Vector, start: int, out: Vector) -> None:
    """Write squared distances of q to the points from `start` on, two terms a time."""
    size = out.size
    features = q.size
    if features % 2:
        side, here = points[features - 1, start : start + size], q[features - 1]
        for j in range(size):
            apart = side[j] - here
            out[j] = apart * apart
    else:
        for j in range(size):
            out[j] = 0.0
    for t in range(0, features - 1, 2):
        left, right = (
            points[t, start : start + size],
            points[t + 1, start : start + size],
        )
        u, v = q[t], q[t + 1]
        for j in range(size):
            x, y = left[j] - u, right[j] - v
            out[j] += x * x + y * y


@loop()
def measure_rows(
    points: Matrix, start: int, stop: int, out: Matrix, *, squared: bool
) -> None:
    """Write (squared) Euclidean distances of points start..stop to all others.

    A point's distance to itself is written as infinity.
    """
    count = points.shape[1]
    q = np.empty(points.shape[0])
    for low in range(0, count, TILE):
        high = min(count, low + TILE)
        for i in range(start, stop):
            for t in range(q.size):
                q[t] = points[t, i]
            part = out[i, low:high]
            _squares(points, q, low, part)
            if not squared:
                for j in range(part.size):
                    part[j] = np.sqrt(part[j])
    for i in range(start, stop):
        out[i, i] = np.inf


@loop()
def ward_nearest(
    centres: Matrix,
    sizes: Vector,
    wanted: Indices,
    nearest: Indices,
    distance: Vector,
) -> None:
    """Write the cluster whose union costs least, and the cost, for each wanted one.

    The cost is 2|A||B|/(|A| + |B|)·‖centre of A - centre of B‖².
    """
    count = sizes.size
    apart = np.empty(TILE)
    q = np.empty(centres.shape[0])
    for at in range(wanted.size):
        distance[wanted[at]] = np.inf
        nearest[wanted[at]] = 0
    for low in range(0, count, TILE):
        part = apart[: min(count, low + TILE) - low]
        weights = sizes[low : low + part.size]
        for at in range(wanted.size):
            i = wanted[at]
            for t in range(q.size):
                q[t] = centres[t, i]
            _squares(centres, q, low, part)
            own = sizes[i]
            for j in range(part.size):
                part[j] *= weights[j] / (weights[j] + own)
            if low <= i < low + part.size:
                part[i - low] = np.inf
            place = find_least(part)
            if 2.0 * own * part[place] < distance[i]:
                distance[i] = 2.0 * own * part[place]
                nearest[i] = low + place


@inner_loop()
def _move_last(points: Matrix, to: int, last: int) -> None:
    for t in range(points.shape[0]):
        points[t, to] = points[t, last]


@loop()
def span_points(
    points: Matrix, first: Indices, second: Indices, heights: Vector
) -> None:
    """Write the edges of the minimum spanning tree and their squared lengths (Prim).

    `points` is overwritten.
    """
    count = points.shape[1]
    names, tied = np.arange(count), np.zeros(count, dtype=np.int64)
    best, apart = np.full(count, np.inf), np.empty(TILE)
    q = points[:, count - 1].copy()
    newest, left = count - 1, count - 1
    for edge in range(count - 1):
        for low in range(0, left, TILE):
            part = apart[: min(left, low + TILE) - low]
            _squares(points, q, low, part)
            for j in range(part.size):
                if part[j] < best[low + j]:
                    best[low + j], tied[low + j] = part[j], newest
        place = find_least(best[:left])
        first[edge], second[edge] = tied[place], names[place]
        heights[edge] = best[place]
        newest = names[place]
        for t in range(q.size):
            q[t] = points[t, place]
        left -= 1
        _move_last(points, place, left)
        best[place], names[place], tied[place] = best[left], names[left], tied[left]


@loop()
def span_matrix(D: Matrix, first: Indices, second: Indices, heights: Vector) -> None:
    """Write the edges of the minimum spanning tree of a matrix of distances (Prim)."""
    count = D.shape[0]
    names, tied = np.arange(count), np.zeros(count, dtype=np.int64)
    best = np.full(count, np.inf)
    newest, left = count - 1, count - 1
    for edge in range(count - 1):
        row = D[newest]
        for j in range(left):
            if row[names[j]] < best[j]:
                best[j], tied[j] = row[names[j]], newest
        place = find_least(best[:left])
        first[edge], second[edge] = tied[place], names[place]
        heights[edge] = best[place]
        newest = names[place]
        left -= 1
        best[place], names[place], tied[place] = best[left], names[left], tied[left]
