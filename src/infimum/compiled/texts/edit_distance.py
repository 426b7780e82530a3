"""Edit distances: the cheapest way to turn one text into the other."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices

__all__ = ["edit_distance"]


@loop()
def edit_distance(
    text: Indices, other: Indices, substitution: float, gap: float
) -> float:
    """Return the least total price of substitutions, insertions and deletions."""
    above = gap * np.arange(other.size + 1)
    here = np.empty(other.size + 1)
    for i in range(text.size):
        here[0] = gap * (i + 1)
        for j in range(other.size):
            price = 0.0 if text[i] == other[j] else substitution
            skipped = min(above[j + 1], here[j]) + gap
            here[j + 1] = min(above[j] + price, skipped)
        above, here = here, above
    return float(above[other.size])
