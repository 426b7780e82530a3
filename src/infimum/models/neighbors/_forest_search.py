"""A search in the leaves of random trees, which may miss a neighbour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.neighbors.nearest import measure_candidates
from infimum.compiled.threads import in_parts
from infimum.models.neighbors._ranking import rank
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ForestSearch", "best_of"]

#: Queries answered at a time.
QUERIES = 512


@dataclass(frozen=True)
class ForestSearch:
    """Trees that halve the samples along random directions.

    All levels are full, so that a node's samples are known from its number.
    """

    samples: Matrix
    orders: Indices
    directions: Matrix
    cuts: Matrix
    levels: int

    @classmethod
    def over(cls, X: Matrix, trees: int, leaf: int, seed: int) -> ForestSearch:
        """Return a forest with about `leaf` samples to a leaf."""
        n, d = X.shape
        levels = max(0, int(np.ceil(np.log2(max(1.0, n / leaf)))))
        draw = np.random.default_rng(seed)
        # One direction a level serves all its nodes: they are cut at medians anyway.
        directions = draw.standard_normal((trees, levels, d)).astype(X.dtype)
        orders = np.empty((trees, n), dtype=np.int32)
        cuts = np.zeros((trees, 2**levels), dtype=X.dtype)

        def plant(which: slice) -> None:
            for tree in range(which.start, which.stop):
                scores = X @ directions[tree].T
                orders[tree] = _halve(scores, levels, cuts[tree])

        in_parts(trees, plant, trees)
        return cls(X, orders, directions, cuts, levels)

    def nearest(self, queries: Matrix, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest in the leaves of a query."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        distances = np.empty((len(Q), count))
        names = np.empty((len(Q), count), dtype=np.int64)

        def answer(rows: slice) -> None:
            for start in range(rows.start, rows.stop, QUERIES):
                some = slice(start, min(rows.stop, start + QUERIES))
                met = np.hstack([self._leaves(Q[some], tree) for tree in self._trees()])
                distances[some], names[some] = best_of(
                    Q[some], self.samples, met, count
                )

        in_parts(len(Q), answer, max(1, min(16, len(Q))))
        return distances, names

    def _trees(self) -> range:
        return range(len(self.orders))

    def _leaves(self, Q: Matrix, tree: int) -> Indices:
        """Return the samples of the leaf of each query, -1 beyond the last."""
        scores = Q @ self.directions[tree].T
        places = np.zeros(len(Q), dtype=np.int64)
        for level in range(self.levels):
            above = scores[:, level] > self.cuts[tree, 2**level - 1 + places]
            places = 2 * places + above
        edges = np.arange(2**self.levels + 1) * len(self.samples) // 2**self.levels
        starts, stops = edges[places], edges[places + 1]
        within = starts[:, None] + np.arange(int(np.max(np.diff(edges))))
        inside = within < stops[:, None]
        return np.where(inside, self.orders[tree][np.where(inside, within, 0)], -1)


def _halve(scores: Matrix, levels: int, cuts: Vector) -> Indices:
    """Return samples in the order of the leaves, and write where each node is cut."""
    n = len(scores)
    order = np.arange(n)
    for level in range(levels):
        edges = np.arange(2**level + 1) * n // 2**level
        nodes = np.repeat(np.arange(2**level), np.diff(edges))
        values = scores[order, level]
        order = order[np.lexsort((values, nodes))]
        middles = (2 * np.arange(2**level) + 1) * n // 2 ** (level + 1)
        cuts[2**level - 1 : 2 ** (level + 1) - 1] = scores[order[middles - 1], level]
    return order


def best_of(Q: Matrix, X: Matrix, met: Indices, count: int) -> tuple[Matrix, Indices]:
    """Return the `count` nearest of the samples met, each once.

    Where fewer were met, the first samples stand in at infinite distance.
    """
    met = np.asarray(np.sort(met, axis=1))
    again = np.zeros_like(met, dtype=bool)
    again[:, 1:] = met[:, 1:] == met[:, :-1]
    unknown = again | (met < 0)
    squares: Any = np.empty(met.shape)
    measure_candidates(Q, X, np.where(unknown, 0, met), squares)
    squares[unknown] = np.inf
    if met.shape[1] < count:
        lack = ((0, 0), (0, count - met.shape[1]))
        squares = np.pad(squares, lack, constant_values=np.inf)
        met = np.pad(met, lack, constant_values=0)
    if count < squares.shape[1]:
        some = np.argpartition(squares, count - 1, axis=1)[:, :count]
        squares = np.take_along_axis(squares, some, axis=1)
        met = np.take_along_axis(met, some, axis=1)
    order = rank(squares, met)
    names: Any = np.take_along_axis(np.maximum(met, 0), order, axis=1)
    return np.sqrt(np.take_along_axis(squares, order, axis=1)), names
