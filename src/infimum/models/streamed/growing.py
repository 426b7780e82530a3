"""Trees that grow by questions: histograms of some nodes, filled by a pass each.

A tree asks for the histograms of all nodes that may be split next, not of one node
only, so that its passes are about as many as its levels. The steps are those of trees
in memory, on the same whole numbers: given the bins, the trees have the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.boosting import boost_columns as column
from infimum.compiled.boosting.boost_grains import grind, pack
from infimum.compiled.boosting.boost_grow import settle
from infimum.compiled.boosting.boost_leaves import (
    name_leaves,
    sort_by_place,
    sum_rows_of_leaves,
)
from infimum.compiled.boosting.boost_rows import fill_more
from infimum.models.ensembles.boosting._boosted_tree import GrownTree
from infimum.models.ensembles.boosting._growth_state import (
    GrowthPaper,
    GrowthState,
    added_up,
)
from infimum.models.streamed.binned_rows import Block
from infimum.typing import Indices, Vector

__all__ = ["Ask", "FillPass", "LeafPass", "Weigher", "grown_together"]

#: Bytes for the histograms of a pass, and the most that a tree asks for at a time.
MEMORY, MOST = 1 << 26, 64

#: From a block and the number of a tree: its rows, and their slopes and curvatures.
Weigher = Callable[[Block, int], tuple[NDArray[np.int32], Vector, Vector]]
#: From the same: a number for each row of the block.
Third = Callable[[Block, int], Vector]
_Growth = Generator["Ask", NDArray[np.int64], GrowthState]


@dataclass(frozen=True, eq=False)
class Ask:
    """A tree as far as it has grown, and which of its nodes want histograms."""

    tree: int
    nodes: NDArray[np.int64]
    sets: NDArray[np.uint8]
    #: The place of each node's histogram; -1 for none.
    places: Indices
    count: int
    #: Grains in a unit of slopes and curvatures, and whether they need long words.
    units: Vector
    fine: bool

    def names(self, words: NDArray[np.uint64], rows: NDArray[np.int32]) -> Indices:
        """Return the node in which each row ends."""
        found = np.empty(len(rows), dtype=np.int64)
        name_leaves(self.nodes, self.sets, words, rows, found)
        return found

    def sorted(
        self, words: NDArray[np.uint64], rows: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], list[int]]:
        """Return the rows of each place, one after another, and where each ends."""
        found, ends = np.empty_like(rows), np.empty(self.count, dtype=np.int64)
        sort_by_place(rows, self.names(words, rows), self.places, found, ends)
        return found, ends.tolist()


@dataclass(frozen=True, eq=False)
class FillPass:
    """Histograms of the nodes that trees ask for: counts, curvatures and slopes."""

    asks: tuple[Ask, ...]
    weigher: Weigher
    stride: int
    width: int

    def begin(self) -> tuple[NDArray[np.int64], ...]:
        """Return empty histograms."""
        shape = 3, self.width
        return tuple(np.zeros((a.count, *shape), dtype=np.int64) for a in self.asks)

    def take(self, block: Block, total: tuple[NDArray[np.int64], ...]) -> None:
        """Add the rows of a block."""
        for ask, planes in zip(self.asks, total, strict=True):
            rows, slopes, bends = self.weigher(block, ask.tree)
            first, second = _in_grains(ask, slopes, bends)
            start = 0
            sorted_rows, ends = ask.sorted(block.words, rows)
            for own, end in zip(planes, ends, strict=True):
                if end > start:
                    mine = sorted_rows[start:end]
                    fill_more(block.words, mine, first, second, self.stride, own)
                start = end


@dataclass(frozen=True, eq=False)
class LeafPass:
    """Sums over the leaves of grown trees, in whole grains: of slopes, curvatures.

    With them comes the sum of a third number for each row.
    """

    asks: tuple[Ask, ...]
    weigher: Weigher
    third: Third
    #: Grains in a unit of the third.
    units: tuple[float, ...]

    def begin(self) -> tuple[NDArray[np.int64], ...]:
        """Return sums of nothing."""
        return tuple(np.zeros((ask.count, 3), dtype=np.int64) for ask in self.asks)

    def take(self, block: Block, total: tuple[NDArray[np.int64], ...]) -> None:
        """Add the rows of a block."""
        for ask, unit, sums in zip(self.asks, self.units, total, strict=True):
            rows, slopes, bends = self.weigher(block, ask.tree)
            marks = np.zeros(block.count, dtype=np.int32)
            marks[rows] = ask.places[ask.names(block.words, rows)]
            third = self.third(block, ask.tree)
            some, more = np.empty((2, *sums[:, :2].shape), dtype=np.int64)
            sum_rows_of_leaves(rows, marks, slopes, bends, ask.units, some)
            units = np.array([unit, unit])
            sum_rows_of_leaves(rows, marks, third, third, units, more)
            sums[:, :2] += some
            sums[:, 2] += more[:, 0]


def _in_grains(
    ask: Ask, slopes: Vector, bends: Vector
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n, units = len(slopes), ask.units
    first = np.empty(n, dtype=np.int64)
    second = np.empty((1 if ask.fine else 0, n), dtype=np.int64)
    if ask.fine:
        grind(slopes, units[0], first)
        grind(bends, units[1], second[0])
    else:
        pack(slopes, bends, units[0], units[1], first.view(np.int32)[:n])
    return first, second


def grown_together(
    run: Callable[[Any], Any],
    papers: Sequence[GrowthPaper],
    trees: Sequence[tuple[int, int, tuple[Vector, Vector, bool]]],
    weigher: Weigher,
    third: Third | None,
    third_units: Sequence[float],
) -> list[tuple[GrownTree, Vector]]:
    """Grow trees side by side; return them, and the third sum of their nodes.

    Parameters
    ----------
    run : callable
        Makes a pass.
    papers : sequence of GrowthPaper
        One for each tree.
    trees : sequence of (number, seed, grains)
        What the weigher knows a tree by, what draws its features, and its finest
        grains, those to grow with, and whether they are the same.
    weigher, third : callable
        What is known of the rows of a block; None for no third number.
    third_units : sequence of float
        Grains in a unit of the third number, for each tree.
    """
    paper = papers[0]
    most = max(1, MEMORY // (24 * paper.width))
    share = max(1, min(MOST, most // len(trees)))
    alive: dict[int, tuple[_Growth, Ask]] = {}
    done: dict[int, GrowthState] = {}
    for k, (number, seed, own) in enumerate(trees):
        growth = _growth(papers[k], number, seed, own, share)
        alive[k] = growth, next(growth)
    while alive:
        chosen: list[int] = []
        room = most
        for k, (_, ask) in alive.items():
            if ask.count <= room or not chosen:
                chosen.append(k)
                room -= ask.count
        asks = tuple(alive[k][1] for k in chosen)
        found = run(FillPass(asks, weigher, paper.stride, paper.width))
        for k, planes in zip(chosen, found, strict=True):
            growth, _ = alive[k]
            try:
                alive[k] = growth, growth.send(planes)
            except StopIteration as stop:
                done[k] = stop.value
                del alive[k]
    states = [done[k] for k in range(len(trees))]
    return _finished(run, trees, states, weigher, third, third_units)


def _finished(
    run: Callable[[Any], Any],
    trees: Any,
    states: list[GrowthState],
    weigher: Weigher,
    third: Third | None,
    units: Sequence[float],
) -> list[tuple[GrownTree, Vector]]:
    """Sum the rows of leaves in the finest grains, where those of growth are coarse."""
    asks = []
    for (number, _, (finest, _, _)), state in zip(trees, states, strict=True):
        nodes = state.nodes[: state.tally[column.NODES]]
        leaves = nodes[:, column.LEFT] < 0
        places = np.where(leaves, np.cumsum(leaves) - 1, -1)
        asks.append(
            Ask(number, nodes, state.sets[: len(nodes)], places, int(leaves.sum()),
                finest, fine=True)
        )  # fmt: skip
    found = [np.zeros((ask.count, 3)) for ask in asks]
    if third is not None or not all(own[2] for _, _, own in trees):
        found = run(LeafPass(tuple(asks), weigher, third or _ones, tuple(units)))
    grown = []
    of_trees = zip(asks, states, units, found, trees, strict=True)
    for ask, state, unit, of_leaves, (_, _, (_, _, fine)) in of_trees:
        nodes = ask.nodes.copy()
        sums = added_up(nodes, of_leaves)
        if fine:
            sums[:, :2] = nodes[:, [column.SLOPE, column.BEND]]
        sums /= np.array([*ask.units, unit])
        nothing: Any = np.zeros(0, dtype=np.int64)
        tree = GrownTree(
            nodes, state.reals[: len(nodes)].copy(), ask.sets.copy(), [], nothing,
            sums[:, 0], sums[:, 1], nothing, [], nothing,
        )  # fmt: skip
        grown.append((tree, sums[:, 2]))
    return grown


def _ones(block: Block, number: int) -> Vector:
    return np.ones(block.count)


def _growth(paper: GrowthPaper, number: int, seed: int, own: Any, most: int) -> _Growth:
    """Grow a tree: yield what it asks for, take the histograms, return its state."""
    _, units, fine = own
    state = GrowthState(paper, [np.zeros(0, dtype=np.int32)], seed)
    state.weigh(units)
    found = np.zeros((1, 2, 3, paper.width), dtype=np.int64)
    known: dict[int, list[NDArray[np.int64]]] = {}
    at = -1
    while True:
        if at < 0 or state.tally[column.FILL]:
            if at not in known:
                chosen = _frontier(paper, state, at, known, most)
                nodes, places = _with_children(state, chosen)
                count = int(places.max()) + 1
                sets = state.sets[: len(nodes)].copy()
                planes = yield Ask(number, nodes, sets, places, count, units, fine)
                known |= _shared(state, chosen, nodes, places, planes)
            for which, own_planes in enumerate(known.pop(at)):
                found[0, which] = own_planes
        at = int(settle(at, state.tree, state.terms, state.finds(found)))
        if at < 0:
            return state


def _frontier(
    paper: GrowthPaper, state: GrowthState, at: int, known: Any, most: int
) -> list[int]:
    """Return the nodes whose children want histograms: the next, and likely ones."""
    if at < 0:
        return [-1]
    limits, count = paper.limits, int(state.tally[column.NODES])
    nodes, gains = state.nodes[:count], state.reals[:count, column.GAIN]
    larger = np.maximum(
        nodes[:, column.LEFT_COUNT],
        nodes[:, column.COUNT] - nodes[:, column.LEFT_COUNT],
    )
    open_ = (nodes[:, column.LEFT] < 0) & (gains > 0.0)
    open_ &= larger >= 2 * limits.min_samples_leaf
    if limits.max_depth is not None:
        open_ &= nodes[:, column.DEPTH] + 1 < limits.max_depth
    likely = [k for k in np.flatnonzero(open_).tolist() if k not in known and k != at]
    likely.sort(key=lambda k: -gains[k])
    room = most - len(known) - 1
    if limits.max_leaf_nodes is not None:
        leaves = int(state.tally[column.LEAVES])
        room = min(room, limits.max_leaf_nodes - leaves - 2)
    return [at, *likely[: max(room, 0)]]


def _with_children(
    state: GrowthState, chosen: list[int]
) -> tuple[NDArray[np.int64], Indices]:
    """Return the nodes with the children of some, and the places of histograms."""
    if chosen == [-1]:
        return state.nodes[:1].copy(), np.zeros(1, dtype=np.int64)
    count = int(state.tally[column.NODES])
    more = np.zeros((2 * len(chosen), column.INTEGERS), dtype=np.int64)
    more[:, column.LEFT] = -1
    nodes = np.concatenate([state.nodes[:count], more])
    places, place = np.full(len(nodes), -1, dtype=np.int64), 0
    for k, at in enumerate(chosen):
        node, left = nodes[at], count + 2 * k
        node[column.LEFT], node[column.RIGHT] = left, left + 1
        small = left + int(2 * node[column.LEFT_COUNT] > node[column.COUNT])
        places[small] = place
        place += 1
        if node[column.SLOT] == 0:  # its own histogram was not kept
            places[2 * left + 1 - small] = place
            place += 1
    return nodes, places


def _shared(
    state: GrowthState, chosen: list[int], nodes: Any, places: Any, planes: Any
) -> dict[int, list[NDArray[np.int64]]]:
    """Return the histograms of each node's children, the smaller first."""
    if chosen == [-1]:
        return {-1: [planes[0]]}
    found = {}
    for at in chosen:
        both = places[nodes[at, column.LEFT]], places[nodes[at, column.RIGHT]]
        found[at] = [planes[place].copy() for place in sorted(both) if place >= 0]
    return found
