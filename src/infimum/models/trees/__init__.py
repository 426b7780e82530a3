"""Trees: questions that lead to an answer."""

from infimum.models.trees.decision_stump import DecisionStump
from infimum.models.trees.forest_arrays import ForestArrays
from infimum.models.trees.structure import Tree

__all__ = [
    "DecisionStump",
    "ForestArrays",
    "Tree",
]
