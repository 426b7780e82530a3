"""Which search answers, given the distance and the samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from infimum.kernels._kernel import size_of
from infimum.models.neighbors._ball_search import BallSearch
from infimum.models.neighbors._exact_search import ExactSearch
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._metric import Metric
from infimum.models.neighbors._nearby import Nearby
from infimum.models.neighbors._ranking import smallest
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Search", "choose_search"]

#: Distances held at a time: 32 MiB.
BLOCK = 2**22
#: Up to so many features a tree leaves most of its nodes unvisited.
FEW_FEATURES = 8
#: From so many samples on a tree is worth growing.
MANY_SAMPLES = 1000


class Search(Protocol):
    """Something that finds samples near to queries."""

    def nearest(self, queries: Any, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest samples, the nearest first."""

    def within(self, queries: Any, radius: float) -> Nearby:
        """Return distances and names of all within a radius, by name."""


def choose_search(metric: Metric, samples: Any, algorithm: str, leaf: int) -> Search:
    """Return a tree, tiles of products, balls, or blocks of distances."""
    plain = metric.map is None
    if not metric.euclidean or (plain and sparse.issparse(samples)):
        balls = algorithm == "ball_tree" and metric.triangle
        if balls and size_of(samples) > leaf:
            return BallSearch.over(metric, samples, leaf)
        return BlockSearch(metric, samples)
    X = _mapped(samples, metric.map)
    few = X.shape[1] <= FEW_FEATURES and len(X) >= MANY_SAMPLES
    tree = few if algorithm == "auto" else algorithm != "brute"
    found = KDSearch.over(X, leaf) if tree else ExactSearch.over(X)
    return EuclideanSearch(found, metric.map)


@dataclass(frozen=True)
class EuclideanSearch:
    """A search by squared Euclidean distance, after a linear map."""

    squared: ExactSearch | KDSearch
    map: Matrix | None

    def nearest(self, queries: Any, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest samples, the nearest first."""
        squares, names = self.squared.nearest(_mapped(queries, self.map), count)
        return np.sqrt(squares), names

    def within(self, queries: Any, radius: float) -> Nearby:
        """Return distances and names of all within a radius, by name."""
        found = self.squared.within(_mapped(queries, self.map), radius * radius)
        return found._replace(distances=np.sqrt(found.distances))


@dataclass(frozen=True)
class BlockSearch:
    """A search by any distance, which is computed for a block of queries at a time."""

    metric: Metric
    samples: Any

    def nearest(self, queries: Any, count: int) -> tuple[Matrix, Indices]:
        """Return distances and names of the nearest samples, the nearest first."""
        found = [smallest(block, count) for block in self._blocks(queries)]
        distances, names = zip(*found, strict=True)
        return np.concatenate(distances), np.concatenate(names)

    def within(self, queries: Any, radius: float) -> Nearby:
        """Return distances and names of all within a radius, by name."""
        found: list[tuple[Vector, Indices]] = []
        for block in self._blocks(queries):
            for row in block:
                names = np.flatnonzero(row <= radius)
                found.append((row[names], names))
        return Nearby.of(found)

    def _blocks(self, queries: Any) -> Any:
        size = max(1, BLOCK // size_of(self.samples))
        for start in range(0, size_of(queries), size):
            block = self.metric.between(queries[start : start + size], self.samples)
            yield np.asarray(block, dtype=np.float64)


def _mapped(X: Any, root: Matrix | None) -> Matrix:
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    return X if root is None else np.asarray(X @ root)
