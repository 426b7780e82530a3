"""Merging clusters until one is left: rounds, chains and spanning trees.

Every way returns the merges as pairs of samples, one of each cluster, with heights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from infimum.compiled.clusters.linkage_inversions import closest_merges
from infimum.compiled.clusters.linkage_rounds import (
    Round,
    chain_merges,
    fold_rows,
    scan_rows,
)
from infimum.compiled.clusters.linkage_vectors import (
    measure_rows,
    span_matrix,
    span_points,
    ward_nearest,
)
from infimum.compiled.threads import in_parts
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = [
    "METHODS",
    "SQUARED",
    "Merges",
    "euclidean_matrix",
    "merge_closest",
    "merge_matrix",
    "merge_ward",
    "span",
]

#: In the order of their numbers in the compiled loops.
METHODS = (
    "single", "complete", "average", "weighted", "ward", "centroid", "median",
)  # fmt: skip
#: Whose formulas hold for squared Euclidean distances.
SQUARED = ("ward", "centroid", "median")
#: A round pays while one in so many clusters finds a partner.
PAYS = 24
#: Rows or clusters for which a thread is worth waking.
MANY = 256
#: Up to so many rows one loop along chains ends before rounds have been laid out.
FEW = 512


@dataclass
class Merges:
    """Pairs of samples, one of each of two clusters, and the heights of their union."""

    first: list[Indices] = field(default_factory=list)
    second: list[Indices] = field(default_factory=list)
    heights: list[Vector] = field(default_factory=list)

    def add(self, first: Indices, second: Indices, heights: Vector) -> None:
        """Append the merges of a round."""
        self.first.append(first)
        self.second.append(second)
        self.heights.append(heights)

    def joined(self) -> tuple[Indices, Indices, Vector]:
        """Return all merges, in the order they were made."""
        return tuple(  # type: ignore[return-value]
            np.concatenate(parts) if parts else np.empty(0, dtype=kind)
            for parts, kind in (
                (self.first, np.intp), (self.second, np.intp), (self.heights, float),
            )
        )  # fmt: skip


def euclidean_matrix(X: Matrix, *, squared: bool) -> Matrix:
    """Return all distances between rows, with infinity on the diagonal."""
    n = len(X)
    out = np.empty((n, n))
    points = np.ascontiguousarray(X.T, dtype=np.float64)
    in_parts(
        n,
        lambda part: measure_rows(points, part.start, part.stop, out, squared=squared),
        max(1, min(64, n // 32)),
    )
    return out


def span(X: Matrix, *, given: bool = False) -> Merges:
    """Return the minimum spanning tree, of rows in space or of `given` distances."""
    first, second, heights = _room(len(X) - 1)
    if given:
        span_matrix(X, first, second, heights)
    else:
        points = np.array(X.T, dtype=np.float64, order="C")
        span_points(points, first, second, heights)
        heights = np.sqrt(heights)
    return Merges([first], [second], [heights])


def merge_closest(D: Matrix, method: str, sizes: Vector) -> Merges:
    """Merge the closest pair again and again; distances are overwritten."""
    first, second, heights = _room(len(D) - 1)
    closest_merges(D, sizes.copy(), METHODS.index(method), first, second, heights)
    return Merges([first], [second], [heights])


def merge_matrix(D: Matrix, method: str, sizes: Vector) -> Merges:
    """Merge by a linkage that never brings a union nearer; D is overwritten."""
    code = METHODS.index(method)
    if len(D) <= FEW:
        first, second, heights = _room(len(D) - 1)
        every, dead = np.arange(len(D)), np.zeros(len(D), dtype=bool)
        given = D, every, sizes.copy(), dead, code, 1
        chain_merges(*given, first, second, heights)
        return Merges([first], [second], [heights])
    return _by_rounds(_MatrixClusters(D, code, sizes.copy()))


def merge_ward(X: Matrix, sizes: Vector) -> Merges:
    """Merge by Ward's linkage from coordinates; heights are squared."""
    if len(X) <= FEW:
        D = euclidean_matrix(X, squared=True)
        if (sizes != 1.0).any():
            D *= 2.0 / np.add.outer(1.0 / sizes, 1.0 / sizes)
        return merge_matrix(D, "ward", sizes)
    return _by_rounds(_WardClusters(X, sizes.copy()))


def _room(count: int) -> tuple[Indices, Indices, Vector]:
    count = max(0, count)
    return np.empty(count, np.intp), np.empty(count, np.intp), np.empty(count)


