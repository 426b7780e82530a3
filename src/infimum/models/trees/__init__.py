"""Trees: questions that lead to an answer."""

from infimum.models.trees.comparison_tree import ComparisonTree
from infimum.models.trees.comparison_tree_classifier import ComparisonTreeClassifier
from infimum.models.trees.comparison_tree_regressor import ComparisonTreeRegressor
from infimum.models.trees.decision_stump import DecisionStump
from infimum.models.trees.forest_arrays import ForestArrays
from infimum.models.trees.structure import Tree

__all__ = [
    "ComparisonTree",
    "ComparisonTreeClassifier",
    "ComparisonTreeRegressor",
    "DecisionStump",
    "ForestArrays",
    "Tree",
]
