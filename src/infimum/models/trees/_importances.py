"""How much each feature lowered the impurity."""

import numpy as np

from infimum.models.trees.structure import Tree
from infimum.typing import Vector

__all__ = ["gains_by_feature"]


def gains_by_feature(tree: Tree, d: int) -> Vector:
    """Return each feature's share of all gains of a tree; all 0 without a gain."""
    inner = tree.feature >= 0
    gains = np.bincount(tree.feature[inner], weights=tree.gain[inner], minlength=d)
    total = gains.sum()
    return np.asarray(gains / total if total > 0.0 else gains)
