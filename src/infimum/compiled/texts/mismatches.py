"""Windows of two texts, counted by the number of letters in which they differ."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices

__all__ = ["count_mismatches"]


@loop()
def count_mismatches(text: Indices, other: Indices, length: int) -> Indices:
    """Return how many pairs of windows differ in 0, 1, …, `length` letters.

    Along a diagonal one pair of letters enters and one leaves: constant time a pair.
    """
    counts = np.zeros(length + 1, np.int64)
    n, m = text.size, other.size
    for offset in range(length - n, m - length + 1):
        first = max(0, -offset)
        last = min(n, m - offset)
        apart = 0
        for i in range(first, last):
            apart += text[i] != other[i + offset]
            leaves = i - length
            if leaves >= first:
                apart -= text[leaves] != other[leaves + offset]
            if i - first >= length - 1:
                counts[apart] += 1
    return counts
