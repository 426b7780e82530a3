"""Rounds of Friedman's boosting: trees fit slopes, leaves take Newton's step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from infimum.compiled.boosting import boost_columns as column
from infimum.models.ensembles.boosting._boosted_tree import GrownTree
from infimum.models.ensembles.boosting._boosting_run import BoostingRun
from infimum.models.ensembles.boosting._tree_record import as_tree, masses
from infimum.models.trees.pruning import ends_at_price, without_below
from infimum.models.trees.structure import Tree
from infimum.typing import Mask, Vector

__all__ = ["FriedmanRun"]


@dataclass(eq=False)
class FriedmanRun(BoostingRun):
    """A fit whose trees are least squares trees of the slopes of the loss.

    Every row counts alike where splits are chosen; the curvature of the loss enters
    the values of leaves only. With several classes, whose scores share one degree of
    freedom, a step is (K - 1)/K of Newton's (Friedman 2001, algorithm 6).
    """

    ccp_alpha: float = 0.0
    #: Mean loss of the rows that a round left out, before and after it.
    left_out: list[tuple[float, float]] = field(default_factory=list)

    def advance(self, turn: int) -> None:
        """Grow the trees of one round, and judge it by the rows that it left out."""
        rows, others = self._draw(turn)
        others = others[self.training[others]]
        if not len(others) or not len(rows):
            super().advance(turn)
            return
        before = self.mean_loss(others)
        super().advance(turn)
        self.left_out.append((before, self.mean_loss(others)))

    def _step(
        self, output: int, slopes: Vector, bends: Vector, rows: Any, seed: int
    ) -> tuple[GrownTree, Vector, Tree]:
        mass = np.ones(len(slopes)) if self.weights is None else self.weights
        grown = self.grower.grow(slopes, mass, rows, seed)
        none = np.zeros(len(grown.nodes))
        flat = as_tree(grown, self.table, none, masses(grown, self.weights))
        ends = flat.feature < 0
        if self.ccp_alpha > 0:
            ends = ends_at_price(_with_impurities(flat), self.ccp_alpha)
        grown = replace(grown, bend=_summed(grown, bends))
        values = grown.newton_values(0.0)
        given = (self.y, self.scores[output], self.weights)
        final = np.flatnonzero(ends & _reached(grown, ends))
        self.loss.refine(grown, values, given, 0.0, final)
        classes = len(self.scores)
        share = (classes - 1) / classes if classes > 1 else 1.0
        values *= self.learning_rate * share
        tree = replace(flat, value=values[:, None].copy())
        for node in range(len(ends)):
            left, right = grown.nodes[node, [column.LEFT, column.RIGHT]]
            if ends[node] and left >= 0:  # what was cut off answers as the node does
                ends[[left, right]] = True
                values[[left, right]] = values[node]
        return grown, values, tree if self.ccp_alpha == 0 else without_below(tree, ends)


def _summed(grown: GrownTree, bends: Vector) -> Vector:
    """Return the sum of curvatures of each node."""
    nodes = grown.nodes
    total = np.zeros(len(nodes))
    for leaf in grown.leaves:
        total[leaf] = bends[grown.rows_of(leaf)].sum()
    for at in range(len(nodes) - 1, -1, -1):
        if nodes[at, column.LEFT] >= 0:
            total[at] = total[nodes[at, column.LEFT]] + total[nodes[at, column.RIGHT]]
    return total


def _with_impurities(tree: Tree) -> Tree:
    """Return a tree with the squares of each node that its splits explain."""
    explained = 2.0 * tree.gain
    for at in range(tree.n_nodes - 1, -1, -1):
        if tree.feature[at] >= 0:
            explained[at] += explained[tree.left[at]] + explained[tree.right[at]]
    return replace(tree, impurity=explained / tree.weight)


def _reached(grown: GrownTree, ends: Mask) -> Mask:
    """Return which nodes a row can come to, where it stays at ends."""
    reached = np.zeros(len(ends), dtype=bool)
    reached[0] = True
    for at in np.flatnonzero(~ends):
        children = grown.nodes[at, [column.LEFT, column.RIGHT]]
        reached[children] = reached[at]
    return reached
