"""Sums of windows around samples, by a tree with a stated error, or all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from infimum.compiled.neighbors.window_moments import gather_moments
from infimum.compiled.neighbors.window_sums import sum_windows, weigh_nodes
from infimum.compiled.threads import in_parts
from infimum.kernels import windows
from infimum.kernels.windows import Window
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._metric import Metric
from infimum.typing import Indices, Matrix, Vector

__all__ = ["DenseSums", "TreeSums", "Widths", "log_bounds", "log_sums", "sums_over"]

#: Windows held at a time: 32 MiB.
BLOCK = 2**22
LEAF = 128
#: Nodes of so many levels from the root are too wide for moments to tell anything.
WIDE = 4
#: In more dimensions all nodes are.
FEW = 6
PARTS = 64
#: Smaller sums have lost digits to underflow.
TINY = 1e-280


@dataclass(frozen=True)
class Widths:
    """Width and weight of the window of each sample."""

    widths: Vector
    weights: Vector
    dimension: int

    @property
    def base(self) -> float:
        """The least width; heights are relative to a power of it, which may be huge."""
        return float(self.widths.min())

    @property
    def log_heights(self) -> Vector:
        """The logarithm of weight · (base/width)ᵈ."""
        narrow = np.log(self.base) - np.log(self.widths)
        return np.asarray(np.log(self.weights) + self.dimension * narrow)

    @property
    def heights(self) -> Vector:
        """What each window is multiplied by: weight · (base/width)ᵈ."""
        return np.asarray(self.weights * (self.base / self.widths) ** self.dimension)

    @property
    def spare(self) -> Vector:
        """The heights with one copy of the sample less."""
        less = self.weights - 1.0
        return np.asarray(less * (self.base / self.widths) ** self.dimension)


@dataclass(frozen=True)
class TreeSums:
    """Samples in a k-d tree, with the heights and scales of their windows."""

    origin: Vector
    tree: tuple[Any, ...]
    moments: tuple[Any, ...]
    kind: tuple[int, float]
    places: Indices
    spare: Vector

    @classmethod
    def over(cls, X: Matrix, shape: Widths, kind: tuple[int, float]) -> TreeSums:
        """Return the tree of the windows around the rows of X."""
        origin = _near_end(X)
        search = KDSearch.over(X - origin, LEAF)
        heights = shape.heights[search.names]
        scales = shape.widths[search.names] ** -2.0
        nodes = len(search.lows)
        facts = np.empty((3, nodes))
        levels = int(math.log2(nodes + 1)) - 1
        weigh_nodes(heights, scales, levels, facts)
        points = np.ascontiguousarray(search.points.T)
        moments = _moments(points, heights, facts, kind)
        places = np.empty(len(X), dtype=np.intp)
        places[search.names] = np.arange(len(X))
        tree = (points, heights, scales, search.lows, search.highs, facts)
        return cls(origin, tree, moments, kind, places, shape.spare[search.names])

    def at(
        self, queries: Matrix, rtol: float, atol: float, owns: Indices | None = None
    ) -> tuple[Vector, Vector]:
        """Return the sum at each query and a bound of its error.

        Parameters
        ----------
        queries : ndarray
        rtol, atol : float
            The error is at most the first times the sum, plus the second.
        owns : ndarray of int, optional
            The sample of each query, one copy of which is left out.
        """
        Q = np.ascontiguousarray(queries - self.origin, dtype=np.float64)
        sums, errors = np.empty(len(Q)), np.empty(len(Q))
        self._work(Q, (rtol, atol), owns, sums, errors)
        return sums, errors

    def count(self, queries: Matrix, rtol: float, atol: float) -> int:
        """Return how many windows and nodes were looked at for all queries together."""
        Q = np.ascontiguousarray(queries - self.origin, dtype=np.float64)
        return self._work(Q, (rtol, atol), None, np.empty(len(Q)), np.empty(len(Q)))

    def _work(
        self,
        Q: Matrix,
        tolerances: tuple[float, float],
        owns: Indices | None,
        sums: Vector,
        errors: Vector,
    ) -> int:
        places = np.full(len(Q), -1) if owns is None else self.places[owns]

        def work(part: slice) -> int:
            seen: int = sum_windows(
                self.tree, self.moments, Q[part], places[part], self.spare, self.kind,
                tolerances, sums[part], errors[part],
            )  # fmt: skip
            return seen

        return sum(in_parts(len(Q), work, max(1, min(PARTS, len(Q) // 8))))


@dataclass(frozen=True)
class DenseSums:
    """Samples under any distance and any window: all of them are asked."""

    samples: Any
    shape: Widths
    window: Window
    metric: Metric

    def at(
        self, queries: Any, rtol: float, atol: float, owns: Indices | None = None
    ) -> tuple[Vector, Vector]:
        """Return the sum at each query, and 0 for its error."""
        out = np.empty(len(queries))
        heights = self.shape.heights
        step = max(1, BLOCK // len(heights))
        for start in range(0, len(queries), step):
            rows = slice(start, start + step)
            far = _far(self.metric, queries[rows], self.samples)
            values = self.window.profile(far / self.shape.widths) * heights
            if owns is not None:
                own = owns[rows]
                values[np.arange(len(own)), own] = self.shape.spare[own]
            out[rows] = values.sum(axis=1)
        return out, np.zeros(len(out))


def sums_over(
    X: Any, shape: Widths, window: Window, metric: Metric
) -> TreeSums | DenseSums:
    """Return a tree where window and distance allow for one."""
    kind = _kind(window)
    if kind is None or not metric.euclidean or metric.map is not None:
        return DenseSums(X, shape, window, metric)
    return TreeSums.over(np.asarray(X, dtype=np.float64), shape, kind)


def log_sums(
    found: TreeSums | DenseSums,
    around: tuple[Any, Widths, Window, Metric],
    queries: Any,
    tolerances: tuple[float, float] = (0.0, 0.0),
    owns: Indices | None = None,
) -> Vector:
    """Return the logarithm of the sum at each query, also where the sum vanishes.

    Parameters
    ----------
    found : the sums
    around : samples, widths, window and distance that they were made from
    queries, tolerances, owns
        As in `TreeSums.at`.
    """
    sums, _ = found.at(queries, *tolerances, owns)
    logs, lost = _logs(sums), _lost(around, sums)
    if lost.size:
        own = None if owns is None else owns[lost]
        logs[lost] = _log_tails(around, queries[lost], own)
    return logs


def log_bounds(
    found: TreeSums | DenseSums,
    around: tuple[Any, Widths, Window, Metric],
    queries: Any,
    tolerances: tuple[float, float],
) -> tuple[Vector, Vector]:
    """Return logarithms between which that of the sum lies at each query.

    Where the sum vanishes they are both what it is. Parameters are those of `log_sums`.
    """
    sums, errors = found.at(queries, *tolerances)
    low, high = _logs(np.maximum(sums - errors, 0.0)), _logs(sums + errors)
    lost = _lost(around, sums + errors)
    if lost.size:
        low[lost] = high[lost] = _log_tails(around, queries[lost], None)
    return low, high


def _logs(sums: Vector) -> Vector:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sums))


def _lost(around: tuple[Any, Widths, Window, Metric], sums: Vector) -> Indices:
    """Return which sums have lost digits to underflow."""
    _, shape, window, _ = around
    lost = np.flatnonzero(sums < TINY)
    # Windows that end are 0 beyond, unless a height itself has vanished.
    if lost.size and math.isfinite(window.reach) and shape.heights.all():
        return lost[:0]
    return lost


def _log_tails(
    around: tuple[Any, Widths, Window, Metric], queries: Any, owns: Indices | None
) -> Vector:
    """Return log-sums so far out that the sums themselves are 0."""
    X, shape, window, metric = around
    tops, out = shape.log_heights, np.empty(len(queries))
    step = max(1, BLOCK // len(tops))
    for start in range(0, len(queries), step):
        rows = slice(start, start + step)
        far = _far(metric, queries[rows], X) / shape.widths
        logs = _log_profile(window, far) + tops
        if owns is not None:
            own = owns[rows]
            with np.errstate(divide="ignore"):
                less = np.log1p(-1.0 / shape.weights[own])
            logs[np.arange(len(own)), own] = tops[own] + less
        out[rows] = logsumexp(logs, axis=1)
    return out


def _log_profile(window: Window, r: Matrix) -> Matrix:
    if isinstance(window, windows.Gaussian):
        return np.asarray(-0.5 * r**2)
    if isinstance(window, windows.Exponential):
        return np.asarray(-r / float(window.scale))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(window.profile(r)))


def _far(metric: Metric, queries: Matrix, X: Matrix) -> Matrix:
    if metric.map is None:
        return metric.between(queries, X)
    return metric.between(queries @ metric.map, X @ metric.map)


def _near_end(X: Matrix) -> Vector:
    """Return the end of each column that is nearer to 0, if no entry is twice as far.

    What is subtracted then is subtracted without rounding, and far from 0 the moments
    of nodes lose no digits.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    below = np.where(low >= 2.0 * high, high, 0.0)
    return np.asarray(np.where(high <= 2.0 * low, low, below))


