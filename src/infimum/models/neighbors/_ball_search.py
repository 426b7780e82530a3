"""The nearest samples by any distance with the triangle inequality: a tree of balls.

Every node is a ball around one of its samples, cut into an inner ball and a shell of as
many samples. From |d(q, v) - d(v, x)| ≤ d(q, x) follows which of them may be left out.
All queries go down together, so that distances are asked for in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels._kernel import size_of
from infimum.models.neighbors._metric import Metric
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._ranking import rank
from infimum.typing import Indices, Matrix, Vector

__all__ = ["BallSearch"]

#: Rounding of a distance: a ball is left out only if it is further by more than this.
SLACK = 1e-9
#: Distances of a block of queries to a leaf held at a time.
BLOCK = 2**20


@dataclass(frozen=True)
class Node:
    """A ball: its centre, and its two halves with the distances they lie between.

    A leaf has samples and no halves.
    """

    centre: int
    samples: Indices
    halves: tuple[Node, ...] = ()
    lows: tuple[float, ...] = ()
    highs: tuple[float, ...] = ()


@dataclass(frozen=True)
class BallSearch:
    """Samples in a tree of balls, and the distance it was grown by."""

    metric: Metric
    samples: Any
    root: Node

    @classmethod
    def over(cls, metric: Metric, samples: Any, leaf: int) -> BallSearch:
        """Return a search with at most `leaf` samples to a leaf."""
        draw = np.random.default_rng(0)
        names = np.arange(size_of(samples))
        return cls(metric, samples, _grow(metric, samples, names, max(2, leaf), draw))

    def nearest(self, queries: Any, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest samples, the nearest first."""
        n = size_of(queries)
        best = np.full((n, count), np.inf)
        kept = np.full((n, count), np.iinfo(np.intp).max, dtype=np.intp)
        # First everyone asks at home, which makes the bars that spare the rest.
        everyone = np.arange(n)
        visited: dict[int, Indices] = {}
        for node, who in self._homes(self.root, queries, everyone):
            visited[id(node)] = who
            self._offer(node, queries, who, best, kept)
        for node, who in self._reach(self.root, queries, everyone, best):
            new = np.setdiff1d(who, visited.get(id(node), ()), assume_unique=True)
            self._offer(node, queries, new, best, kept)
        return best, kept

    def within(self, queries: Any, radius: float) -> Nearby:
        """Return distances and names of all within a radius, by name."""
        n = size_of(queries)
        found: list[list[tuple[Vector, Indices]]] = [[] for _ in range(n)]
        bars = np.full((n, 1), radius)
        for node, who in self._reach(self.root, queries, np.arange(n), bars):
            distances = self._between(queries, who, node.samples)
            for i, row in zip(who, distances, strict=True):
                inside = row <= radius
                found[i].append((row[inside], node.samples[inside]))
        return Nearby.of([_joined(parts) for parts in found])

    def _between(self, queries: Any, who: Indices, names: Indices) -> Matrix:
        return np.asarray(
            self.metric.between(_take(queries, who), _take(self.samples, names)),
            dtype=np.float64,
        )

    def _homes(
        self, node: Node, queries: Any, who: Indices
    ) -> Iterator[tuple[Node, Indices]]:
        """Yield leaves, each with the queries that fall into it."""
        if not len(who):
            return
        if not node.halves:
            yield node, who
            return
        apart = self._between(queries, who, np.array([node.centre]))[:, 0]
        inner = apart < node.highs[0]
        yield from self._homes(node.halves[0], queries, who[inner])
        yield from self._homes(node.halves[1], queries, who[~inner])

    def _reach(
        self, node: Node, queries: Any, who: Indices, best: Matrix
    ) -> Iterator[tuple[Node, Indices]]:
        """Yield leaves, each with the queries whose bar it may lie below."""
        if not len(who):
            return
        if not node.halves:
            yield node, who
            return
        apart = self._between(queries, who, np.array([node.centre]))[:, 0]
        for half, low, high in zip(node.halves, node.lows, node.highs, strict=True):
            least = np.maximum(low - apart, apart - high)
            bars = best[who, -1]  # a half before this one may have lowered them
            slack = SLACK * (1.0 + apart + high)
            yield from self._reach(half, queries, who[least <= bars + slack], best)

    def _offer(
        self, node: Node, queries: Any, who: Indices, best: Matrix, kept: Indices
    ) -> None:
        """Let the samples of a leaf compete for the places of the nearest."""
        step = max(1, BLOCK // max(1, len(node.samples)))
        count = best.shape[1]
        for start in range(0, len(who), step):
            some = who[start : start + step]
            distances = self._between(queries, some, node.samples)
            values = np.hstack((best[some], distances))
            shape = distances.shape
            names = np.hstack((kept[some], np.broadcast_to(node.samples, shape)))
            order = rank(values, names)[:, :count]
            best[some] = np.take_along_axis(values, order, axis=1)
            kept[some] = np.take_along_axis(names, order, axis=1)


def _grow(metric: Metric, samples: Any, names: Indices, leaf: int, draw: Any) -> Node:
    """Return the tree over some samples; the centre of a ball is drawn from them."""
    centre = int(names[draw.integers(len(names))])
    if len(names) <= leaf:
        return Node(centre, names)
    block = metric.between(_take(samples, names), _take(samples, np.array([centre])))
    apart = np.asarray(block, dtype=np.float64)[:, 0]
    order = np.argsort(apart, kind="stable")
    if apart[order[0]] == apart[order[-1]]:  # nothing tells them apart
        return Node(centre, names)
    middle = len(names) // 2
    parts = (order[:middle], order[middle:])
    return Node(
        centre,
        names,
        tuple(_grow(metric, samples, np.sort(names[p]), leaf, draw) for p in parts),
        tuple(float(apart[p].min()) for p in parts),
        tuple(float(apart[p].max()) for p in parts),
    )


def _take(things: Any, names: Indices) -> Any:
    if hasattr(things, "shape"):
        return things[names]
    return [things[name] for name in names]


def _joined(parts: list[tuple[Vector, Indices]]) -> tuple[Vector, Indices]:
    if not parts:
        return np.empty(0), np.empty(0, dtype=np.intp)
    distances = np.concatenate([part[0] for part in parts])
    names = np.concatenate([part[1] for part in parts])
    order = np.argsort(names)
    return distances[order], names[order]
