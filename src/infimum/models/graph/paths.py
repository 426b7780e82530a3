"""Shortest paths through a graph, from many vertices at once."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.graphs.shortest_paths import LANES, spread_from
from infimum.compiled.threads import in_parts
from infimum.errors import DataError
from infimum.models.neighbors._kd_search import KDSearch
from infimum.typing import Indices, Matrix, Vector

__all__ = ["both_ways", "paths_from", "shortest_paths"]

#: Vertices from which the others are seen, to learn which are near to each other.
LANDMARKS = 6


def shortest_paths(lengths: Any, sources: Any = None) -> Matrix:
    """Return the lengths of the shortest paths of an undirected graph.

    Parameters
    ----------
    lengths : array-like or sparse matrix of shape (n, n)
        Lengths of the edges, none negative. An edge may be named in one direction or
        in both; if both lengths are given, the shorter counts. Edges of length 0 exist
        only where a sparse matrix names them.
    sources : array-like of int, optional
        Vertices to start from; all unless given.

    Returns
    -------
    ndarray of shape (n_sources, n)
        Infinite where no path leads.

    Examples
    --------
    >>> shortest_paths([[0, 1, 5], [1, 0, 1], [5, 1, 0]])
    array([[0., 1., 2.],
           [1., 0., 1.],
           [2., 1., 0.]])
    """
    links = both_ways(lengths)
    n = len(links[0]) - 1
    chosen = np.arange(n) if sources is None else np.asarray(sources, dtype=np.int64)
    return paths_from(links, chosen)


def paths_from(links: tuple[Indices, Indices, Vector], chosen: Indices) -> Matrix:
    """Return the same for edges that have been admitted, see `both_ways`."""
    starts, ends, far = links
    n = len(starts) - 1
    order = _near_together(starts, ends, far, chosen)
    out = np.empty((len(chosen), n))
    batches = -(-len(order) // LANES)

    def work(some: slice) -> None:
        places = order[some.start * LANES : some.stop * LANES]
        spread_from(starts, ends, far, chosen, places, LANES, out)

    in_parts(batches, work, max(1, min(64, batches)))
    return out


def both_ways(lengths: Any) -> tuple[Indices, Indices, Vector]:
    """Admit lengths; return the edges in both directions, as compressed rows."""
    graph = sparse.coo_array(lengths)
    n = graph.shape[0]
    if n != graph.shape[1]:
        raise DataError(f"shortest_paths reads a square matrix, got {graph.shape}.")
    far = np.asarray(graph.data, dtype=np.float64)
    if not (np.isfinite(far).all() and far.min(initial=0.0) >= 0):
        raise DataError("shortest_paths: lengths must be finite and not negative.")
    one, other = (np.asarray(side, dtype=np.int64) for side in graph.coords)
    rows, ends = np.concatenate((one, other)), np.concatenate((other, one))
    far = np.concatenate((far, far))
    order = np.lexsort((far, ends, rows))
    rows, ends, far = rows[order], ends[order], far[order]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]) | (ends[1:] != ends[:-1])
    rows, ends, far = rows[first], ends[first], far[first]
    starts = np.searchsorted(rows, np.arange(n + 1)).astype(np.int64)
    return starts, ends, far


def _near_together(
    starts: Indices, ends: Indices, far: Vector, chosen: Indices
) -> Indices:
    """Return an order of the sources in which neighbours in the graph are neighbours.

    Sources are placed by their distances from a few landmarks, each the farthest from
    those before it, and sorted by a tree.
    """
    n = len(starts) - 1
    if len(chosen) <= LANES:
        return np.arange(len(chosen))
    seen = np.empty((1, n))
    views = np.empty((LANDMARKS, n))
    nearest = np.full(n, np.inf)
    mark = int(chosen[0])
    for place in range(LANDMARKS):
        spread_from(starts, ends, far, np.array([mark]), np.zeros(1, np.int64), 1, seen)
        views[place] = seen[0]
        nearest = np.minimum(nearest, seen[0])
        mark = int(nearest.argmax())
    reached = np.isfinite(views)
    views[~reached] = 2.0 * views[reached].max(initial=0.0) + 1.0
    return KDSearch.over(np.ascontiguousarray(views[:, chosen].T), LANES).names
