"""The nearest samples in few dimensions, by a k-d tree."""

from dataclasses import dataclass

import numpy as np

from infimum.compiled.neighbors.kd_tree import (
    bound_nodes,
    nearest_in_tree,
    split_nodes,
    within_in_tree,
)
from infimum.compiled.threads import in_parts
from infimum.models.neighbors._nearby import Nearby
from infimum.typing import Indices, Matrix, Vector

__all__ = ["KDSearch"]

#: Points of a leaf: about as many as are compared in the time one more split takes.
LEAF = 32
#: Levels that are split before the cores part.
SHARED = 4


@dataclass(frozen=True)
class KDSearch:
    """Samples in the order of a tree, with the box around each node."""

    points: Matrix
    names: Indices
    lows: Matrix
    highs: Matrix

    @classmethod
    def over(cls, X: Matrix, leaf: int = LEAF) -> "KDSearch":
        """Return a search among the rows of X, with at most `leaf` to a leaf."""
        points = np.array(X, dtype=np.float64, order="C")
        n, sides = points.shape
        names = np.arange(n, dtype=np.int64)
        levels = max(0, int(np.ceil(np.log2(max(1, n / leaf)))))
        shared = min(levels, SHARED)
        split_nodes(points, names, 0, 0, 1, shared)

        def split(places: slice) -> None:
            split_nodes(points, names, shared, places.start, places.stop, levels)

        in_parts(1 << shared, split, 1 << shared)
        nodes = 2 ** (levels + 1) - 1
        lows, highs = np.empty((nodes, sides)), np.empty((nodes, sides))
        bound_nodes(points, levels, lows, highs)
        return cls(points, names, lows, highs)

    def nearest(self, queries: Matrix, count: int) -> tuple[Matrix, Indices]:
        """Return squared distances and names of the nearest, the nearest first."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        near = np.empty((len(Q), count))
        names = np.empty((len(Q), count), dtype=np.int64)

        def answer(rows: slice) -> None:
            nearest_in_tree(
                self.points, self.names, self.lows, self.highs,
                Q[rows], near[rows], names[rows],
            )  # fmt: skip

        in_parts(len(Q), answer, max(1, min(64, len(Q))))
        return near, names

    def within(self, queries: Matrix, limit: float) -> Nearby:
        """Return squared distances up to a limit and their names, for each query."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)

        def answer(rows: slice) -> list[tuple[Vector, Indices]]:
            names = np.empty(len(self.points), dtype=np.int64)
            squares = np.empty(len(self.points))
            return [self._within(q, limit, names, squares) for q in Q[rows]]

        parts = in_parts(len(Q), answer, max(1, min(64, len(Q))))
        return Nearby.of([found for part in parts for found in part])

    def _within(
        self, q: Vector, limit: float, names: Indices, squares: Vector
    ) -> tuple[Vector, Indices]:
        count = within_in_tree(
            self.points, self.names, self.lows, self.highs, q, limit, names, squares
        )
        order = np.argsort(names[:count])
        return squares[:count][order], names[:count][order]
