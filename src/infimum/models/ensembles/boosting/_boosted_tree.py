"""One tree of a boosted model: grown on slopes and curvatures of the loss."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.boosting import boost_columns as column
from infimum.compiled.boosting.boost_grains import grind, measure, pack
from infimum.compiled.boosting.boost_grow import DONE, NEXT, OVER, grow
from infimum.compiled.boosting.boost_leaves import (
    add_values,
    mark_rows,
    name_leaves,
    sum_rows_of_leaves,
)
from infimum.compiled.boosting.boost_parts import Share
from infimum.compiled.boosting.boost_rows import eight_to_a_word
from infimum.compiled.threads import alongside, free_cores, in_parts, side_by_side
from infimum.models.ensembles.boosting._growth_state import (
    GrowthLimits,
    GrowthPaper,
    GrowthState,
    added_up,
    grains,
)
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Indices, Vector

__all__ = ["GrownTree", "TreeGrower"]

#: From so many rows on threads share rows; fewer are copied, and features shared.
MANY = 30_000
#: Leaves whose places fit into one byte.
FEW_LEAVES = 256
#: Tables of fewer numbers are not worth a second thread.
FEW_NUMBERS = 20_000
#: Threads that take turns wait for a core if other programs keep it busy. If trees take
#: as long as one thread computes for one, all grow on one thread for so many seconds.
SECONDS_ALONE = 2.0
#: Later than any turn.
NEVER = 1 << 40


@dataclass(frozen=True, eq=False)
class GrownTree:
    """A tree as it grew, and where its rows ended."""

    nodes: NDArray[np.int64]
    reals: Vector
    sets: NDArray[np.uint8]
    rows: list[NDArray[np.int32]]
    spans: NDArray[np.int64]
    slope: Vector
    bend: Vector
    words: NDArray[np.uint64] = field(repr=False)
    #: The rows in order, part by part, and the place of each row's leaf among leaves:
    #: memory that the next tree writes over.
    order: list[NDArray[np.int32]] = field(repr=False)
    marks: NDArray[Any] = field(repr=False)

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """The nodes that are leaves."""
        return np.flatnonzero(self.nodes[:, column.LEFT] < 0)

    def newton_values(self, l2: float) -> Vector:
        """Return the best step of each node in the quadratic model, within bounds."""
        below = self.bend + l2
        step = np.where(below > 0, -self.slope / np.where(below > 0, below, 1.0), 0.0)
        return np.clip(step, self.reals[:, column.LOW], self.reals[:, column.HIGH])

    def rows_of(self, leaf: int) -> NDArray[np.int32]:
        """Return the rows of a leaf, in their order."""
        parts = zip(self.rows, self.spans, strict=True)
        return np.concatenate([r[s[leaf, 0] : s[leaf, 1]] for r, s in parts])

    def add(self, values: Vector, scores: Vector) -> None:
        """Add each leaf's value to the scores of the rows it grew on.

        To be called before the same grower grows another tree.
        """
        chosen = values[self.leaves]

        def work(part: int) -> None:
            add_values(self.order[part], self.marks, chosen, scores)

        side_by_side(len(self.order), work)

    def find(self, rows: Indices) -> NDArray[np.int64]:
        """Return the leaf of rows that the tree did not grow on."""
        found = np.empty(len(rows), dtype=np.int64)
        name_leaves(self.nodes, self.sets, self.words, rows, found)
        return found


class TreeGrower:
    """Grows trees on one table, again and again, in memory that it keeps."""

    #: When cores that were busy are tried again, by whichever grower.
    busy_until: ClassVar[float] = 0.0

    def __init__(self, table: BinnedTable, limits: GrowthLimits) -> None:
        n, d = table.shape
        self.limits, self.paper = limits, GrowthPaper(table, limits, n)
        self.codes = table.codes
        self.words = np.zeros((n, -(-d // 8)), dtype=np.uint64)
        in_parts(n, lambda own: eight_to_a_word(table.codes[:, own], self.words[own]))
        self.by_rows = n >= MANY
        cores = free_cores() if n * d >= FEW_NUMBERS else 1
        self.most_parts = cores if self.by_rows else min(cores, -(-d // 4))
        self.parts, self.pace, self.own_pace = self.most_parts, 0.0, 0.0
        parts = self.parts if self.by_rows else 0
        self.found = np.empty((parts, 2, 3, self.paper.width), dtype=np.int64)
        self.spare = np.empty((1 if self.by_rows else self.parts, n), dtype=np.int32)
        many = self.paper.max_nodes > 2 * FEW_LEAVES + 1
        self.marks = np.empty(n, dtype=np.int32 if many else np.uint8)
        self.grains = np.empty((2 if limits.copies is None else 3, n), dtype=np.int64)
        if limits.copies is not None:
            self.grains[2] = limits.copies

    def grow(
        self,
        slopes: Vector,
        bends: Vector,
        rows: NDArray[np.int32],
        seed: int,
        sizes: Vector | None = None,
    ) -> GrownTree:
        """Grow a tree on some rows, which are given in order.

        Parameters
        ----------
        slopes, bends : ndarray of shape (n_samples,)
            First and second derivatives of the loss, times the weights.
        rows : ndarray of int32
        seed : int
            Chooses the features of each node, where not all are tried.
        sizes : ndarray of shape (n_parts, 4), default=None
            What `measure` tells of the derivatives, if it is known already.
        """
        alone = not self.own_pace or time.monotonic() < TreeGrower.busy_until
        self.parts = 1 if alone else self.most_parts
        order = self._parted(rows)
        state = GrowthState(self.paper, order, seed)
        found = self._measured(slopes, bends) if sizes is None else sizes
        units, own, fine = grains(self.limits, found, len(slopes), len(rows))
        state.weigh(own)
        packed, thin = self._in_grains(state, slopes, bends, fine=fine)
        self._grow_together(state, packed, thin)
        count = state.tally[column.NODES]
        nodes = state.nodes[:count].copy()
        leaves = np.flatnonzero(nodes[:, column.LEFT] < 0)
        if not self.by_rows:  # all parts have the same rows
            order = order[:1]
        side_by_side(
            len(order),
            lambda p: mark_rows(leaves, state.rows[p], state.spans[p], self.marks),
        )
        sums: Vector = nodes[:, [column.SLOPE, column.BEND]].astype(np.float64)
        if not fine:
            sums = self._exact_sums(order, nodes, leaves, slopes, bends, units)
        sums = sums / units
        return GrownTree(
            nodes,
            state.reals[:count].copy(),
            state.sets[:count].copy(),
            state.rows[: len(order)],
            state.spans[: len(order), :count].copy(),
            sums[:, 0],
            sums[:, 1],
            self.words,
            order,
            self.marks,
        )

    def _parted(self, rows: NDArray[np.int32]) -> list[NDArray[np.int32]]:
        """Return the rows of each part, some or all, in their order."""
        if not self.by_rows:
            return [rows] * self.parts
        cuts = [part * len(rows) // self.parts for part in range(self.parts + 1)]
        return [rows[a:b] for a, b in pairwise(cuts)]

    def _grow_together(self, state: GrowthState, packed: Any, thin: Any) -> None:
        spare = list(self.spare)
        if self.by_rows:
            cuts = np.cumsum([0] + [len(part) for part in state.rows])
            spare = [self.spare[0, a:b] for a, b in pairwise(cuts)]
        finds = state.finds(self.found[: self.parts])
        clock = np.zeros(2 * DONE * self.parts, dtype=np.int64)

        def work(part: int) -> None:
            try:
                share = Share(
                    self.codes, self.words, packed, thin, state.rows[part],
                    spare[part], state.spans[part],
                )  # fmt: skip
                grow(clock, part, state.tree, state.terms, share, finds)
            finally:  # a thread that failed must not be waited for
                if part == 0:
                    clock[NEXT] = OVER
                # The first's turn is the one that begins.
                clock[DONE * part] = clock[DONE * (self.parts + part)] = NEVER

        began, computed = time.perf_counter(), time.thread_time()
        alongside(self.parts, lambda: work(0), work)
        self._note_crowd(time.perf_counter() - began, time.thread_time() - computed)

    def _note_crowd(self, seconds: float, computing: float) -> None:
        """Notice whether threads wait for cores; trees are the same on any number.

        The first tree grows on one thread, which tells what is gained by more.
        """
        if self.parts == 1:
            self.own_pace, self.pace = computing, computing / 2
            return
        self.pace += (seconds - self.pace) / 4
        if self.pace > self.own_pace:
            TreeGrower.busy_until = time.monotonic() + SECONDS_ALONE

    def _measured(self, slopes: Vector, bends: Vector) -> Vector:
        """Return how large the derivatives of each part are.

        Parts are the same whatever the number of cores, since sums are rounded.
        """

        def work(own: slice) -> Vector:
            found = np.empty(4)
            measure(slopes[own], bends[own], found)
            return found

        return np.array(in_parts(len(slopes), work))

    def _in_grains(
        self, state: GrowthState, slopes: Vector, bends: Vector, *, fine: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        n = len(slopes)
        first, second = self.grains[0], self.grains[1:] if fine else self.grains[:0]
        cuts = [part * n // self.parts for part in range(self.parts + 1)]
        units, short = state.units, first.view(np.int32)

        def work(p: int) -> None:
            own = slice(cuts[p], cuts[p + 1])
            if fine:
                grind(slopes[own], units[0], first[own])
                grind(bends[own], units[1], second[0, own])
            else:
                pack(slopes[own], bends[own], units[0], units[1], short[own])

        side_by_side(self.parts, work)
        return first, second

    def _exact_sums(
        self, order: Any, nodes: Any, leaves: Any, slopes: Vector, bends: Vector,
        units: Vector,
    ) -> Vector:  # fmt: skip
        """Return each node's sums in the finest grains, leaves first."""
        found = np.empty((len(order), len(leaves), 2), dtype=np.int64)
        side_by_side(
            len(order),
            lambda p: sum_rows_of_leaves(
                order[p], self.marks, slopes, bends, units, found[p]
            ),
        )
        return added_up(nodes, found.sum(axis=0))