class _Clusters(ABC):
    """The clusters of a round: names, sizes, nearest others and their distances."""

    sizes: Vector

    def __init__(self, count: int) -> None:
        self.samples: Indices = np.arange(count)
        self.nearest: Indices = np.zeros(count, dtype=np.intp)
        self.distance: Vector = np.full(count, np.inf)

    def scan(self, wanted: Indices) -> None:
        """Find the nearest cluster of each wanted one."""
        parts = 16 if len(wanted) >= MANY else 1
        in_parts(len(wanted), lambda part: self._scan(wanted[part]), parts)

    @abstractmethod
    def _scan(self, wanted: Indices) -> None:
        """Find the nearest cluster of some of the wanted ones."""

    @abstractmethod
    def fold(self, first: Indices, second: Indices, between: Vector) -> None:
        """Join each ``first[k]`` with ``second[k]`` unless that is -1."""

    def hurry(self, merges: Merges) -> bool:
        """Merge another way while few clusters find a partner, if there is one."""
        return False

    def advance(self, first: Indices, second: Indices, between: Vector) -> None:
        """Join pairs, and find the nearest of those whose nearest is no more."""
        count = len(self.nearest)
        new: Indices = np.full(count, -1)
        gone: Mask = np.zeros(count, dtype=bool)
        pairs = second >= 0
        gone[first[pairs]] = gone[second[pairs]] = True
        new[first] = np.arange(len(first))
        stale = pairs | gone[self.nearest[first]]
        self.fold(first, second, between)
        self.samples = self.samples[first]
        self.nearest = np.where(stale, 0, new[self.nearest[first]])
        self.distance = self.distance[first]
        if len(first) > 1:
            self.scan(np.flatnonzero(stale))


class _MatrixClusters(_Clusters):
    """Clusters with all their distances; cluster i lies in row ``rows[i]``."""

    def __init__(self, D: Matrix, method: int, sizes: Vector) -> None:
        super().__init__(len(D))
        self.D, self.method, self.sizes = D, method, sizes
        self.rows: Indices = np.arange(len(D))

    def _scan(self, wanted: Indices) -> None:
        scan_rows(self.D, self.rows, wanted, self.nearest, self.distance)

    def fold(self, first: Indices, second: Indices, between: Vector) -> None:
        merged = np.flatnonzero(second >= 0)
        pairs = np.stack([first[merged], second[merged]])
        facts = np.stack([between[merged], *self.sizes[pairs]])
        sizes = self.sizes[first]
        sizes[merged] += facts[2]
        places: Indices = np.full(len(first), -1)
        places[merged] = np.arange(len(merged))

        round_ = Round(first, places, merged, pairs, facts, sizes)

        def work(part: slice) -> None:
            fold_rows(self.D, self.rows, round_, self.method, part.start, part.stop)

        in_parts(len(first), work, 64 if len(first) >= MANY else 1)
        self.rows, self.sizes = self.rows[first], sizes

    def hurry(self, merges: Merges) -> bool:
        count = len(self.rows)
        until = max(1, count // 2)
        first, second, heights = _room(count - until)
        dead = np.zeros(count, dtype=bool)
        chain_merges(
            self.D, self.rows, self.sizes, dead, self.method, until,
            first, second, heights,
        )  # fmt: skip
        merges.add(self.samples[first], self.samples[second], heights)
        alive = np.flatnonzero(~dead)
        self.fold(alive, np.full(len(alive), -1), np.zeros(len(alive)))
        self.samples = self.samples[alive]
        self.nearest = np.zeros(len(alive), dtype=np.intp)
        self.distance = np.full(len(alive), np.inf)
        if len(alive) > 1:
            self.scan(np.arange(len(alive)))
        return True


class _WardClusters(_Clusters):
    """Clusters with their centres, a row per feature."""

    def __init__(self, X: Matrix, sizes: Vector) -> None:
        super().__init__(len(X))
        self.centres = np.array(X.T, dtype=np.float64, order="C")
        self.sizes = sizes

    def _scan(self, wanted: Indices) -> None:
        ward_nearest(self.centres, self.sizes, wanted, self.nearest, self.distance)

    def fold(self, first: Indices, second: Indices, between: Vector) -> None:
        merged = np.flatnonzero(second >= 0)
        a, b = first[merged], second[merged]
        sizes = self.sizes[first]
        centres = self.centres[:, first]
        sizes[merged] += self.sizes[b]
        share = self.sizes[b] / sizes[merged]
        centres[:, merged] += share * (self.centres[:, b] - self.centres[:, a])
        self.sizes, self.centres = sizes, np.ascontiguousarray(centres)


def _by_rounds(clusters: _Clusters) -> Merges:
    merges = Merges()
    count = len(clusters.samples)
    if count > 1:
        clusters.scan(np.arange(count))
    while (count := len(clusters.samples)) > 1:
        a, b = _mutual(clusters.nearest, clusters.distance)
        if len(a) * PAYS < count and clusters.hurry(merges):
            continue
        merges.add(clusters.samples[a], clusters.samples[b], clusters.distance[a])
        second: Indices = np.full(count, -1)
        second[a] = b
        alive: Mask = np.ones(count, dtype=bool)
        alive[b] = False
        first = np.flatnonzero(alive)
        clusters.advance(first, second[first], clusters.distance[first])
    return merges


def _mutual(nearest: Indices, distance: Vector) -> tuple[Indices, Indices]:
    """Return the pairs that are nearest to each other, or else the closest pair."""
    here = np.arange(len(nearest))
    a = np.flatnonzero((nearest[nearest] == here) & (here < nearest))
    if not len(a):  # ties, or rounding, have led all preferences around in circles
        closest = int(distance.argmin())
        pair = sorted((closest, int(nearest[closest])))
        return np.array(pair[:1]), np.array(pair[1:])
    return a, nearest[a]
