"""Samples in the order in which they are reached from dense ones: OPTICS."""

import numpy as np

from infimum.compiled.clusters.linkage_vectors import TILE
from infimum.compiled.clusters.reach_spanning import square_in_order
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["order_reaches"]


@inner_loop()
def _measure(points: Matrix, i: int, out: Vector) -> None:
    """Write the distances of one point to all."""
    q = points[:, i].copy()
    for low in range(0, out.size, TILE):
        part = out[low : low + TILE]
        square_in_order(points, q, low, part)
        for j in range(part.size):
            part[j] = np.sqrt(part[j])


@inner_loop()
def _next(done: Indices, reach: Vector) -> int:
    """Return the first of those not done that are reached at the least distance."""
    found = -1
    for j in range(reach.size):
        if not done[j] and (found < 0 or reach[j] < reach[found]):
            found = j
    return found


@loop()
def order_reaches(
    points: Matrix,
    apart: Matrix,
    radii: Vector,
    most: float,
    order: Indices,
    reach: Vector,
    before: Indices,
) -> None:
    """Write the order, and from where and at which distance each sample was reached.

    Samples are columns of `points`, or known by the matrix `apart` of their distances.
    From a sample with a finite radius others are reached at their distance, if that is
    not more than `most`, but at least at the radius.
    """
    count = radii.size
    done, row = np.zeros(count, dtype=np.int8), np.empty(count)
    reach[:] = np.inf
    before[:] = -1
    for step in range(count):
        i = _next(done, reach)
        done[i], order[step] = 1, i
        if radii[i] == np.inf:
            continue
        if apart.size:
            row[:] = apart[i]
        else:
            _measure(points, i, row)
        for j in range(count):
            value = max(row[j], radii[i])
            if not done[j] and row[j] <= most and value < reach[j]:
                reach[j], before[j] = value, i
