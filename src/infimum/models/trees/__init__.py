"""Trees: questions that lead to an answer."""

from infimum.models.trees.comparison_tree import ComparisonTree
from infimum.models.trees.comparison_tree_classifier import ComparisonTreeClassifier
from infimum.models.trees.comparison_tree_regressor import ComparisonTreeRegressor
from infimum.models.trees.decision_stump import DecisionStump
from infimum.models.trees.decision_tree_classifier import DecisionTreeClassifier
from infimum.models.trees.decision_tree_regressor import DecisionTreeRegressor
from infimum.models.trees.export_text import export_text
from infimum.models.trees.extra_tree_classifier import ExtraTreeClassifier
from infimum.models.trees.extra_tree_regressor import ExtraTreeRegressor
from infimum.models.trees.forest_arrays import ForestArrays
from infimum.models.trees.picture import plot_tree
from infimum.models.trees.pruning import PruningPath, prune, pruning_path
from infimum.models.trees.shapley_values import ShapleyValues, shapley_values
from infimum.models.trees.structure import Tree

__all__ = [
    "ComparisonTree",
    "ComparisonTreeClassifier",
    "ComparisonTreeRegressor",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "ForestArrays",
    "PruningPath",
    "ShapleyValues",
    "Tree",
    "export_text",
    "plot_tree",
    "prune",
    "pruning_path",
    "shapley_values",
]
