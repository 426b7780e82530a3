"""Linkage along the edges of a graph, made connected if it is not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from infimum.compiled.clusters.linkage_constrained import constrained_merges
from infimum.errors import DataError
from infimum.models.clustering.hierarchy._merging import METHODS
from infimum.models.clustering.hierarchy._tree import tree_of_nodes
from infimum.models.neighbors._metric import choose_metric
from infimum.typing import Indices, Matrix, Vector

__all__ = ["constrained_linkage"]


def constrained_linkage(
    X: Matrix, graph: Any, method: str, metric: Any
) -> tuple[Matrix, int]:
    """Return the tree of merges along a graph, and how many parts the graph had."""
    n = len(X)
    edges = _edges(graph, n)
    edges, parts = _connect(X, edges, metric)
    merges = n - 1
    left, right = np.empty(merges, np.intp), np.empty(merges, np.intp)
    heights = np.empty(merges)
    sizes = np.ones(2 * n - 1)
    ward = method == "ward"
    centres = np.zeros((2 * n - 1, X.shape[1] if ward else 0))
    lengths: Vector = np.zeros(len(edges))
    if ward:
        centres[:n] = X
    else:
        lengths = _lengths(X, edges, metric)
    if merges:
        constrained_merges(
            edges, lengths, centres, sizes, METHODS.index(method), left, right, heights
        )
    if ward:
        heights = np.sqrt(heights)
    return tree_of_nodes(left, right, heights, np.ones(n)), parts


def _edges(graph: Any, n: int) -> Indices:
    given: Any = graph if issparse(graph) else np.asarray(graph, dtype=np.float64)
    matrix: Any = csr_array(given)
    if matrix.shape != (n, n):
        raise DataError(
            f"AgglomerativeClustering.connectivity must have shape ({n}, {n}), one row "
            f"for each sample, got {matrix.shape}."
        )
    both = coo_array(matrix + matrix.T)
    upper = (both.row < both.col) & (both.data != 0)
    return np.column_stack([both.row[upper], both.col[upper]]).astype(np.intp)


def _connect(X: Matrix, edges: Indices, metric: Any) -> tuple[Indices, int]:
    """Join the parts of a graph by their closest samples, as the metric has it."""
    n = len(X)
    graph = coo_array((np.ones(len(edges)), tuple(edges.T)), (n, n))
    parts, part = connected_components(graph, directed=False)
    if parts == 1:
        return edges, 1
    warnings.warn(
        f"The connectivity has {parts} connected components; the closest samples of "
        "different components are joined, so that one tree can hold them all.",
        UserWarning,
        stacklevel=4,
    )
    bridges = []
    between = _between(X, metric)
    reached = part == 0
    while not reached.all():
        inside, outside = np.flatnonzero(reached), np.flatnonzero(~reached)
        i, j = _closest(between, inside, outside)
        bridges.append((min(i, j), max(i, j)))
        reached |= part == part[j]
    return np.concatenate([edges, np.array(bridges, dtype=np.intp)]), int(parts)


def _between(X: Matrix, metric: Any) -> Callable[[Indices, Indices], Matrix]:
    """Return a function that measures between samples, which are named by number."""
    if isinstance(metric, str) and metric == "precomputed":
        return lambda some, others: X[np.ix_(some, others)]
    if isinstance(metric, str) and metric in ("euclidean", "l2"):
        return lambda some, others: cdist(X[some], X[others])
    rule = choose_metric("AgglomerativeClustering", metric, 2.0, None, X)
    rows = X if rule.map is None else X @ rule.map
    return lambda some, others: rule.between(rows[some], rows[others])


def _closest(
    between: Callable[[Indices, Indices], Matrix], inside: Indices, outside: Indices
) -> tuple[int, int]:
    best, pair = np.inf, (int(inside[0]), int(outside[0]))
    for start in range(0, len(inside), 512):
        some = inside[start : start + 512]
        far = between(some, outside)
        at = int(far.argmin())
        if far.flat[at] < best:
            best = float(far.flat[at])
            pair = int(some[at // len(outside)]), int(outside[at % len(outside)])
    return pair


def _lengths(X: Matrix, edges: Indices, metric: Any) -> Vector:
    if isinstance(metric, str) and metric == "precomputed":
        return np.asarray(X[edges[:, 0], edges[:, 1]])
    if isinstance(metric, str) and metric in ("euclidean", "l2"):
        return np.asarray(np.linalg.norm(X[edges[:, 0]] - X[edges[:, 1]], axis=1))
    between = _between(X, metric)
    return np.array([between(edge[:1], edge[1:])[0, 0] for edge in edges], np.float64)
