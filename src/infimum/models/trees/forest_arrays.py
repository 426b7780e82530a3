"""Trees laid out side by side for prediction: 16 bytes a node, children together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_walk import find_leaves, sum_leaves
from infimum.errors import DataError
from infimum.typing import Indices, Matrix

if TYPE_CHECKING:
    from infimum.models.trees.structure import Tree

__all__ = ["ForestArrays"]

#: Work, as rows × trees, below which handing it to other threads does not pay.
SMALL = 20_000
#: Rows of a part; a sparse table is made dense part by part.
PART = 2_048


@dataclass(frozen=True, eq=False)
class ForestArrays:
    """Many trees as one array of nodes; made from trees, never read from a file.

    Parameters
    ----------
    nodes : int64, n_nodes × 2
        Threshold bits or start of a set; child, feature, missing and kind.
    words : uint32
        The sets of categories of all trees.
    roots : int64
        Where each tree begins.
    outputs : int64
        The column of scores that a tree adds to; -1 if its values are whole rows.
    values : float64, n_leaves × n_outputs
    names : int32
        The node, in its own tree, of each leaf.
    n_columns : int
        Columns of the sums.
    n_features : int
        Features that some tree asks for are below this.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.trees.structure import Tree
    >>> stump = Tree.of(
    ...     feature=[0, -1, -1], threshold=[1.5, 0.0, 0.0], left=[1, -1, -1],
    ...     right=[2, -1, -1], value=[[0.4], [0.0], [1.0]],
    ... )
    >>> forest = ForestArrays.of([stump, stump, stump])
    >>> forest.sum(np.array([[1.0], [2.0]])).ravel()
    array([0., 3.])
    """

    nodes: NDArray[np.int64]
    cuts: Matrix
    words: NDArray[np.uint32]
    roots: NDArray[np.int64]
    outputs: NDArray[np.int64]
    values: Matrix
    names: Indices
    n_columns: int
    n_features: int

    @classmethod
    def of(
        cls, trees: Sequence[Tree], outputs: Any = None, n_columns: int | None = None
    ) -> ForestArrays:
        """Return the layout of trees.

        Parameters
        ----------
        trees : sequence of Tree
        outputs : sequence of int, optional
            For trees of one value: the column of the sums that each adds to.
        n_columns : int, optional
            Columns of the sums when `outputs` are given.
        """
        sizes = [tree.n_nodes for tree in trees]
        roots = np.concatenate([[0], np.cumsum(sizes)])
        nodes = np.empty((int(roots[-1]), 2), dtype=np.int64)
        leaves, words = 0, 0
        for tree, root in zip(trees, roots, strict=False):
            # Node 0 is a root always, so that a child 0 can mean a leaf.
            _lay_out(tree, nodes[root : root + tree.n_nodes], int(root), leaves, words)
            leaves += tree.n_leaves
            words += len(tree.category_words)
        tips = [np.flatnonzero(tree.feature < 0) for tree in trees]
        pairs = list(zip(trees, tips, strict=True))
        values = np.concatenate([tree.value[tip] for tree, tip in pairs])
        if outputs is None:
            outputs = np.full(len(trees), -1)
        return cls(
            nodes=nodes,
            cuts=nodes.view(np.float64),
            words=np.concatenate([tree.category_words for tree in trees]),
            roots=roots[:-1].astype(np.int64),
            outputs=np.asarray(outputs, dtype=np.int64),
            values=values,
            names=np.concatenate(tips).astype(np.int32),
            n_columns=values.shape[1] if n_columns is None else n_columns,
            n_features=1 + max(int(tree.feature.max()) for tree in trees),
        )

    def leaves(self, X: Any) -> Indices:
        """Return the number of each row's leaf in each tree: rows × trees."""
        out = np.empty((X.shape[0], len(self.roots)), dtype=np.int64)

        def find(rows: slice) -> None:
            some = _dense(X, rows)
            find_leaves(self.nodes, self.cuts, self.words, self.roots, some, out[rows])

        self._over_rows(X, find)
        return out

    def apply(self, X: Any) -> Indices:
        """Return the node that each row ends in, in each tree: rows × trees."""
        return np.asarray(self.names[self.leaves(X)])

    def sum(self, X: Any, start: Any = 0.0) -> Matrix:
        """Return the sums of the trees' values for each row, added to `start`."""
        out = np.empty((X.shape[0], self.n_columns))
        out[:] = start

        def add(rows: slice) -> None:
            sum_leaves(
                self.nodes, self.cuts, self.words, self.roots, self.outputs,
                self.values, _dense(X, rows), out[rows],
            )  # fmt: skip

        self._over_rows(X, add)
        return out

    def mean(self, X: Any) -> Matrix:
        """Return the mean of the trees' values for each row."""
        return self.sum(X) / len(self.roots)

    def _over_rows(self, X: Any, work: Any) -> None:
        n, d = X.shape
        if d < self.n_features:
            raise DataError(f"The trees ask for {self.n_features} features, got {d}.")
        if n * len(self.roots) <= SMALL:
            work(slice(0, n))
        else:
            in_parts(n, work, max(2, -(-n // PART)))


def _dense(X: Any, rows: slice) -> Matrix:
    some: Any = X[rows]
    if hasattr(some, "toarray"):
        some = some.toarray()
    kind = np.float32 if some.dtype == np.float32 else np.float64
    return np.ascontiguousarray(some, dtype=kind)


def _lay_out(
    tree: Tree, nodes: NDArray[np.int64], root: int, leaves: int, words: int
) -> None:
    """Write a tree's nodes, its pairs of children in the order of their parents."""
    n = tree.n_nodes
    is_leaf = tree.feature < 0
    inner = np.flatnonzero(~is_leaf)
    pairs = 1 + 2 * np.arange(len(inner))
    place = np.zeros(n, dtype=np.int64)
    place[tree.left[inner]] = pairs
    place[tree.right[inner]] = pairs + 1
    sets = tree.category_start[inner]
    code = (tree.feature[inner].astype(np.int64) << 2) | (sets >= 0)
    code |= tree.missing_left[inner].astype(np.int64) << 1
    at = place[inner]
    cuts = tree.threshold[inner].view(np.int64)
    nodes[at, 0] = np.where(sets >= 0, sets.astype(np.int64) + words, cuts)
    nodes[at, 1] = ((root + pairs) << 32) | code
    tips = place[is_leaf]
    nodes[tips, 0] = 0
    nodes[tips, 1] = leaves + np.arange(len(tips))
