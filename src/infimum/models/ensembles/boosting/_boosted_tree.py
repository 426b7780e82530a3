"""One tree of a boosted model: grown on slopes and curvatures of the loss."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.boosting import boost_columns as column
from infimum.compiled.boosting.boost_grains import grind, measure, pack
from infimum.compiled.boosting.boost_grow import (
    DONE,
    NEXT,
    OVER,
    TURN,
    grow_first,
    grow_other,
)
from infimum.compiled.boosting.boost_leaves import (
    add_values,
    mark_rows,
    name_leaves,
    sum_rows_of_leaves,
)
from infimum.compiled.boosting.boost_rows import eight_to_a_word
from infimum.compiled.threads import alongside, free_cores, in_parts, side_by_side
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Indices, Vector

__all__ = ["GrownTree", "GrowthLimits", "TreeGrower"]

#: Fewer rows than this are summed in fine grains, and on one thread.
MANY = 30_000
#: Slopes are packed only if the largest is at most this many times the typical one.
EVEN = 64.0
#: Bytes for histograms that wait; beyond, children are counted again.
MEMORY = 1 << 29
#: Leaves whose places fit into one byte.
FEW_LEAVES = 256
#: Leaves that may wait on the stack of a tree without a limit of leaves.
STACK = 64
#: Threads that take turns wait for a core if other programs keep it busy. If trees in
#: a row took this many times their own computing, the next ones grow on one thread.
CROWDED, TREES_IN_A_ROW, TREES_ALONE = 4.0, 3, 64
#: Deeper than any tree, and later than any turn.
DEEP = NEVER = 1 << 40


@dataclass(frozen=True)
class GrowthLimits:
    """What a tree may and may not do while it grows."""

    max_leaf_nodes: int | None = 31
    max_depth: int | None = None
    min_samples_leaf: int = 20
    l2_regularization: float = 0.0
    max_features: float = 1.0
    #: Smallest sum of curvatures of a leaf.
    min_curvature: float = 1e-3
    #: Rows that a node needs to be split, and what a split must gain (twice the fall).
    min_samples_split: int = 2
    min_gain: float = 0.0
    #: Per feature, whether scores must rise (1) or fall (-1) with it; None for neither.
    monotone: NDArray[np.int64] | None = None
    #: Groups × features, 1 where features may be met on one path; None for all.
    groups: NDArray[np.uint8] | None = None
    #: Whether to choose among equally good questions as trees do that try every
    #: threshold: the feature by chance, the cut in the middle of the gap.
    exact: bool = False
    #: Per row, how many it stands for where rows are counted; None for one each.
    copies: NDArray[np.int64] | None = None


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

    def __init__(self, table: BinnedTable, limits: GrowthLimits) -> None:
        n, d = table.shape
        self.limits = limits
        self.codes = table.codes
        self.words = np.zeros((n, -(-d // 8)), dtype=np.uint64)
        in_parts(n, lambda own: eight_to_a_word(table.codes[:, own], self.words[own]))
        self.parts = self.most_parts = free_cores() if n >= MANY else 1
        self.crowded = self.alone = 0
        self.stride = int(table.n_bins.max()) + 1
        monotone = np.zeros(d) if limits.monotone is None else limits.monotone
        about = [table.n_bins, table.categorical, monotone]
        self.about = np.column_stack(about).astype(np.int64)
        whole = np.ones((1, d), dtype=np.uint8)
        self.groups = whole if limits.groups is None else limits.groups
        self.max_nodes = _most_nodes(limits, n)
        width = -(-d // 4) * 4 * self.stride
        most = limits.max_leaf_nodes or STACK
        count = max(2, min(most, MEMORY // (width * 24)))
        self.slots = np.empty((count + 1, 3, width), dtype=np.int64)
        self.found = np.empty((self.parts, 2, 3, width), dtype=np.int64)
        self.spare = np.empty(n, dtype=np.int32)
        many = self.max_nodes > 2 * FEW_LEAVES + 1
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
        self.parts = 1 if self.alone else self.most_parts
        state = _State(self, rows, seed)
        found = self._measured(slopes, bends) if sizes is None else sizes
        units, fine = self._weigh(state, found, len(rows))
        packed, thin = self._in_grains(state, slopes, bends, fine=fine)
        self._grow_together(state, packed, thin)
        count = state.tally[column.NODES]
        nodes = state.nodes[:count].copy()
        leaves = np.flatnonzero(nodes[:, column.LEFT] < 0)
        pairs = list(pairwise(np.cumsum([0] + [len(part) for part in state.rows])))
        order = [rows[a:b] for a, b in pairs]
        side_by_side(
            self.parts,
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
            state.rows,
            state.spans[:, :count].copy(),
            sums[:, 0],
            sums[:, 1],
            self.words,
            order,
            self.marks,
        )

    def _grow_together(self, state: _State, packed: Any, thin: Any) -> None:
        cuts = np.cumsum([0] + [len(part) for part in state.rows])
        spare = [self.spare[a:b] for a, b in pairwise(cuts)]
        clock = np.zeros(DONE * self.parts, dtype=np.int64)
        found = self.found[: self.parts]

        def own(part: int) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
            return (
                self.codes, self.words, packed, thin, state.rows[part], spare[part],
                state.spans[part],
            )  # fmt: skip

        def lead() -> None:
            try:
                grow_first(clock, *state.tree, *state.rules, *own(0), found)
            finally:  # a thread that failed must not be waited for
                clock[NEXT], clock[TURN] = OVER, NEVER

        def follow(part: int) -> None:
            shared = (state.nodes, state.sets, state.tally, state.whole)
            try:
                grow_other(clock, part, *shared, *own(part), found[part])
            finally:
                clock[DONE * part] = NEVER

        began, computed = time.perf_counter(), time.thread_time()
        alongside(self.parts, lead, follow)
        self._note_crowd(time.perf_counter() - began, time.thread_time() - computed)

    def _note_crowd(self, seconds: float, computing: float) -> None:
        """Notice whether threads wait for cores; trees are the same on any number."""
        if self.alone:
            self.alone -= 1
            return
        late = self.parts > 1 and seconds > CROWDED * computing
        self.crowded = self.crowded + 1 if late else 0
        if self.crowded == TREES_IN_A_ROW:
            self.crowded, self.alone = 0, TREES_ALONE

    def _measured(self, slopes: Vector, bends: Vector) -> Vector:
        """Return how large the derivatives of each part are.

        Parts are the same whatever the number of cores, since sums are rounded.
        """

        def work(own: slice) -> Vector:
            found = np.empty(4)
            measure(slopes[own], bends[own], found)
            return found

        return np.array(in_parts(len(slopes), work))

    def _weigh(self, state: _State, found: Vector, count: int) -> tuple[Vector, bool]:
        """Choose the grains; return the finest units, and whether they are needed."""
        n = len(self.spare)
        tops = found[:, :2].max(axis=0)
        tops = np.where(tops > 0, tops, 1.0)
        typical = np.sqrt(found[:, 2:].sum(axis=0) / max(count, 1))
        finest = np.array([2.0 ** _free_bits(top, count) for top in tops])
        fine = n < MANY or bool((tops > EVEN * typical).any())
        fine |= self.limits.copies is not None
        units = finest
        if not fine:
            units = np.array([column.TOP_SLOPE, column.TOP_BEND]) / tops
        state.units = units
        state.real[[column.SLOPE_GRAIN, column.BEND_GRAIN]] = 1.0 / units
        return finest, fine

    def _in_grains(
        self, state: _State, slopes: Vector, bends: Vector, *, fine: bool
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
        found = np.empty((self.parts, len(leaves), 2), dtype=np.int64)
        side_by_side(
            self.parts,
            lambda p: sum_rows_of_leaves(
                order[p], self.marks, slopes, bends, units, found[p]
            ),
        )
        sums = np.zeros((len(nodes), 2))
        sums[leaves] = found.sum(axis=0)
        for at in range(len(nodes) - 1, -1, -1):
            left, right = nodes[at, column.LEFT], nodes[at, column.RIGHT]
            if left >= 0:
                sums[at] = sums[left] + sums[right]
        return sums


class _State:
    """The arrays in which one tree grows."""

    def __init__(self, grower: TreeGrower, rows: NDArray[np.int32], seed: int) -> None:
        limits, most = grower.limits, grower.max_nodes
        d, slots = len(grower.about), len(grower.slots) - 1
        self.nodes = np.zeros((most, column.INTEGERS), dtype=np.int64)
        self.nodes[0, column.LEFT] = self.nodes[0, column.FEATURE] = -1
        self.reals = np.empty((most, column.REALS))
        self.reals[0] = -1.0, -np.inf, np.inf
        self.sets = np.empty((most, 256), dtype=np.uint8)
        self.tally = np.zeros(column.TALLIES + slots + most + 1, dtype=np.int64)
        self.tally[[column.NODES, column.LEAVES, column.FREE]] = 1, 1, slots
        own = slice(column.TALLIES, column.TALLIES + slots)
        self.tally[own] = np.arange(slots, 0, -1)
        openings = np.empty((most, len(grower.groups)), dtype=np.uint8)
        openings[0] = 1
        self.whole = np.array(
            [
                limits.max_leaf_nodes or 0,
                DEEP if limits.max_depth is None else limits.max_depth,
                limits.min_samples_leaf,
                max(1, int(limits.max_features * d)),
                seed,
                grower.stride,
                max(1, limits.min_samples_leaf // 2),
                max(limits.min_samples_split, 2 * limits.min_samples_leaf),
                limits.exact,
            ],
            dtype=np.int64,
        )
        strength, least = limits.l2_regularization, limits.min_curvature
        self.real = np.array([strength, least, 1.0, 1.0, limits.min_gain])
        self.units: Vector = np.ones(2)
        self.tree = (self.nodes, self.reals, self.sets, self.tally, grower.slots)
        self.rules = (grower.groups, openings, grower.about, self.real, self.whole)
        cuts = [p * len(rows) // grower.parts for p in range(grower.parts + 1)]
        own_rows = rows.copy()
        pairs = list(pairwise(cuts))
        self.rows = [own_rows[a:b] for a, b in pairs]
        self.spans = np.zeros((grower.parts, most, 2), dtype=np.int64)
        self.spans[:, 0, 1] = [b - a for a, b in pairs]


def _most_nodes(limits: GrowthLimits, n: int) -> int:
    counted = n if limits.copies is None else int(limits.copies.sum())
    leaves = max(1, min(n, counted // limits.min_samples_leaf))
    if limits.max_leaf_nodes is not None:
        leaves = min(leaves, limits.max_leaf_nodes)
    if limits.max_depth is not None:
        leaves = min(leaves, 2 ** min(limits.max_depth, 40))
    return 2 * leaves + 1


def _free_bits(top: float, count: int) -> int:
    """Return how many bits can follow the point when `count` numbers are added."""
    return min(900, 61 - math.ceil(math.log2(top) + math.log2(max(count, 2))))
