"""A grown tree in the layout of scikit-learn's ``tree_``, which other tools read."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from infimum.models.trees._questions import categories_of
from infimum.models.trees.structure import Tree
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["NodeArrays", "node_arrays"]

#: What scikit-learn writes where a leaf asks nothing.
NOTHING = -2
#: What rounding may do to a share.
SLIGHT = 1e-12

#: Layouts that were asked for: made from a tree and no part of a model's state.
_known: WeakKeyDictionary[Tree, NodeArrays] = WeakKeyDictionary()


def node_arrays(tree: Tree, model: Any) -> NodeArrays:
    """Return the layout of the tree of a fitted model; the same at every call."""
    found = _known.get(tree)
    if found is None:
        outputs = getattr(model, "n_outputs_", 1)
        classes = getattr(model, "n_classes_", [1] * outputs)
        made = NodeArrays(tree, model.n_features_in_, np.atleast_1d(classes))
        found = _known[tree] = made
    return found


class NodeArrays:
    """The nodes of a tree as scikit-learn lays them out; the root is 0.

    What is not listed here is that of the tree itself: ``left``, ``gain``,
    ``category_words`` and so on.

    Attributes
    ----------
    children_left, children_right : int64 of n_nodes
        -1 at a leaf.
    feature : int64 of n_nodes
        -2 at a leaf.
    threshold : float64 of n_nodes
        ``x <= threshold`` goes left; -2 at a leaf.
    missing_go_to_left : uint8 of n_nodes
    value : float64, n_nodes × n_outputs × max_n_classes
        Shares of the classes, or the mean.
    impurity, weighted_n_node_samples : float64 of n_nodes
    n_node_samples : int64 of n_nodes
    n_features, n_outputs, max_n_classes, node_count, n_leaves, max_depth : int
    n_classes : int64 of n_outputs

    Examples
    --------
    >>> from infimum.models.trees import DecisionTreeRegressor
    >>> nodes = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 3.0]).tree_
    >>> nodes.feature
    array([ 0, -2, -2])
    >>> nodes.value.shape
    (3, 1, 1)
    """

    def __init__(self, tree: Tree, n_features: int, n_classes: NDArray[Any]) -> None:
        self._tree = tree
        self.n_features = int(n_features)
        self.n_classes = n_classes.astype(np.int64)
        self.n_outputs = len(n_classes)
        self.max_n_classes = int(n_classes.max())

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """Scikit-learn's ``Tree`` where that is loaded: tools ask ``isinstance``."""
        theirs = sys.modules.get("sklearn.tree._tree")
        return NodeArrays if theirs is None else theirs.Tree

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_tree":
            raise AttributeError(name)
        return getattr(self._tree, name)

    def __reduce__(self) -> Any:
        return NodeArrays, (self._tree, self.n_features, self.n_classes)

    @cached_property
    def children_left(self) -> Indices:
        """The node that yes leads to; -1 at a leaf."""
        return self._tree.left.astype(np.int64)

    @cached_property
    def children_right(self) -> Indices:
        """The node that no leads to; -1 at a leaf."""
        return self._tree.right.astype(np.int64)

    @cached_property
    def feature(self) -> Indices:
        """The feature that a node asks for; -2 at a leaf."""
        asks = self._tree.feature
        return np.where(asks < 0, NOTHING, asks).astype(np.int64)

    @cached_property
    def threshold(self) -> Vector:
        """What a feature is compared with; -2 at a leaf."""
        tree = self._tree
        return np.where(tree.feature < 0, float(NOTHING), tree.threshold)

    @cached_property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        """Whether NaN goes left."""
        return self._tree.missing_left.astype(np.uint8)

    @cached_property
    def value(self) -> NDArray[np.float64]:
        """What a node tells, by output and class; counts of whole rows are whole."""
        tree = self._tree
        weight = np.where(tree.weight > 0, tree.weight, 1.0)[:, None]
        counts = tree.value * weight
        whole = np.rint(counts)
        near = (np.abs(counts - whole) <= SLIGHT * weight).all(axis=1, keepdims=True)
        value = np.where(near, whole / weight, tree.value)
        return value.reshape(tree.n_nodes, self.n_outputs, -1)

    @property
    def node_count(self) -> int:
        """Number of nodes, leaves included."""
        return self._tree.n_nodes

    @property
    def capacity(self) -> int:
        """`node_count`: no room is kept for more."""
        return self._tree.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return self._tree.n_leaves

    @property
    def max_depth(self) -> int:
        """Most questions that a row is asked."""
        return self._tree.depth

    @property
    def impurity(self) -> Vector:
        """How mixed the rows of a node are."""
        return self._tree.impurity

    @property
    def n_node_samples(self) -> Indices:
        """Number of training rows that came by."""
        return self._tree.rows

    @property
    def weighted_n_node_samples(self) -> Vector:
        """Sum of their weights."""
        return self._tree.weight

    def apply(self, X: Any) -> Indices:
        """Return the leaf of each row."""
        return self._tree.apply(X).astype(np.int64)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return what each row's leaf tells: rows × classes, or × outputs × classes."""
        told = self.value[self.apply(X)]
        return told[:, 0] if self.n_outputs == 1 else told

    def decision_path(self, X: Any) -> Any:
        """Return which nodes each row comes by: a sparse matrix of rows × nodes."""
        return self._tree.decision_path(X)

    def compute_node_depths(self) -> Indices:
        """Return the depth of each node; the root has 1, as in scikit-learn."""
        return self._tree.depths.astype(np.int64) + 1

    def compute_feature_importances(self, normalize: bool = True) -> Vector:  # noqa: FBT001, FBT002
        """Return by how much each feature lowered the impurity; a share, or in all."""
        tree = self._tree
        inner = tree.feature >= 0
        asked, gains = tree.feature[inner], tree.gain[inner]
        found = np.bincount(asked, weights=gains, minlength=self.n_features)
        total = found.sum()
        return np.asarray(found / total if normalize and total > 0 else found)

    def compute_partial_dependence(
        self, X: Matrix, target_features: Indices, out: Vector
    ) -> None:
        """Add to `out` what the tree tells where only some features are known.

        A question about another feature sends a row both ways, by the shares of the
        training rows (Friedman 2001, section 8.2).
        """
        tree = self._tree
        column = {int(f): k for k, f in enumerate(target_features)}
        share = np.zeros((tree.n_nodes, len(X)))
        share[0] = 1.0
        for node in np.flatnonzero(tree.feature >= 0):
            left, right = tree.left[node], tree.right[node]
            known = column.get(int(tree.feature[node]))
            leftward: Any = tree.weight[left] / tree.weight[node]
            if known is not None:
                leftward = _goes_left(tree, int(node), X[:, known])
            share[left] = share[node] * leftward
            share[right] = share[node] - share[left]
        ends = tree.feature < 0
        out += self.value[ends, 0, 0] @ share[ends]


def _goes_left(tree: Tree, node: int, values: Vector) -> Mask:
    """Return which values of the feature that a node asks for go left."""
    if tree.category_start[node] < 0:
        left = values <= tree.threshold[node]
    else:
        left = np.isin(values, categories_of(tree, node))
    return np.asarray(np.where(np.isnan(values), tree.missing_left[node], left))
