"""Which nodes of a tree the merges of samples join, by union and find."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Vector

__all__ = ["find_root", "name_nodes", "raise_heights"]


@inner_loop()
def find_root(above: Indices, i: int) -> int:
    """Return the root of i, and let the path to it become shorter."""
    while above[i] != i:
        above[i] = above[above[i]]
        i = above[i]
    return i


@loop()
def raise_heights(first: Indices, second: Indices, heights: Vector, count: int) -> None:
    """Lift each union at least as high as its parts; merges come in their order."""
    above, reached = np.arange(count), np.full(count, -np.inf)
    for merge in range(heights.size):
        p, q = find_root(above, first[merge]), find_root(above, second[merge])
        heights[merge] = max(heights[merge], reached[p], reached[q])
        above[p] = q
        reached[q] = heights[merge]


@loop()
def name_nodes(first: Indices, second: Indices, left: Indices, right: Indices) -> None:
    """Write the two nodes of each merge; the i-th merge makes node ``count + i``."""
    count = first.size + 1
    above, node = np.arange(count), np.arange(count)
    for merge in range(first.size):
        p, q = find_root(above, first[merge]), find_root(above, second[merge])
        left[merge], right[merge] = min(node[p], node[q]), max(node[p], node[q])
        above[p] = q
        node[q] = count + merge
