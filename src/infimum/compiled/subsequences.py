"""Common subsequences of two texts, weighted by how far they are spread."""

import numpy as np
from numba import njit

from infimum.typing import Indices, Vector

__all__ = ["match_subsequences"]


@njit(cache=True, nogil=True)
def match_subsequences(
    text: Indices, other: Indices, longest: int, decay: float
) -> Vector:
    """Return Σ decay^(span in text + span in other) over common subsequences.

    One number for each length 1, …, `longest`.
    """
    n, m = text.size, other.size
    out = np.zeros(longest)
    # ends[i, j]: subsequences of the current length that end at text[i] and other[j].
    ends = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if text[i] == other[j]:
                ends[i, j] = decay * decay
    above, here = np.zeros(m + 1), np.zeros(m + 1)
    for length in range(longest):
        out[length] = ends.sum()
        above[:] = 0.0
        for i in range(n):
            # here[j + 1]: those that end up to here, each further step paid for.
            for j in range(m):
                corner = above[j]
                here[j + 1] = ends[i, j] + decay * (
                    above[j + 1] + here[j] - decay * corner
                )
                longer = text[i] == other[j]
                ends[i, j] = decay * decay * corner if longer else 0.0
            above, here = here, above
    return out
