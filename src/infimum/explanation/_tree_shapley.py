"""The door to exact Shapley values of trees, where the tree room has them."""

from typing import Any

from infimum.explanation.attribution import Attribution

__all__ = ["explains_tree", "tree_attribution"]

_ROOMS = ("infimum.models.trees", "infimum.models.ensembles")


def explains_tree(model: Any) -> bool:
    """Tell whether a model is made of trees that can be shared out exactly."""
    return False


def tree_attribution(model: Any, X: Any, *, target: Any = None) -> Attribution:
    """Return the attribution of a tree, a forest or a boosted sum of trees."""
    raise NotImplementedError
