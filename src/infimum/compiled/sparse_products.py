"""Products of a compressed sparse matrix with a vector, on all cores."""

import numpy as np
from numba import njit, prange

from infimum.typing import Indices, Vector

__all__ = ["dot_lines"]


@njit(cache=True, nogil=True, parallel=True)
def dot_lines(starts: Indices, places: Indices, entries: Vector, x: Vector) -> Vector:
    """Return the product of each compressed line with the dense vector `x`."""
    lines = starts.size - 1
    out = np.empty(lines, dtype=entries.dtype)
    for line in prange(lines):
        total = 0.0
        for place in range(starts[line], starts[line + 1]):
            total += entries[place] * x[places[place]]
        out[line] = total
    return out
