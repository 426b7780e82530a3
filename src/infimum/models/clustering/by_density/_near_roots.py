"""Component labels from a union-find forest."""

import numpy as np

from infimum.typing import Indices, Mask

__all__ = ["number_roots", "roots_of"]


def roots_of(above: Indices) -> Indices:
    """Return the root of each member of a forest."""
    while not np.array_equal(above, higher := above[above]):
        above = higher
    return above


def number_roots(roots: Indices, chosen: Mask) -> Indices:
    """Return the components, numbered in the order of their first sample."""
    out: Indices = np.full(len(chosen), -1)
    _, first, code = np.unique(roots[chosen], return_index=True, return_inverse=True)
    out[chosen] = np.argsort(np.argsort(first))[code]
    return out
