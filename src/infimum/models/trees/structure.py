"""`Tree`: a grown tree as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from infimum.errors import DataError
from infimum.models.trees.forest_arrays import ForestArrays
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["Tree"]

_KINDS = {
    "feature": "i4", "threshold": "f8", "left": "i4", "right": "i4",
    "missing_left": "?", "category_start": "i4", "category_words": "u4",
    "value": "f8", "weight": "f8", "rows": "i8", "impurity": "f8", "gain": "f8",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Tree:
    """Binary tree of questions, one entry a node; the root is 0, children come later.

    Parameters
    ----------
    feature : int32
        The feature a node asks for, -1 at a leaf.
    threshold : float64
        ``x <= threshold`` goes left.
    left, right : int32
        Children; -1 at a leaf.
    missing_left : bool
        Whether NaN goes left.
    category_start : int32
        -1 for a question about a number, else where the node's set begins in
        `category_words`.
    category_words : uint32
        Sets of categories: the number of words that follow, then those words, bit
        ``c % 32`` of word ``c // 32`` being 1 if category c goes left. What is beyond
        the set goes where the missing go.
    value : float64, n_nodes × n_outputs
        Class distribution, mean, or score.
    weight : float64
        Sum of the weights of the training rows that came by.
    rows : int64
        Their number.
    impurity : float64
    gain : float64
        By how much the split lowers the impurity, times the node's share of the weight.

    Examples
    --------
    >>> import numpy as np
    >>> stump = Tree.of(
    ...     feature=[0, -1, -1], threshold=[1.5, 0.0, 0.0], left=[1, -1, -1],
    ...     right=[2, -1, -1], value=[[0.4], [0.0], [1.0]],
    ... )
    >>> stump.predict(np.array([[1.0], [2.0], [np.nan]])).ravel()
    array([0., 1., 1.])
    >>> stump.depth, stump.n_leaves
    (1, 2)
    """

    feature: Indices
    threshold: Vector
    left: Indices
    right: Indices
    missing_left: Mask
    category_start: Indices
    category_words: NDArray[np.uint32]
    value: Matrix
    weight: Vector
    rows: Indices
    impurity: Vector
    gain: Vector

    @classmethod
    def grown(cls, **arrays: Any) -> Tree:
        """Return a tree that a loop of the house has grown: it is not looked at."""
        tree = cls.__new__(cls)
        tree.__dict__.update(_laid_out(arrays))
        return tree

    def __post_init__(self) -> None:
        self.__dict__.update(_laid_out(self.__dict__))
        _check_shape(self)
        _check_sets(self)

    @classmethod
    def of(
        cls,
        feature: Any,
        threshold: Any,
        left: Any,
        right: Any,
        value: Any,
        **more: Any,
    ) -> Tree:
        """Return a tree of which only the questions and answers are known."""
        n = len(np.asarray(feature))
        unknown: dict[str, Any] = {
            "missing_left": np.zeros(n, dtype=bool),
            "category_start": np.full(n, -1),
            "category_words": np.zeros(0),
            "weight": np.zeros(n),
            "rows": np.zeros(n),
            "impurity": np.zeros(n),
            "gain": np.zeros(n),
        }
        value = np.asarray(value, dtype=np.float64).reshape(n, -1)
        return cls(feature, threshold, left, right, value=value, **(unknown | more))

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.feature < 0))

    @cached_property
    def depths(self) -> Indices:
        """Number of questions above each node."""
        depths = np.zeros(self.n_nodes, dtype=np.int32)
        level, count = np.zeros(1, dtype=np.int32), 0
        while len(level):
            depths[level] = count
            inner = level[self.feature[level] >= 0]
            level = np.concatenate([self.left[inner], self.right[inner]])
            count += 1
        return depths

    @property
    def children_left(self) -> Indices:
        """`left`, by the name that scikit-learn's users know."""
        return self.left

    @property
    def children_right(self) -> Indices:
        """`right`, by the name that scikit-learn's users know."""
        return self.right

    @property
    def n_node_samples(self) -> Indices:
        """`rows`, by the name that scikit-learn's users know."""
        return self.rows

    @property
    def weighted_n_node_samples(self) -> Vector:
        """`weight`, by the name that scikit-learn's users know."""
        return self.weight

    @property
    def node_count(self) -> int:
        """`n_nodes`, by the name that scikit-learn's users know."""
        return self.n_nodes

    @property
    def max_depth(self) -> int:
        """`depth`, by the name that scikit-learn's users know."""
        return self.depth

    @property
    def depth(self) -> int:
        """Most questions that a row is asked."""
        return int(self.depths.max())

    @cached_property
    def arrays(self) -> ForestArrays:
        """The tree laid out for prediction."""
        return ForestArrays.of([self])

    def apply(self, X: Any) -> Indices:
        """Return the node, a leaf, that each row ends in."""
        return np.asarray(self.arrays.apply(X)[:, 0])

    def predict(self, X: Any) -> Matrix:
        """Return the value of each row's leaf."""
        return self.value[self.apply(X)]

    @cached_property
    def parent(self) -> Indices:
        """The node above each node; -1 above the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(self.feature >= 0)
        parent[self.left[inner]] = inner
        parent[self.right[inner]] = inner
        return parent

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """Return which nodes each row comes by: rows × nodes, 1 or nothing."""
        at = self.apply(X).astype(np.int64)
        rows = np.arange(len(at))
        found = []
        while len(at):
            found.append((rows, at))
            at = self.parent[at].astype(np.int64)
            rows, at = rows[at >= 0], at[at >= 0]
        i = np.concatenate([rows for rows, _ in found]) if found else rows
        j = np.concatenate([nodes for _, nodes in found]) if found else at
        shape = (int(i.max(initial=-1)) + 1, self.n_nodes)
        return sparse.csr_matrix((np.ones(len(i), dtype=np.int64), (i, j)), shape=shape)


def _laid_out(arrays: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """Return arrays in the kinds that compiled loops read."""
    return {
        name: np.ascontiguousarray(arrays[name], dtype=kind)
        for name, kind in _KINDS.items()
    }


def _check_shape(tree: Tree) -> None:
    """Raise DataError unless the arrays are those of a binary tree.

    Compiled loops follow these numbers without looking.
    """
    n = len(tree.feature)
    per_node = [
        getattr(tree, name)
        for name in tree.__dataclass_fields__
        if name != "category_words"
    ]
    if n == 0 or tree.value.ndim != 2 or {len(array) for array in per_node} != {n}:  # noqa: PLR2004
        raise DataError("Tree: every node needs one entry in each array.")
    inner = np.flatnonzero(tree.feature >= 0)
    children = np.concatenate([tree.left[inner], tree.right[inner]])
    below = (tree.left[inner] > inner) & (tree.right[inner] > inner)
    if not below.all() or not np.array_equal(np.sort(children), np.arange(1, n)):
        raise DataError(
            "Tree: every node but the root must be the child of one earlier node."
        )


def _check_sets(tree: Tree) -> None:
    """Raise DataError unless every set of categories lies within the words."""
    starts = tree.category_start[(tree.feature >= 0) & (tree.category_start != -1)]
    words = tree.category_words
    within = (starts >= 0) & (starts < len(words))
    if within.all():
        counts = words[starts].astype(np.int64)
        within = starts + counts < len(words)
    if not within.all():
        raise DataError("Tree: a set of categories lies outside category_words.")