def _moments(
    points: Matrix, heights: Vector, facts: Matrix, kind: tuple[int, float]
) -> tuple[Matrix, Matrix, Vector]:
    """Return the moments of nodes, for windows that are added up by them.

    Third moments are in units of the width, and infinite where there are several.
    """
    d, nodes = len(points), facts.shape[1]
    told = d <= FEW and (kind[0] == 0 or kind == (2, 1.0))
    thirds = np.full(nodes, np.inf)
    if not told:
        return np.empty((0, d)), np.empty((0, d * d)), thirds
    rooms = np.empty((nodes, d)), np.empty((nodes, d * d)), thirds
    levels = int(math.log2(nodes + 1)) - 1
    for level in range(min(WIDE, levels), levels + 1):

        def work(part: slice, level: int = level) -> None:
            ends = part.start, part.stop
            gather_moments(points, heights, level, ends, *rooms)

        in_parts(2**level, work, min(PARTS, 2**level))
    with np.errstate(over="ignore", invalid="ignore"):
        thirds *= np.where(facts[1] == facts[2], facts[1] ** 1.5, np.inf)
    return rooms


def _kind(window: Window) -> tuple[int, float] | None:
    """Return the number and the parameter that the compiled loop knows a window by."""
    if isinstance(window, windows.Exponential):
        return 1, 1.0 / float(window.scale)
    if isinstance(window, windows.TruncatedLinear):
        return 4, float(window.radius) ** 2
    if isinstance(window, windows.Epanechnikov):
        return 2, float(window.power)
    known: dict[type[Window], tuple[int, float]] = {
        windows.Gaussian: (0, 0.0),
        windows.Uniform: (3, 1.0),
        windows.Box: (3, 0.25),
        windows.Triangle: (4, 1.0),
        windows.Tricube: (5, 0.0),
        windows.Cosine: (6, 0.0),
    }
    return known.get(type(window))
