"""Inversions of a sequence, counted while merging."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices

__all__ = ["count_inversions"]


@loop()
def count_inversions(values: Indices) -> int:
    """Return the number of pairs i < j with values[i] > values[j]."""
    n, total, width = len(values), 0, 1
    here, there = values.copy(), np.empty_like(values)
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or here[i] <= here[j]):
                    there[k] = here[i]
                    i += 1
                else:
                    there[k] = here[j]
                    j += 1
                    total += middle - i
        here, there = there, here
        width *= 2
    return total
