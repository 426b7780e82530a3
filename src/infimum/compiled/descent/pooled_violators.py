"""The closest vector that never falls: blocks that violate the order are pooled."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Vector

__all__ = ["pool_violators"]


@loop()
def pool_violators(values: Vector, weights: Vector) -> None:
    """Replace `values` by the nearest non-decreasing vector, in place."""
    n = values.size
    means, masses = np.empty(n), np.empty(n)
    counts = np.empty(n, dtype=np.int64)
    blocks = 0
    for i in range(n):
        means[blocks], masses[blocks], counts[blocks] = values[i], weights[i], 1
        blocks += 1
        while blocks > 1 and means[blocks - 2] >= means[blocks - 1]:
            both = masses[blocks - 2] + masses[blocks - 1]
            rise = means[blocks - 1] - means[blocks - 2]
            means[blocks - 2] += rise * masses[blocks - 1] / both
            masses[blocks - 2] = both
            counts[blocks - 2] += counts[blocks - 1]
            blocks -= 1
    at = 0
    for block in range(blocks):
        for _ in range(counts[block]):
            values[at] = means[block]
            at += 1
