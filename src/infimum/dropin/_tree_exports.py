"""Scikit-learn's exports of trees, which read ours as well."""

from __future__ import annotations

from typing import Any

from sklearn.tree import _export

from infimum.data.doors import check_fitted
from infimum.errors import IncompatibleError
from infimum.models.trees._tree_model import TreeModel

__all__ = ["export_graphviz", "export_text", "plot_tree"]


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
    return _export.export_text(_told_by_numbers(decision_tree), **options)


def export_graphviz(
    decision_tree: Any, out_file: Any = None, **options: Any
) -> str | None:
    """Return or write a tree in the language of Graphviz, as scikit-learn does."""
    theirs: Any = _told_by_numbers(decision_tree)
    text: str | None = _export.export_graphviz(theirs, out_file, **options)
    return text


def plot_tree(decision_tree: Any, **options: Any) -> Any:
    """Draw a tree with matplotlib, as scikit-learn does; return its annotations."""
    return _export.plot_tree(_told_by_numbers(decision_tree), **options)


def _told_by_numbers(model: Any) -> Any:
    """Return the model unless it asks what scikit-learn cannot write."""
    if isinstance(model, TreeModel):
        check_fitted(model)
        if (model._grown.category_start >= 0).any():
            raise IncompatibleError(
                f"{type(model).__name__} splits on categories, for which scikit-learn "
                "has no words: use infimum.models.trees.export_text or plot_tree."
            )
    return model
