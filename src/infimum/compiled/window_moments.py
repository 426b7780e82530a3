"""Moments of the points of each node of a k-d tree, about the node's centre.

With them a node's windows are added up at once to the third order: what is left is a
third of a third derivative times the third moment.
"""

import numpy as np
from numba import njit

from infimum.typing import Matrix, Vector

__all__ = ["gather_moments"]

#: Nodes of so many levels from the root are too wide for their moments to be of use.
WIDE = 4


@njit(cache=True, nogil=True)
def gather_moments(
    points: Matrix,
    heights: Vector,
    levels: int,
    centres: Matrix,
    spreads: Matrix,
    thirds: Vector,
) -> None:
    """Write the weighted centre of each node, Σ a δδᵀ in a row, and Σ a ‖δ‖³.

    Points have a row per feature, in the order of the tree; δ is what leads from the
    centre to a point, and a its height.
    """
    d, count = points.shape
    gap = np.empty(d)
    first = min(WIDE, levels)
    thirds[: (1 << first) - 1] = np.inf
    for level in range(first, levels + 1):
        width = 1 << level
        for place in range(width):
            low, high = place * count // width, (place + 1) * count // width
            node = width - 1 + place
            mass = heights[low:high].sum()
            for t in range(d):
                total = (points[t, low:high] * heights[low:high]).sum()
                centres[node, t] = total / mass if mass > 0.0 else points[t, low]
            spreads[node] = 0.0
            third = 0.0
            for i in range(low, high):
                square = 0.0
                for t in range(d):
                    gap[t] = points[t, i] - centres[node, t]
                    square += gap[t] * gap[t]
                for s in range(d):
                    for t in range(d):
                        spreads[node, s * d + t] += heights[i] * gap[s] * gap[t]
                third += heights[i] * square * np.sqrt(square)
            thirds[node] = third
