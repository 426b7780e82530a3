"""The part of ``sklearn.tree`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.dropin._tree_exports import export_graphviz, export_text, plot_tree
from infimum.models.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "export_graphviz",
    "export_text",
    "plot_tree",
]

__getattr__ = theirs(__name__)
