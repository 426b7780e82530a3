"""All alignments of two texts, each weighed by its price."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices

__all__ = ["sum_alignments"]


@loop()
def sum_alignments(
    text: Indices, other: Indices, substitution: float, gap: float
) -> float:
    """Return log Σ over alignments of Π weights.

    An alignment pairs some letters in order: an equal pair weighs 1, an unequal one
    `substitution`, a letter left alone `gap`. Rows are scaled, so nothing overflows.
    """
    above = gap ** np.arange(other.size + 1)
    here = np.empty(other.size + 1)
    logarithm = 0.0
    for i in range(text.size):
        here[0] = gap * above[0]
        for j in range(other.size):
            weight = 1.0 if text[i] == other[j] else substitution
            # Skipping in either text, without counting twice the skip in both.
            skipped = gap * (above[j + 1] + here[j] - gap * above[j])
            here[j + 1] = skipped + weight * above[j]
        largest = here.max()
        if largest == 0.0:
            return -np.inf
        logarithm += np.log(largest)
        above, here = here / largest, above
    return float(logarithm + np.log(above[other.size]))
