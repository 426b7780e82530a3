"""What boosted trees grow on: limits, memory, grains of sums, the state of a tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.boosting import boost_columns as column
from infimum.compiled.boosting.boost_parts import Finds, Growth, Terms
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Vector

__all__ = [
    "GrowthLimits",
    "GrowthPaper",
    "GrowthState",
    "added_up",
    "free_bits",
    "grains",
]

#: Fewer rows than this are summed in fine grains; more where every threshold is tried.
MANY, MANY_EXACT = 10_000, 30_000
#: Slopes are packed only if the largest is at most this many times the typical one.
EVEN = 64.0
#: Bytes for histograms that wait; beyond, children are counted again.
MEMORY = 1 << 29
#: Leaves that may wait on the stack of a tree without a limit of leaves.
STACK = 64
#: Deeper than any tree.
DEEP = 1 << 40


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


class GrowthPaper:
    """What trees of one table grow on, however many rows there are."""

    def __init__(
        self,
        table: BinnedTable,
        limits: GrowthLimits,
        n: int,
        memory: int | None = None,
    ) -> None:
        d = len(table.n_bins)
        self.limits = limits
        self.stride = int(table.n_bins.max()) + 1
        monotone = np.zeros(d) if limits.monotone is None else limits.monotone
        about = [table.n_bins, table.categorical, monotone]
        self.about = np.column_stack(about).astype(np.int64)
        whole = np.ones((1, d), dtype=np.uint8)
        self.groups = whole if limits.groups is None else limits.groups
        self.max_nodes = _most_nodes(limits, n)
        self.width = -(-d // 4) * 4 * self.stride
        most = limits.max_leaf_nodes or STACK
        memory = MEMORY if memory is None else memory
        count = max(2, min(most, memory // (self.width * 24)))
        # The first and the last are scratch paper, for two children without a slot.
        self.slots = np.empty((count + 2, 3, self.width), dtype=np.int64)


def added_up(nodes: NDArray[np.int64], of_leaves: Any) -> Vector:
    """Return the sums of all nodes, given those of the leaves in their order."""
    sums = np.zeros((len(nodes), np.shape(of_leaves)[1]))
    sums[nodes[:, column.LEFT] < 0] = of_leaves
    for at in range(len(nodes) - 1, -1, -1):
        left, right = nodes[at, column.LEFT], nodes[at, column.RIGHT]
        if left >= 0:
            sums[at] = sums[left] + sums[right]
    return sums


def grains(
    limits: GrowthLimits, found: Vector, n: int, count: int
) -> tuple[Vector, Vector, bool]:
    """Choose the grains of slopes and curvatures, as whole numbers of which trees grow.

    Parameters
    ----------
    limits : GrowthLimits
    found : ndarray of shape (n_parts, 4)
        What `measure` tells of the derivatives of each part.
    n, count : int
        How many rows there are, and on how many of them a tree grows.

    Returns
    -------
    finest, own : ndarray of shape (2,)
        Grains in a unit of slopes and curvatures: the most, and those to grow with.
    fine : bool
        Whether these are the same.
    """
    tops = found[:, :2].max(axis=0)
    tops = np.where(tops > 0, tops, 1.0)
    typical = np.sqrt(found[:, 2:].sum(axis=0) / max(count, 1))
    finest = np.array([2.0 ** free_bits(top, count) for top in tops])
    fine = n < (MANY_EXACT if limits.exact else MANY) or bool(
        (tops > EVEN * typical).any()
    )
    fine |= limits.copies is not None
    if fine:
        return finest, finest, True
    return finest, np.array([column.TOP_SLOPE, column.TOP_BEND]) / tops, False


class GrowthState:
    """The arrays in which one tree grows.

    Parts of the rows, as `rows` has them, are those that threads count; or each thread
    has all rows, and counts them for its own features.
    """

    def __init__(
        self, grower: GrowthPaper, rows: list[NDArray[np.int32]], seed: int
    ) -> None:
        limits, most, parts = grower.limits, grower.max_nodes, len(rows)
        slots = len(grower.slots) - 2
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
        self.whole = _whole_numbers(grower, seed)
        strength, least = limits.l2_regularization, limits.min_curvature
        self.real = np.array([strength, least, 1.0, 1.0, limits.min_gain])
        self.units: Vector = np.ones(2)
        self.tree = Growth(
            self.nodes, self.reals, self.sets, self.tally, grower.slots, openings
        )
        self.terms = Terms(grower.groups, grower.about, self.real, self.whole)
        self.rows = [own.copy() for own in rows]
        self.spans = np.zeros((parts, most, 2), dtype=np.int64)
        self.spans[:, 0, 1] = [len(own) for own in rows]
        self.best = (
            np.zeros((parts, 2, column.INTEGERS), dtype=np.int64),
            np.zeros((parts, 2, column.REALS)),
            np.zeros((parts, 2, 256), dtype=np.uint8),
        )

    def finds(self, planes: NDArray[np.int64]) -> Finds:
        """Return where parts write their best splits, with the room for histograms."""
        return Finds(planes, *self.best)

    def weigh(self, units: Vector) -> None:
        """Say how many grains are in a unit of slopes and curvatures."""
        self.units = units
        self.real[[column.SLOPE_GRAIN, column.BEND_GRAIN]] = 1.0 / units


def _whole_numbers(paper: GrowthPaper, seed: int) -> NDArray[np.int64]:
    """Return the limits of a tree, in the order of their columns."""
    limits, least = paper.limits, paper.limits.min_samples_leaf
    numbers = [
        limits.max_leaf_nodes or 0,
        DEEP if limits.max_depth is None else limits.max_depth,
        least,
        max(1, int(limits.max_features * len(paper.about))),
        seed,
        paper.stride,
        max(1, least // 2),
        max(limits.min_samples_split, 2 * least),
        limits.exact,
    ]
    return np.array(numbers, dtype=np.int64)


def _most_nodes(limits: GrowthLimits, n: int) -> int:
    counted = n if limits.copies is None else int(limits.copies.sum())
    leaves = max(1, min(n, counted // limits.min_samples_leaf))
    if limits.max_leaf_nodes is not None:
        leaves = min(leaves, limits.max_leaf_nodes)
    if limits.max_depth is not None:
        leaves = min(leaves, 2 ** min(limits.max_depth, 40))
    return 2 * leaves + 1


def free_bits(top: float, count: int) -> int:
    """Return how many bits can follow the point when `count` numbers are added."""
    return min(900, 61 - math.ceil(math.log2(top) + math.log2(max(count, 2))))
