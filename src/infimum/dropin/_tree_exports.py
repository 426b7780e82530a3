"""Scikit-learn's exports of trees, which read ours as well.

Its functions ask for one of its own trees: ours lends its numbers to an empty one.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from sklearn.tree import _classes, _export

from infimum.data.doors import check_fitted
from infimum.errors import IncompatibleError
from infimum.models.trees import Tree
from infimum.models.trees._tree_model import TreeModel
from infimum.typing import Matrix

__all__ = ["export_graphviz", "export_text", "plot_tree"]

#: What scikit-learn writes where a leaf asks nothing.
NOTHING = -2
#: What rounding may do to a share.
SLIGHT = 1e-12


def export_text(decision_tree: Any, **options: Any) -> Any:
    """Return a tree as scikit-learn's text; `options` are those of its function.

    >>> from infimum.dropin.tree import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [9.0]], list("aab"))
    >>> print(export_text(model, feature_names=["size"]))
    |--- size <= 5.00
    |   |--- class: a
    |--- size >  5.00
    |   |--- class: b
    <BLANKLINE>
    """
    return _export.export_text(_in_their_words(decision_tree), **options)


def export_graphviz(
    decision_tree: Any, out_file: Any = None, **options: Any
) -> str | None:
    """Return or write a tree in the language of Graphviz, as scikit-learn does."""
    theirs: Any = _in_their_words(decision_tree)
    text: str | None = _export.export_graphviz(theirs, out_file, **options)
    return text


def plot_tree(decision_tree: Any, **options: Any) -> Any:
    """Draw a tree with matplotlib, as scikit-learn does; return its annotations."""
    return _export.plot_tree(_in_their_words(decision_tree), **options)


def _in_their_words(model: Any) -> Any:
    """Return one of scikit-learn's trees with the numbers of ours; others as is."""
    if not isinstance(model, TreeModel):
        return model
    check_fitted(model)
    ours: Any = model
    tree, telling_classes = ours.tree_, hasattr(model, "classes_")
    if (tree.category_start >= 0).any():
        raise IncompatibleError(
            f"{type(model).__name__} splits on categories, for which scikit-learn has "
            "no words: use infimum.models.trees.export_text or plot_tree."
        )
    kind: Any = _classes.DecisionTreeRegressor
    if telling_classes:
        kind = _classes.DecisionTreeClassifier
    theirs = kind(criterion=ours.criterion)
    for name in ("classes_", "n_classes_", "n_outputs_", "n_features_in_"):
        if hasattr(ours, name):
            setattr(theirs, name, getattr(ours, name))
    ends = tree.feature < 0
    outputs = ours.n_outputs_
    theirs.tree_ = SimpleNamespace(
        children_left=tree.left,
        children_right=tree.right,
        feature=np.where(ends, NOTHING, tree.feature),
        threshold=np.where(ends, NOTHING, tree.threshold),
        value=_rounded(tree).reshape(tree.n_nodes, outputs, -1),
        impurity=tree.impurity,
        n_node_samples=tree.rows,
        weighted_n_node_samples=tree.weight,
        n_features=ours.n_features_in_,
        n_outputs=outputs,
        n_classes=np.atleast_1d(ours.n_classes_ if telling_classes else [1] * outputs),
    )
    return theirs


def _rounded(tree: Tree) -> Matrix:
    """Return values whose products with the weights are whole where they should be."""
    weight = np.where(tree.weight > 0, tree.weight, 1.0)[:, None]
    counts = tree.value * weight
    whole = np.rint(counts)
    near = np.abs(counts - whole) <= SLIGHT * weight
    return np.where(near.all(axis=1, keepdims=True), whole / weight, tree.value)
