"""Exact Shapley values of trees and of their sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_shapley import (
    Leaves,
    answer_nodes,
    share_among_features,
)
from infimum.errors import DataError, IncompatibleError
from infimum.models.trees.structure import Tree
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ShapleyValues", "shapley_values"]

#: Rows of a part.
PART = 64


@dataclass(frozen=True, eq=False)
class ShapleyValues:
    """What each feature adds to each prediction.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_features) or (n_samples, n_features, \
n_outputs)
        The last axis is left out where a model has one output.
    expectation : ndarray of shape (n_outputs,)
        The prediction when nothing is known: a row's values and this sum to the
        prediction of the row.
    """

    values: Matrix
    expectation: Vector


def shapley_values(model: Any, X: Any, background: Any = None) -> ShapleyValues:
    """Return exact Shapley values of a tree, a forest or a boosted model.

    A coalition of features is worth what the model expects when only those are known.
    Without a `background` an unknown feature sends a row both ways, in the proportion
    of the training rows (path-dependent TreeSHAP); with one its value is taken from a
    row of the background, and all rows of it count alike (interventional).

    Parameters
    ----------
    model : Tree, sequence of Tree, or fitted estimator
        For an estimator the explained output is the score of boosted models, and
        otherwise the prediction or the probabilities of the classes. A sequence of
        trees is added up.
    X : array-like of shape (n_samples, n_features)
    background : array-like of shape (n_background, n_features), default=None

    Returns
    -------
    ShapleyValues

    Examples
    --------
    >>> import numpy as np
    >>> stump = Tree.of(
    ...     feature=[0, -1, -1], threshold=[0.5, 0, 0], left=[1, -1, -1],
    ...     right=[2, -1, -1], value=[0.3, 0.0, 1.0], weight=[10.0, 7.0, 3.0],
    ... )
    >>> explained = shapley_values(stump, np.array([[0.0, 5.0], [1.0, 5.0]]))
    >>> explained.expectation
    array([0.3])
    >>> explained.values.round(3)
    array([[-0.3,  0. ],
           [ 0.7,  0. ]])

    References
    ----------
    Lundberg et al. (2020), From local explanations to global understanding with
    explainable AI for trees. Nature Machine Intelligence 2.
    """
    trees, columns, width, start, scale, admit = _parts_of(model)
    rows = _dense(admit(X))
    layout = _Layout.of(trees, columns, scale)
    if rows.shape[1] < layout.n_features:
        raise DataError(
            f"The trees ask for {layout.n_features} features, got {rows.shape[1]}."
        )
    others = _dense(admit(background)) if background is not None else rows[:0]
    expectation = start + layout.mean(width)
    if background is not None:
        if not len(others):
            raise DataError("The background needs a row to compare with, got 0.")
        expectation = start + layout.mean_over(others, width)
    phi = np.zeros((*rows.shape, width))
    known = layout.answers(others)

    def explain(part: slice) -> None:
        layout.share(layout.answers(rows[part]), known, phi[part])

    in_parts(len(rows), explain, max(1, -(-len(rows) // PART)))
    return ShapleyValues(phi[:, :, 0] if width == 1 else phi, expectation)


@dataclass(frozen=True, eq=False)
class _Layout:
    """The paths of all leaves of all trees, side by side."""

    nodes: Indices
    cuts: Vector
    words: Any
    paths: Indices
    steps: Indices
    features: Indices
    cover: Vector
    values: Matrix
    columns: Indices
    weights: Vector

    @classmethod
    def of(cls, trees: Sequence[Tree], columns: Indices, scale: float) -> _Layout:
        nodes = np.cumsum([0, *(tree.n_nodes for tree in trees)])
        words = np.cumsum([0, *(len(tree.category_words) for tree in trees)])
        told = [_told(tree, int(at)) for tree, at in zip(trees, words, strict=False)]
        sizes, steps, features, cover = [(0, 0)], [], [], []
        for tree, first in zip(trees, nodes, strict=False):
            for path, names, shares in _paths(tree):
                sizes.append((len(names), len(path)))
                steps += [(int(first) + node, side, at) for node, side, at in path]
                features += names
                cover += shares
        ends = np.cumsum(np.array(sizes, dtype=np.int64), axis=0)
        reached = np.multiply.reduceat([*cover, 1.0], ends[:-1, 0])
        counts = [tree.n_leaves for tree in trees]
        return cls(
            np.concatenate(told).astype(np.int64),
            np.concatenate([tree.threshold for tree in trees]),
            np.concatenate([tree.category_words for tree in trees]),
            ends,
            np.array(steps, dtype=np.int64).reshape(-1, 3),
            np.array(features, dtype=np.int64),
            np.array(cover, dtype=np.float64),
            scale * np.concatenate([tree.value[tree.feature < 0] for tree in trees]),
            np.repeat(np.asarray(columns, dtype=np.int64), counts),
            np.where(np.diff(ends[:, 0]) > 0, reached, 1.0),
        )

    @property
    def n_features(self) -> int:
        return int(self.nodes[:, 0].max()) + 1

    def answers(self, X: Matrix) -> Any:
        out = np.zeros((len(X), len(self.nodes)), dtype=np.uint8)
        answer_nodes(self.nodes, self.cuts, self.words, X, out)
        return out

    def share(self, answers: Any, others: Any, phi: Matrix) -> None:
        points, masses = _gauss(int(np.diff(self.paths[:, 0]).max()))
        leaves = Leaves(
            self.paths, self.steps, self.features, self.cover, self.values, self.columns
        )
        share_among_features(answers, others, leaves, points, masses, phi)

    def mean(self, width: int) -> Vector:
        """Return the sum of the trees' mean values, by shares of training rows."""
        return self._sum(self.weights, width)

    def mean_over(self, X: Matrix, width: int) -> Vector:
        """Return the mean prediction over some rows."""
        answers, reached = self.answers(X), np.empty(len(self.columns))
        for leaf, (begin, end) in enumerate(
            zip(self.paths[:-1, 1], self.paths[1:, 1], strict=True)
        ):
            path = self.steps[begin:end]
            reached[leaf] = (answers[:, path[:, 0]] == path[:, 1]).all(axis=1).mean()
        return self._sum(reached, width)

    def _sum(self, mass: Vector, width: int) -> Vector:
        total = np.zeros(width)
        for k in range(self.values.shape[1]):
            np.add.at(total, self.columns + k, self.values[:, k] * mass)
        return total


