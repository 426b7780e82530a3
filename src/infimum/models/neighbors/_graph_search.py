"""A search that walks in a graph of near samples, and may miss a neighbour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from infimum.compiled.neighbors.navigable_graph import (
    choose_links,
    link_both,
    walk_to_nearest,
)
from infimum.compiled.neighbors.near_lists import ask_near, join_leaf, sort_lists
from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.models.neighbors._exact_search import ExactSearch
from infimum.models.neighbors._forest_search import best_of
from infimum.typing import Indices, Matrix

__all__ = ["GraphSearch"]

#: How often samples are parted into cells around heads, and samples for each head.
PARTINGS, CELL = 6, 200
#: Most samples of a cell that are compared with each other at a time.
ROOM = 1024
#: How often, and how many of, the near ones are asked for those near to them.
ROUNDS, ASKED = 2, 12
#: Every so manieth sample has links among its like, of which again every so manieth.
THINNER = 8
#: Heads from which a walk begins.
DOORS = 8
#: Queries further away than this, in units of the samples, are brought nearer: their
#: squares are still numbers in single precision.
FAR = 1e15
#: Parts of the work on samples.
PARTS = 64


@dataclass(frozen=True)
class GraphSearch:
    """Samples linked to near ones, and heads among them where walks begin."""

    samples: Matrix
    centre: Matrix
    unit: float
    rounded: Matrix
    links: Indices
    counts: Indices
    heads: Indices
    hall: ExactSearch
    breadth: int

    @classmethod
    def over(cls, X: Matrix, links: int, breadth: int, seed: int) -> GraphSearch:
        """Return a graph with `links` from each sample, and as many to it."""
        centre = X.mean(axis=0)
        unit = _unit(np.abs(X - centre).max(initial=0.0))
        rounded = np.ascontiguousarray((X - centre) / unit, dtype=np.float32)
        draw = np.random.default_rng(seed)
        count = max(1, len(X) // CELL)
        halls = [draw.choice(len(X), count, replace=False) for _ in range(PARTINGS)]
        near, names = _lists(rounded, halls, 2 * links)
        chosen = _chosen(rounded, near, names, links)
        table = np.full((len(X), 3 * links), -1, dtype=np.int32)
        table[:, :links] = chosen
        counts = np.count_nonzero(chosen >= 0, axis=1).astype(np.int32)
        _span(rounded, draw.permutation(len(X)).astype(np.int32), table, counts)
        link_both(table, counts, np.arange(len(X), dtype=np.int32), chosen)
        heads = np.unique(np.concatenate(halls)).astype(np.int32)
        hall = ExactSearch.over(rounded[heads])
        return cls(X, centre, unit, rounded, table, counts, heads, hall, breadth)

    def nearest(self, queries: Matrix, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest that were met."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        distances = np.empty((len(Q), count))
        names = np.empty((len(Q), count), dtype=np.intp)
        wide = min(len(self.samples), max(self.breadth, count + 8))

        def answer(rows: slice) -> None:
            moved = (Q[rows] - self.centre) / self.unit
            moved = np.ascontiguousarray(moved.clip(-FAR, FAR), dtype=np.float32)
            # Rounding mixes up few: a few more than asked for are measured again.
            found = np.empty((len(moved), min(wide, count + 4)), dtype=np.int32)
            _, doors = self.hall.nearest(moved, min(DOORS, len(self.heads)))
            walk_to_nearest(
                self.rounded, self.links, self.counts,
                self.heads[doors], wide, moved, found,
            )  # fmt: skip
            distances[rows], names[rows] = best_of(Q[rows], self.samples, found, count)

        with one_blas_thread():
            in_parts(len(Q), answer, max(1, min(16, len(Q))))
        return distances, names


def _unit(largest: float) -> float:
    """Return the power of 2 next to the largest number; dividing by it is exact."""
    return float(np.exp2(np.ceil(np.log2(largest)))) if largest > 0 else 1.0


def _chosen(X: Matrix, near: Matrix, names: Indices, links: int) -> Indices:
    """Return which of the near ones in a list each sample links to."""
    chosen = np.empty((len(names), links), dtype=np.int32)

    def choose(rows: slice) -> None:
        choose_links(X, near[rows], names[rows], chosen[rows])

    in_parts(len(names), choose, PARTS)
    return chosen


def _span(X: Matrix, some: Indices, table: Indices, counts: Indices) -> None:
    """Link fewer and fewer samples to the nearest of as few: these links go far."""
    links = table.shape[1] // 3
    while len(some) > THINNER:
        some = np.ascontiguousarray(some[: len(some) // THINNER])
        size = min(len(some), 2 * links + 1)
        squares, places = ExactSearch.over(X[some]).nearest(X[some], size)
        names = some[places]
        names[names == some[:, None]] = -1
        order = np.argsort(names < 0, axis=1, kind="stable")  # oneself comes last
        names = np.asarray(np.take_along_axis(names, order, axis=1), dtype=np.int32)
        near = np.asarray(np.take_along_axis(squares, order, axis=1), dtype=np.float32)
        chosen = _chosen(X, near, names, links)
        link_both(table, counts, some, chosen)


def _lists(X: Matrix, halls: Sequence[Indices], size: int) -> tuple[Matrix, Indices]:
    """Return about the nearest samples of each sample, the nearest first."""
    near = np.full((len(X), size), np.inf, dtype=np.float32)
    names = np.full((len(X), size), -1, dtype=np.int32)
    for heads in halls:
        _, cells = ExactSearch.over(X[heads]).nearest(X, 1)
        order = np.argsort(cells[:, 0], kind="stable").astype(np.int32)
        edges = _edges(cells[order, 0])

        def join(which: slice, order: Indices = order, edges: Indices = edges) -> None:
            for cell in range(which.start, which.stop):
                members = order[edges[cell] : edges[cell + 1]]
                # About their own centre, where products lose least to rounding.
                points = X[members] - X[members].mean(axis=0)
                squares = np.einsum("ij,ij->i", points, points)
                products = points @ (np.float32(-2.0) * points).T
                join_leaf(products, squares, members, near, names)

        with one_blas_thread():
            in_parts(len(edges) - 1, join, min(PARTS, len(edges) - 1))
    for _ in range(ROUNDS):
        _ask(X, near, names)
    in_parts(len(X), lambda rows: sort_lists(near[rows], names[rows]), PARTS)
    return near, names


def _edges(cells: Indices) -> Indices:
    """Return where cells begin in their order, large ones cut, and the end."""
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    stops = np.append(starts[1:], len(cells))
    pieces = zip(starts, stops, strict=True)
    cuts = [np.arange(start, stop, ROOM) for start, stop in pieces]
    return np.append(np.concatenate(cuts), len(cells))


def _ask(X: Matrix, near: Matrix, names: Indices) -> None:
    """Let all samples ask those near to them who is near to those."""
    in_parts(len(X), lambda rows: sort_lists(near[rows], names[rows]), PARTS)
    known = names.copy()

    def ask(rows: slice) -> None:
        seen = np.full(len(X), -1, dtype=np.int32)
        # A heap has its largest first, which the reverse of sorted is, too.
        near[rows], names[rows] = near[rows, ::-1].copy(), names[rows, ::-1].copy()
        wide = min(ASKED, names.shape[1])
        ask_near(X, known, wide, rows.start, near[rows], names[rows], seen)

    in_parts(len(X), ask)
