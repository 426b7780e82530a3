"""From bins back to values: a grown tree as a `Tree` that reads raw tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.compiled.boosting import boost_columns as column
from infimum.models.ensembles.boosting._boosted_tree import GrownTree
from infimum.models.ensembles.boosting._growth_state import added_up
from infimum.models.trees import Tree
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Vector

__all__ = ["as_tree", "masses"]

#: Categories of which a word tells the way.
WORD = 32


def as_tree(
    grown: GrownTree, table: BinnedTable, values: Vector, weight: Vector
) -> Tree:
    """Return a grown tree with real thresholds and sets of real categories.

    `weight` is that of the rows of each node.
    """
    nodes = grown.nodes
    inner = nodes[:, column.LEFT] >= 0
    feature = np.where(inner, nodes[:, column.FEATURE], -1)
    threshold = np.zeros(len(nodes))
    starts = np.full(len(nodes), -1)
    words: list[Any] = []
    for at in np.flatnonzero(inner):
        edges, cut = table.edges[feature[at]], nodes[at, column.BIN]
        if nodes[at, column.CATEGORICAL]:
            starts[at] = sum(len(word) for word in words)
            words.append(_set_of(edges, grown.sets[at]))
        else:
            threshold[at] = edges[cut] if cut < len(edges) else np.inf
    return Tree.grown(
        feature=feature,
        threshold=threshold,
        left=np.where(inner, nodes[:, column.LEFT], -1),
        right=np.where(inner, nodes[:, column.RIGHT], -1),
        missing_left=inner & (nodes[:, column.MISSING_LEFT] > 0),
        category_start=starts,
        category_words=np.concatenate([*words, np.zeros(0, dtype=np.uint32)]),
        value=values[:, None],
        weight=weight,
        rows=nodes[:, column.COUNT],
        impurity=np.zeros(len(nodes)),
        gain=np.where(inner, 0.5 * grown.reals[:, column.GAIN], 0.0),
    )


def _set_of(levels: Vector, goes_left: Any) -> Any:
    """Return the words of a set; levels never met go where the missing go."""
    most = int(levels[-1]) + 1
    left = np.full(-(-most // WORD) * WORD, goes_left[len(levels)], dtype=np.uint8)
    left[levels.astype(np.intp)] = goes_left[: len(levels)]
    bits = np.packbits(left, bitorder="little").view("<u4")
    return np.concatenate([[len(bits)], bits]).astype(np.uint32)


def masses(grown: GrownTree, weights: Vector | None) -> Vector:
    """Return the weight of the rows of each node."""
    nodes = grown.nodes
    if weights is None:
        return nodes[:, column.COUNT].astype(np.float64)
    own = [[weights[grown.rows_of(leaf)].sum()] for leaf in grown.leaves]
    return added_up(nodes, np.array(own))[:, 0]
