"""Trees that are added up, kept in few arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.models.trees import ForestArrays, Tree
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["BoostedTrees"]

_PER_NODE = (
    "feature", "threshold", "left", "right", "missing_left", "category_start",
    "value", "weight", "rows", "impurity", "gain",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """Sum of trees: scores start somewhere, and every tree adds its leaf's value.

    The nodes of all trees lie one tree after another; children and sets of categories
    are counted from the beginning of their own tree.

    Parameters
    ----------
    start : float64, n_outputs
        The scores before the first tree.
    sizes, word_sizes : int64, n_trees
        How many nodes, and how many words of sets, each tree has.
    outputs : int64, n_trees
        Which score each tree adds to.
    feature, threshold, left, right, missing_left, category_start, category_words, \
value, weight, rows, impurity, gain
        As in `Tree`, one tree after another.

    Examples
    --------
    >>> import numpy as np
    >>> stump = Tree.of([0, -1, -1], [1.5, 0, 0], [1, -1, -1], [2, -1, -1], [0, -1, 1])
    >>> boosted = BoostedTrees.of([stump, stump], [0, 0], np.array([0.5]))
    >>> boosted.scores(np.array([[1.0], [2.0]])).ravel()
    array([-1.5,  2.5])
    """

    start: Vector
    sizes: Indices
    word_sizes: Indices
    outputs: Indices
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

    def __post_init__(self) -> None:
        """Refuse arrays that are no trees: compiled loops follow them blindly."""
        lengths = {len(self.sizes), len(self.word_sizes), len(self.outputs)}
        known = self.outputs.size == 0 or (
            self.outputs.min() >= 0 and self.outputs.max() < len(self.start)
        )
        if len(lengths) != 1 or not known or len(self.trees) != len(self.sizes):
            raise DataError("BoostedTrees: every tree needs a size and an output.")

    @classmethod
    def of(cls, trees: Sequence[Tree], outputs: Any, start: Vector) -> BoostedTrees:
        """Lay trees one after another."""
        joined: dict[str, Any] = {
            name: np.concatenate([getattr(tree, name) for tree in trees])
            if trees
            else np.zeros((0, 1) if name == "value" else 0)
            for name in (*_PER_NODE, "category_words")
        }
        sizes = np.array([tree.n_nodes for tree in trees], dtype=np.int64)
        words = np.array([len(tree.category_words) for tree in trees], dtype=np.int64)
        found = cls.__new__(cls)  # of trees that need no look
        outputs = np.asarray(outputs, dtype=np.int64)
        parts = {"start": start, "sizes": sizes, "word_sizes": words}
        found.__dict__.update(parts, outputs=outputs, **joined)
        found.__dict__["trees"] = found._apart(Tree.grown)
        return found

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The trees, each on its own."""
        return self._apart(Tree)

    def _apart(self, made: Callable[..., Tree]) -> tuple[Tree, ...]:
        nodes = np.concatenate([[0], np.cumsum(self.sizes)])
        words = np.concatenate([[0], np.cumsum(self.word_sizes)])
        return tuple(
            made(
                category_words=self.category_words[c:d],
                **{name: getattr(self, name)[a:b] for name in _PER_NODE},
            )
            for (a, b), (c, d) in zip(pairwise(nodes), pairwise(words), strict=True)
        )

    @cached_property
    def arrays(self) -> ForestArrays:
        """The trees laid out for prediction."""
        return ForestArrays.of(self.trees, self.outputs, len(self.start))

    def scores(self, X: Any) -> Matrix:
        """Return the scores of rows: samples × outputs."""
        if not len(self.sizes):
            return np.tile(self.start, (X.shape[0], 1))
        return self.arrays.sum(X, self.start)
