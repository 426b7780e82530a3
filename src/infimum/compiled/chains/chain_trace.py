"""Follow backpointers from the end of a block of steps to its beginning."""

from infimum.compiled.loop import loop
from infimum.typing import Indices

__all__ = ["chain_trace"]


@loop()
def chain_trace(pointers: Indices, label: int, labels: Indices) -> int:
    """Write the label before each step of a block; return the first of them."""
    for t in range(labels.size - 1, -1, -1):
        label = pointers[t, label]
        labels[t] = label
    return label
