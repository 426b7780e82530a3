"""Connected components of samples within a distance, in memory of O(n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.neighbors.near_unions import (
    least_near_label,
    mark_dense,
    unite_near,
    unite_pairs,
)
from infimum.compiled.threads import in_parts
from infimum.kernels._kernel import size_of
from infimum.models.clustering.by_density._near_products import ProductNeighborhood
from infimum.models.clustering.by_density._near_roots import number_roots, roots_of
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._metric import Metric
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["BlockNeighborhood", "TreeNeighborhood", "choose_neighborhood"]

#: Distances held at a time: 8 MiB.
BLOCK = 2**20
#: Beyond so many features boxes are near everything.
FEW_FEATURES = 15
LEAF = 16
PARTS = 64


def choose_neighborhood(
    metric: Metric, X: Any, radius: float, algorithm: str
) -> TreeNeighborhood | ProductNeighborhood | BlockNeighborhood:
    """Return who answers what is near: a k-d tree, products, or blocks of distances."""
    if sparse.issparse(X) or not metric.euclidean:
        return BlockNeighborhood(metric, X, radius)
    if X.shape[1] > FEW_FEATURES or algorithm == "brute":
        return ProductNeighborhood(metric, X, radius)
    rows = X if metric.map is None else X @ metric.map
    return TreeNeighborhood(KDSearch.over(rows, LEAF), radius * radius, metric)


@dataclass(frozen=True)
class TreeNeighborhood:
    """Samples in a k-d tree; nothing but the tree and a few vectors is held."""

    search: KDSearch
    limit: float
    metric: Metric

    def dense(self, weights: Vector, enough: float) -> Mask:
        """Tell which samples have enough weight within the radius."""
        tree = self.search
        inside: Mask = np.empty(len(tree.points), dtype=bool)
        ordered = weights[tree.names]

        def work(part: slice) -> None:
            mark_dense(
                tree.points, tree.lows, tree.highs, ordered, self.limit, enough,
                part.start, part.stop, inside,
            )  # fmt: skip

        in_parts(len(inside), work, PARTS)
        out = np.empty_like(inside)
        out[tree.names] = inside
        return out

    def components(self, chosen: Mask) -> Indices:
        """Return the component of each chosen sample, -1 for the others."""
        tree = self.search
        inside = chosen[tree.names]
        above: Indices = np.arange(len(inside))
        unite_near(tree.points, tree.lows, tree.highs, inside, self.limit, above)
        roots: Indices = np.empty(len(inside), dtype=np.intp)
        roots[tree.names] = tree.names[roots_of(above)]
        return number_roots(roots, chosen)

    def settle_rest(self, labels: Indices, rest: Indices) -> Indices:
        """Return the least label within the radius of samples that have none."""
        places = np.empty_like(self.search.names)
        places[self.search.names] = np.arange(len(places))
        return self._least(labels, self.search.points[places[rest]])

    def least_label(self, labels: Indices, queries: Any) -> Indices:
        """Return the least label that is not -1 within the radius of each query."""
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        if self.metric.map is not None:
            Q = np.ascontiguousarray(Q @ self.metric.map)
        return self._least(labels, Q)

    def _least(self, labels: Indices, Q: Matrix) -> Indices:
        tree = self.search
        out: Indices = np.empty(len(Q), dtype=np.intp)
        ordered = labels[tree.names]

        def work(part: slice) -> None:
            least_near_label(
                tree.points, tree.lows, tree.highs, ordered, Q[part], self.limit,
                out[part],
            )  # fmt: skip

        in_parts(len(Q), work, PARTS)
        return out


@dataclass(frozen=True)
class BlockNeighborhood:
    """Samples under any distance, which is computed for a few of them at a time."""

    metric: Metric
    samples: Any
    radius: float

    def dense(self, weights: Vector, enough: float) -> Mask:
        """Tell which samples have enough weight within the radius."""
        alike = bool((weights == weights[0]).all())
        parts = [
            np.count_nonzero(near, axis=1) * weights[0]
            if alike
            else near.astype(np.float64) @ weights
            for _, near in self._blocks(self.samples)
        ]
        return np.concatenate(parts) >= enough

    def components(self, chosen: Mask) -> Indices:
        """Return the component of each chosen sample, -1 for the others."""
        above: Indices = np.arange(len(chosen))
        names = np.flatnonzero(chosen)
        for start, near in self._blocks(self.samples[names]):
            first, second = np.nonzero(near & chosen)
            unite_pairs(names[start + first], second, above)
        return number_roots(roots_of(above), chosen)

    def settle_rest(self, labels: Indices, rest: Indices) -> Indices:
        """Return the least label within the radius of samples that have none."""
        return self.least_label(labels, self.samples[rest])

    def least_label(self, labels: Indices, queries: Any) -> Indices:
        """Return the least label that is not -1 within the radius of each query."""
        out: Indices = np.full(size_of(queries), -1)
        none = len(labels)
        for start, near in self._blocks(queries):
            least = np.where(near & (labels >= 0), labels, none).min(axis=1)
            out[start : start + len(near)] = np.where(least < none, least, -1)
        return out

    def _blocks(self, queries: Any) -> Iterator[tuple[int, Mask]]:
        step = max(1, BLOCK // size_of(self.samples))
        for start in range(0, size_of(queries), step):
            yield start, self._near(queries[start : start + step])

    def _near(self, queries: Any) -> Mask:
        return np.asarray(self.metric.between(queries, self.samples) <= self.radius)