def _told(tree: Tree, words: int) -> Indices:
    """Return what a row is asked at each node: feature, missing way, set."""
    sets = np.where(tree.category_start < 0, -1, tree.category_start + words)
    return np.column_stack([tree.feature, tree.missing_left, sets])


def _paths(
    tree: Tree,
) -> Iterator[tuple[list[tuple[int, int, int]], list[int], list[float]]]:
    """Yield, leaf by leaf, the questions before it, the features and their shares."""
    total = tree.weight if tree.weight[0] > 0 else np.ones(tree.n_nodes)
    for leaf in np.flatnonzero(tree.feature < 0):
        steps: list[tuple[int, int, int]] = []
        names: list[int] = []
        shares: list[float] = []
        node = int(leaf)
        while node > 0:
            above = int(tree.parent[node])
            feature = int(tree.feature[above])
            if feature not in names:
                names.append(feature)
                shares.append(1.0)
            at = names.index(feature)
            shares[at] *= float(total[node] / max(total[above], 1e-300))
            steps.append((above, int(tree.right[above] == node), at))
            node = above
        yield steps, names, shares


def _gauss(longest: int) -> tuple[Matrix, Matrix]:
    """Return Gauss's points and masses on [0, 1], a line for each number of points."""
    size = max(longest, 1) + 1
    points, masses = np.zeros((size, size)), np.zeros((size, size))
    for count in range(1, size):
        x, w = np.polynomial.legendre.leggauss(count)
        points[count, :count], masses[count, :count] = 0.5 * (x + 1.0), 0.5 * w
    return points, masses


def _dense(X: Any) -> Matrix:
    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    kind = np.float32 if X.dtype == np.float32 else np.float64
    return np.ascontiguousarray(X, dtype=kind)


def _parts_of(model: Any) -> tuple[Any, Any, int, Any, float, Any]:
    """Return trees, their outputs, how many there are, start, scale and the door."""
    if hasattr(model, "_sum_of_trees"):
        return model._sum_of_trees()  # type: ignore[no-any-return]
    trees, scale, admit = _trees_of(model), 1.0, lambda X: X
    if not (trees and isinstance(trees[0], Tree)):
        raise IncompatibleError(
            "shapley_values explains a Tree, a sequence of them, or a fitted estimator "
            f"made of trees, got {type(model).__name__}."
        )
    if hasattr(model, "predict") and not isinstance(model, Tree):
        from infimum.models.trees._tree_door import accept_rows

        scale, admit = 1.0 / len(trees), lambda X: accept_rows(model, X)
    return trees, [0] * len(trees), trees[0].value.shape[1], 0.0, scale, admit


def _trees_of(model: Any) -> Any:
    """Return the trees of a tree, a sequence, a tree model or a forest; else none."""
    if isinstance(model, Tree):
        return [model]
    if isinstance(model, Sequence):
        return model
    return getattr(model, "trees_", [getattr(model, "_grown", None)])
