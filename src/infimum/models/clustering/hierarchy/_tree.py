"""From merges to a tree: SciPy's matrix of four columns."""

import numpy as np

from infimum.compiled.clusters.tree_of_merges import name_nodes, raise_heights
from infimum.models.clustering.hierarchy._merging import Merges
from infimum.typing import Indices, Matrix, Vector

__all__ = ["grow", "tree_of_nodes"]


def grow(merges: Merges, sizes: Vector, kind: str) -> Matrix:
    """Return the tree of merges of samples.

    Parameters
    ----------
    merges : Merges
    sizes : ndarray of shape (n_samples,)
    kind : {"edges", "unions", "inversions"}
        Edges of a spanning tree are sorted by height. Unions come after their parts,
        and rounding is not allowed to put them below. Inversions stay as they are.
    """
    first, second, heights = merges.joined()
    if kind == "unions":
        raise_heights(first, second, heights, len(sizes))
    if kind != "inversions":
        order = np.argsort(heights, kind="stable")
        first, second, heights = first[order], second[order], heights[order]
    left, right = np.empty_like(first), np.empty_like(second)
    name_nodes(first, second, left, right)
    return tree_of_nodes(left, right, heights, sizes)


def tree_of_nodes(
    left: Indices, right: Indices, heights: Vector, sizes: Vector
) -> Matrix:
    """Return the tree whose nodes were joined in this order."""
    n = len(sizes)
    weight = [*sizes.tolist(), *([0.0] * len(heights))]
    for merge, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        weight[n + merge] = weight[a] + weight[b]
    low, high = np.minimum(left, right), np.maximum(left, right)
    return np.column_stack([low, high, heights, weight[n:]]).astype(np.float64)
