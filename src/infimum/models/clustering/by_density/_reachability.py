"""Mutual reachability: distances that are never below the radii of dense balls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.compiled.clusters.reach_spanning import span_reaches
from infimum.compiled.neighbors.nearest_other_component import (
    join_nearest_others,
    mark_nodes,
    seek_nearest_others,
)
from infimum.compiled.threads import in_parts
from infimum.models.clustering.hierarchy._merging import Merges, span
from infimum.models.neighbors._exact_search import ExactSearch
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._metric import Metric
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Reach", "measure_blocks", "span_reach"]

#: Beyond so many features boxes are near everything.
FEW_FEATURES = 15
#: Points for which a round of searches in a tree is cheaper than all distances.
MANY = 500
#: Into how many parts the points are cut in a round.
PARTS = 4
#: Distances held at a time: 16 MiB.
BLOCK = 2**21


class Reach:
    """Samples, how they are compared, and the radius around each that holds enough.

    Parameters
    ----------
    metric : Metric
    samples : ndarray or sparse matrix
        A matrix of distances, if they are precomputed.
    enough : int
        How many samples, itself included, lie within the radius of a sample.
    scale : float
        Distances are divided by it before they are compared with radii.
    """

    def __init__(
        self, metric: Metric, samples: Any, enough: int, scale: float = 1.0
    ) -> None:
        self.scale = scale
        self.places = _placed(metric, samples)
        self.tree: KDSearch | None = None
        if self.places is None:
            self.apart = np.concatenate(list(measure_blocks(metric, samples, samples)))
            # Not all ways to compute distances leave a sample at 0 from itself.
            np.fill_diagonal(self.apart, 0.0)
            self.radii = np.partition(self.apart, enough - 1, axis=1)[:, enough - 1]
            return
        if self.places.shape[1] <= FEW_FEATURES:
            self.tree = KDSearch.over(self.places)
            self.squares = self.tree.nearest(self.places, enough)[0][:, -1]
        else:
            last = ExactSearch.over(self.places).nearest(self.places, enough)[1][:, -1]
            self.squares = _in_order(self.places, self.places[last])
        self.radii = np.sqrt(self.squares)


def _in_order(rows: Matrix, others: Matrix) -> Vector:
    """Return squared distances of pairs, rounded term after term as by the loops."""
    total = np.zeros(len(rows))
    for t in range(rows.shape[1]):
        apart = rows[:, t] - others[:, t]
        total += apart * apart
    return total


def _placed(metric: Metric, samples: Any) -> Matrix | None:
    """Return samples where distances are Euclidean; None for sparse ones."""
    if hasattr(samples, "tocsr") or not metric.euclidean:
        return None
    placed = np.asarray(samples, dtype=np.float64)
    return np.ascontiguousarray(placed if metric.map is None else placed @ metric.map)


def measure_blocks(metric: Metric, samples: Any, queries: Any) -> Iterator[Matrix]:
    """Yield the distances of some queries after others to all samples."""
    step = max(1, BLOCK // samples.shape[0])
    known, placed = _placed(metric, samples), _placed(metric, queries)
    for start in range(0, queries.shape[0], step):
        rows = slice(start, start + step)
        if placed is None or known is None:
            apart = metric.between(queries[rows], samples)
            yield np.array(apart, dtype=np.float64)
        else:
            yield cdist(placed[rows], known)


def span_reach(reach: Reach) -> Merges:
    """Return the minimum spanning tree of the mutual reachabilities."""
    if reach.places is None:
        return _span_whole(reach)
    factor, squares = reach.scale**-2.0, reach.squares.copy()
    if reach.tree is not None and len(squares) >= MANY:
        first, second, heights = _by_rounds(reach.tree, squares, factor)
    else:
        n = len(squares)
        first, second = np.empty(n - 1, np.intp), np.empty(n - 1, np.intp)
        heights = np.empty(n - 1)
        points = np.array(reach.places.T, dtype=np.float64, order="C")
        span_reaches(points, squares, factor, first, second, heights)
    return Merges([first], [second], [np.sqrt(heights)])


def _span_whole(reach: Reach) -> Merges:
    apart = np.maximum(reach.apart / reach.scale, reach.radii)
    np.maximum(apart, reach.radii[:, None], out=apart)
    np.fill_diagonal(apart, np.inf)
    return span(apart, given=True)


def _by_rounds(
    tree: KDSearch, squares: Vector, factor: float
) -> tuple[Indices, Indices, Vector]:
    """Join each component to its nearest stranger, round after round (Borůvka)."""
    n, nodes = len(squares), len(tree.lows)
    radii = squares[tree.names]
    parts: Indices = np.arange(n)
    kind, least = np.empty(nodes, np.intp), np.empty(nodes)
    bounds, known = np.zeros(n), np.full(n, -1)
    first, second = np.empty(n - 1, np.intp), np.empty(n - 1, np.intp)
    heights, count, left = np.empty(n - 1), 0, n
    while left > 1:
        mark_nodes(parts, radii, kind, least)

        def work(rows: slice, left: int = left) -> tuple[Vector, Indices]:
            best, edges = np.full(left, np.inf), np.zeros((left, 2), np.intp)
            seek_nearest_others(
                tree.points, tree.lows, tree.highs, parts, radii, kind, least,
                factor, rows.start, rows.stop, bounds, known, best, edges,
            )  # fmt: skip
            return best, edges

        best, edges = _shortest(in_parts(n, work, PARTS))
        count, left = join_nearest_others(
            best, edges, parts, first, second, heights, count
        )
    return tree.names[first], tree.names[second], heights


def _shortest(told: list[tuple[Vector, Indices]]) -> tuple[Vector, Indices]:
    best, edges = told[0]
    for other, ends in told[1:]:
        closer = other < best
        best[closer], edges[closer] = other[closer], ends[closer]
    return best, edges
