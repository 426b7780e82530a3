"""Declared states of fitted trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infimum.errors import DataError
from infimum.fitted import State

__all__ = ["LABELS", "STATES", "check_trees", "check_widths"]

_NODES = {
    "feature": "int[nodes]",
    "threshold": "float[nodes]",
    "left": "int[nodes]",
    "right": "int[nodes]",
    "missing_left": "bool[nodes]",
    "category_start": "int[nodes]",
    "category_words": "int[*]",
    "value": "float[nodes, outputs]",
    "weight": "float[nodes]",
    "rows": "int[nodes]",
    "impurity": "float[nodes]",
    "gain": "float[nodes]",
}
#: Classes of one output, or of several.
LABELS = {
    "n_outputs_": "size outputs",
    "classes_": "label[classes] | list[outputs] of label[*]",
    "n_classes_": "size classes | list[outputs] of count",
}


def check_widths(model: Any, trees: Sequence[Any]) -> None:
    """Raise DataError unless leaves tell as much as the model reads from them."""
    owner, outputs = type(model).__name__, getattr(model, "n_outputs_", 1)
    width = outputs
    if hasattr(model, "classes_"):
        many = isinstance(model.classes_, list)
        names = model.classes_ if many else [model.classes_]
        counts = [len(each) for each in names]
        told = model.n_classes_ if many else [model.n_classes_]
        if many != (outputs > 1) or counts != list(told) or 0 in counts:
            raise DataError(
                f"{owner}.n_classes_ must count the classes of each output."
            )
        width = outputs * max(counts)
    check_trees(owner, trees, model.n_features_in_, width)


def check_trees(owner: str, trees: Sequence[Any], features: int, width: int) -> None:
    """Raise DataError unless there are trees of these features and values."""
    if not trees:
        raise DataError(f"{owner} must have a tree.")
    if any(tree.value.shape[1] != width for tree in trees):
        raise DataError(f"{owner}: every tree must predict {width} values.")
    if any(tree.feature.max() >= features for tree in trees):
        raise DataError(f"{owner}: the trees ask for more than {features} features.")


def _check_one(model: Any) -> None:
    check_widths(model, [model._grown])


def check_comparisons(model: Any) -> None:
    """Raise DataError unless pivots are samples and leaves tell what is asked."""
    owner = type(model).__name__
    given = isinstance(model.metric, str) and model.metric == "precomputed"
    if given != (model.X_fit_ is None):
        raise DataError(f"{owner}.X_fit_ must be None for given distances only.")
    samples = model.n_features_in_ if given else len(model.X_fit_)
    width = len(model.classes_) if hasattr(model, "classes_") else 1
    for tree in model.trees_:
        inner = tree.pivots[tree.pivots[:, 0] >= 0]
        known = inner.min(initial=0) >= 0 and inner.max(initial=-1) < samples
        if tree.value.shape[1] != width or not known:
            raise DataError(f"{owner}: a tree is not one of these samples.")
    if not model.trees_:
        raise DataError(f"{owner} must have a tree.")


_COMPARED = State(
    {
        "n_features_in_": "size features",
        "metric": "'euclidean' | 'manhattan' | 'chebyshev' | 'precomputed'",
        "X_fit_": "finite[samples, features] | none",
        "n_comparisons_": "count",
        "trees_": "list of ComparisonTree",
    },
    also=check_comparisons,
)
#: Trees and forests of comparisons.
COMPARISONS = {
    "Classifier": State({"classes_": "label[classes]"}, base=_COMPARED),
    "Regressor": _COMPARED,
}
_TREE = State(
    {
        "n_features_in_": "size features",
        "n_outputs_": "size outputs",
        "max_features_": "count",
        "tree_": "Tree",
    },
    also=_check_one,
)
_CLASSES = State(LABELS, base=_TREE)

STATES = {
    "Tree": State(_NODES),
    "ComparisonTree": State(
        {
            "pivots": "int[nodes, 2]",
            "left": "int[nodes]",
            "right": "int[nodes]",
            "value": "float[nodes, outputs]",
        }
    ),
    "DecisionTreeClassifier": _CLASSES,
    "DecisionTreeRegressor": _TREE,
    "ExtraTreeClassifier": _CLASSES,
    "ExtraTreeRegressor": _TREE,
    "ComparisonTreeClassifier": COMPARISONS["Classifier"],
    "ComparisonTreeRegressor": COMPARISONS["Regressor"],
    "DecisionStump": State(
        {
            "n_features_in_": "size features",
            "classes_": "label[classes]",
            "feature_": "index of features or -1",
            "threshold_": "number",
            "missing_left_": "flag",
            "class_weights_": "nonnegative[2, classes]",
        }
    ),
}
