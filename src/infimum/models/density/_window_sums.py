"""Sums of windows around samples, by a tree with a stated error, or all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from infimum.compiled import in_parts, sum_windows, weigh_nodes
from infimum.kernels import windows
from infimum.kernels.windows import Window
from infimum.models.neighbors._kd_search import KDSearch
from infimum.models.neighbors._metric import Metric
from infimum.typing import Indices, Matrix, Vector

__all__ = ["TINY", "DenseSums", "TreeSums", "Widths", "log_tails", "sums_over"]

#: Windows held at a time: 32 MiB.
BLOCK = 2**22
LEAF = 128
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
    def heights(self) -> Vector:
        """What each window is multiplied by: weight over widthᵈ."""
        return np.asarray(self.weights / self.widths**self.dimension)

    @property
    def spare(self) -> Vector:
        """The heights with one copy of the sample less."""
        return np.asarray((self.weights - 1.0) / self.widths**self.dimension)


@dataclass(frozen=True)
class TreeSums:
    """Samples in a k-d tree, with the heights and scales of their windows."""

    search: KDSearch
    tree: tuple[Any, ...]
    kind: tuple[int, float]
    places: Indices
    spare: Vector

    @classmethod
    def over(cls, X: Matrix, shape: Widths, kind: tuple[int, float]) -> TreeSums:
        """Return the tree of the windows around the rows of X."""
        search = KDSearch.over(X, LEAF)
        heights = shape.heights[search.names]
        scales = shape.widths[search.names] ** -2.0
        nodes = len(search.lows)
        facts = np.empty((3, nodes))
        weigh_nodes(heights, scales, int(math.log2(nodes + 1)) - 1, facts)
        points = np.ascontiguousarray(search.points.T)
        places = np.empty(len(X), dtype=np.intp)
        places[search.names] = np.arange(len(X))
        tree = (points, heights, scales, search.lows, search.highs, facts)
        return cls(search, tree, kind, places, shape.spare[search.names])

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
        Q = np.ascontiguousarray(queries, dtype=np.float64)
        sums, errors = np.empty(len(Q)), np.empty(len(Q))
        places = np.full(len(Q), -1) if owns is None else self.places[owns]

        def work(part: slice) -> None:
            sum_windows(
                self.tree, Q[part], places[part], self.spare, self.kind, (rtol, atol),
                sums[part], errors[part],
            )  # fmt: skip

        in_parts(len(Q), work, max(1, min(PARTS, len(Q) // 8)))
        return sums, errors


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


def log_tails(
    X: Matrix, shape: Widths, window: Window, queries: Matrix, metric: Metric
) -> Vector:
    """Return log-sums so far out that the sums themselves are 0, of endless windows."""
    rate = getattr(window, "scale", None)
    out = np.full(len(queries), -np.inf)
    if math.isfinite(window.reach):
        return out
    tops = np.log(shape.heights, where=shape.heights > 0, out=np.full(len(X), -np.inf))
    step = max(1, BLOCK // len(X))
    for start in range(0, len(queries), step):
        rows = slice(start, start + step)
        far = _far(metric, queries[rows], X) / shape.widths
        logs = -0.5 * far**2 if rate is None else -far / rate
        out[rows] = logsumexp(logs + tops, axis=1)
    return out


def _far(metric: Metric, queries: Matrix, X: Matrix) -> Matrix:
    if metric.map is None:
        return metric.between(queries, X)
    return metric.between(queries @ metric.map, X @ metric.map)


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
