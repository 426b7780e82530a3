"""Rounds of boosting: slopes of the loss, a tree for each score, a step along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.models.ensembles.boosting._boosted_tree import GrownTree, TreeGrower
from infimum.models.ensembles.boosting._boosting_loss import BoostingLoss
from infimum.models.ensembles.boosting._growth_state import GrowthLimits
from infimum.models.ensembles.boosting._tree_record import as_tree, masses
from infimum.models.trees import Tree
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Mask, Vector

__all__ = ["BoostingRun"]


@dataclass(eq=False)
class BoostingRun:
    """The state of a fit: the scores of all rows, and the trees that made them."""

    table: BinnedTable
    y: Vector
    weights: Vector | None
    loss: BoostingLoss
    limits: GrowthLimits
    learning_rate: float
    subsample: float
    seed: int
    #: Rows that take part; the others only get scores.
    training: Mask
    #: A line for each output.
    scores: Vector
    trees: list[Tree] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.weights is not None:
            self.training = self.training & (self.weights > 0)
        self.grower = TreeGrower(self.table, self.limits)
        self.rows = np.flatnonzero(self.training).astype(np.int32)
        self.spectators = np.flatnonzero(~self.training).astype(np.int32)
        # Fresh memory for every round would cost as much as what is written there.
        self.paper = np.empty_like(self.scores), np.empty_like(self.scores)

    def advance(self, turn: int) -> None:
        """Grow the trees of one round and move the scores."""
        slopes, bends = self.loss.slopes(self.y, self.scores, self.weights, self.paper)
        rows, others = self._draw(turn)
        for output, line in enumerate(self.scores):
            seed = (self.seed + 7919 * turn + 104729 * output) % (2**62)
            slope, bend = slopes[output], bends[output]
            grown, values, tree = self._step(output, slope, bend, rows, seed)
            self.trees.append(tree)
            grown.add(values, line)
            if len(others):
                line[others] += values[grown.find(others)]

    def _step(
        self, output: int, slopes: Vector, bends: Vector, rows: Any, seed: int
    ) -> tuple[GrownTree, Vector, Tree]:
        """Return a tree as it grew, how far its nodes move the score, and the tree."""
        sizes = self.loss.sizes[output]
        grown = self.grower.grow(slopes, bends, rows, seed, sizes)
        values = grown.newton_values(self.limits.l2_regularization)
        given = (self.y, self.scores[output], self.weights)
        self.loss.refine(grown, values, given, self.limits.l2_regularization)
        values = self.learning_rate * values
        return (
            grown,
            values,
            as_tree(grown, self.table, values, masses(grown, self.weights)),
        )

    def mean_loss(self, rows: Any) -> float:
        """Return the mean loss of some rows."""
        weights = None if self.weights is None else self.weights[rows]
        return self.loss.mean(self.y[rows], self.scores[:, rows], weights)

    def _draw(self, turn: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the rows of a round, and those it leaves out."""
        if self.subsample >= 1.0:
            return self.rows, self.spectators
        draw = np.random.default_rng([self.seed, turn])
        count = max(1, int(self.subsample * len(self.rows)))
        chosen = np.zeros(len(self.y), dtype=bool)
        chosen[draw.choice(self.rows, count, replace=False)] = True
        inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
        return inside.astype(np.int32), outside.astype(np.int32)
