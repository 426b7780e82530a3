"""Moments of the points of each node of a k-d tree, about the node's centre.

With them a node's windows are added up at once to the third order: what is left is a
sixth of a third derivative times the third moment.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["gather_moments"]


@inner_loop()
def _spread(
    points: Matrix,
    heights: Vector,
    edges: tuple[int, int],
    centre: Vector,
    spread: Vector,
) -> float:
    """Write Σ a δδᵀ of consecutive points, its lower half; return Σ a ‖δ‖³."""
    d, third = points.shape[0], 0.0
    gap = np.empty(d)
    spread[:] = 0.0
    for i in range(edges[0], edges[1]):
        square = 0.0
        for t in range(d):
            gap[t] = points[t, i] - centre[t]
            square += gap[t] * gap[t]
            for s in range(t + 1):
                spread[t * d + s] += heights[i] * gap[s] * gap[t]
        third += heights[i] * square * np.sqrt(square)
    return third


@loop()
def gather_moments(
    points: Matrix,
    heights: Vector,
    level: int,
    places: tuple[int, int],
    centres: Matrix,
    spreads: Matrix,
    thirds: Vector,
) -> None:
    """Write the weighted centre of each node, Σ a δδᵀ in a row, and Σ a ‖δ‖³.

    Points have a row per feature, in the order of the tree; δ is what leads from the
    centre to a point, and a its height. Nodes are those of a level, from one place up
    to another.
    """
    d, count = points.shape
    width = 1 << level
    for place in range(places[0], places[1]):
        low, high = place * count // width, (place + 1) * count // width
        node = width - 1 + place
        mass = max(heights[low:high].sum(), 1e-300)
        for t in range(d):
            total = 0.0
            for i in range(low, high):
                total += points[t, i] * heights[i]
            centres[node, t] = total / mass
        spread = spreads[node]
        thirds[node] = _spread(points, heights, (low, high), centres[node], spread)
        for t in range(d):
            for s in range(t):
                spread[s * d + t] = spread[t * d + s]
