"""Connected components of samples within a distance, in memory of O(n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled import (
    in_parts,
    least_near_label,
    mark_dense,
    unite_near,
    unite_pairs,
)
from infimum.kernels._base import size_of
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
) -> TreeNeighborhood | BlockNeighborhood:
    """Return who answers what is near: a k-d tree, or blocks of distances."""
    dense = not sparse.issparse(X)
    if metric.euclidean and dense and X.shape[1] <= FEW_FEATURES:
        rows = X if metric.map is None else X @ metric.map
        if algorithm != "brute":
            return TreeNeighborhood(KDSearch.over(rows, LEAF), radius * radius, metric)
    return BlockNeighborhood(metric, X, radius)


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
        roots[tree.names] = tree.names[_roots(above)]
        return _numbered(roots, chosen)

    def least_label(self, labels: Indices, queries: Any) -> Indices:
        """Return the least label that is not -1 within the radius of each query."""
        tree = self.search
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        if self.metric.map is not None:
            Q = np.ascontiguousarray(Q @ self.metric.map)
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
        return _numbered(_roots(above), chosen)

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
        known, rule = self.samples, self.metric
        if sparse.issparse(known) or not rule.euclidean:
            return np.asarray(rule.between(queries, known) <= self.radius)
        if rule.map is not None:
            queries, known = queries @ rule.map, known @ rule.map
        return _within(
            np.asarray(queries, dtype=np.float64),
            np.asarray(known, dtype=np.float64),
            self.radius * self.radius,
        )


def _within(Q: Matrix, X: Matrix, limit: float) -> Mask:
    """Tell which rows are within a squared distance: by products, then differences.

    Where rounding of ‖q‖² - 2⟨q, x⟩ + ‖x‖² could decide, the difference is taken.
    """
    centre = X.mean(axis=0)
    left, right = Q - centre, X - centre
    lengths = np.einsum("ij,ij->i", right, right)
    own = np.einsum("ij,ij->i", left, left)[:, None]
    squares = left @ right.T
    squares *= -2.0
    squares += lengths
    squares += own - limit
    near: Mask = squares <= 0.0
    slip = 2.0**-50 * (X.shape[1] + 4) * (own.max() + lengths.max() + limit)
    doubtful = np.abs(squares, out=squares) <= slip
    if not doubtful.any():
        return near
    rows, columns = np.nonzero(doubtful)
    for start in range(0, len(rows), BLOCK):
        i, j = rows[start : start + BLOCK], columns[start : start + BLOCK]
        near[i, j] = np.square(Q[i] - X[j]).sum(axis=1) <= limit
    return near


def _roots(above: Indices) -> Indices:
    while not np.array_equal(above, higher := above[above]):
        above = higher
    return above


def _numbered(roots: Indices, chosen: Mask) -> Indices:
    """Return the components, numbered in the order of their first sample."""
    out: Indices = np.full(len(chosen), -1)
    _, first, code = np.unique(roots[chosen], return_index=True, return_inverse=True)
    out[chosen] = np.argsort(np.argsort(first))[code]
    return out
