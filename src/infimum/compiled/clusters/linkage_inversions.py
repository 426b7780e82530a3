"""Linkage whose distances may shrink: the globally closest pair, one at a time.

Each cluster keeps a lower bound of its distance to the clusters after it. A bound that
may be stale is renewed only when it is the smallest of all (the generic algorithm).
"""

import numpy as np

from infimum.compiled.clusters.linkage_rounds import find_least, join
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["closest_merges"]


@inner_loop()
def _renew(D: Matrix, i: int, near: Indices, bounds: Vector) -> None:
    """Find the nearest cluster after i; the dead are infinitely far."""
    row = D[i, i + 1 :]
    if row.size == 0:
        bounds[i] = np.inf
        return
    place = find_least(row)
    near[i], bounds[i] = i + 1 + place, row[place]


@inner_loop()
def _absorb(
    D: Matrix,
    sizes: Vector,
    dead: Mask,
    pair: tuple[int, int],
    method: int,
    near: Indices,
    bounds: Vector,
) -> None:
    """Let the second of a pair take in the first."""
    a, b = pair
    between = D[a, b]
    for i in range(sizes.size):
        if dead[i] or i in (a, b):
            continue
        new = join(method, D[i, a], D[i, b], between, sizes[a], sizes[b], sizes[i])
        D[i, b] = D[b, i] = new
        D[i, a] = np.inf
        if i < b and new < bounds[i]:
            bounds[i], near[i] = new, b
        elif near[i] == a:
            near[i] = b
    dead[a] = True
    bounds[a] = np.inf
    D[b, a] = np.inf
    sizes[b] += sizes[a]


@loop()
def closest_merges(
    D: Matrix,
    sizes: Vector,
    method: int,
    first: Indices,
    second: Indices,
    heights: Vector,
) -> None:
    """Write the pairs in the order of merging, and their distances.

    The cluster of a pair goes on under the name of its second.
    """
    count = sizes.size
    near, bounds = np.zeros(count, dtype=np.int64), np.empty(count)
    dead = np.zeros(count, dtype=np.bool_)
    for i in range(count):
        _renew(D, i, near, bounds)
    for merge in range(count - 1):
        a = find_least(bounds)
        while dead[near[a]] or D[a, near[a]] != bounds[a]:
            _renew(D, a, near, bounds)
            a = find_least(bounds)
        b = near[a]
        first[merge], second[merge], heights[merge] = a, b, bounds[a]
        _absorb(D, sizes, dead, (a, b), method, near, bounds)
        _renew(D, b, near, bounds)
