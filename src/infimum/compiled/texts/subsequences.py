"""Common subsequences of two texts, weighted by how far they are spread."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Vector

__all__ = ["match_subsequences"]


@loop()
def match_subsequences(
    text: Indices, other: Indices, longest: int, decay: float
) -> Vector:
    """Return Σ decay^(span in text + span in other) over common subsequences.

    One number for each length 1, …, `longest`.
    """
    n, m = text.size, other.size
    square = decay * decay
    out = np.zeros(longest)
    # ends[i, j]: subsequences of the current length that end at text[i] and other[j].
    ends = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if text[i] == other[j]:
                ends[i, j] = square
    above, here = np.zeros(m + 1), np.zeros(m + 1)
    for length in range(longest):
        out[length] = ends.sum()
        above[:] = 0.0
        for i in range(n):
            # here[j + 1]: those that end up to here, each further step paid for. Only
            # the second loop has to wait for its own results.
            for j in range(m):
                corner = square * above[j]
                here[j + 1] = ends[i, j] + decay * above[j + 1] - corner
                ends[i, j] = corner if text[i] == other[j] else 0.0
            for j in range(m):
                here[j + 1] += decay * here[j]
            above, here = here, above
    return out
