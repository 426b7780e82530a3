"""Connected components of a graph, and how to choose a graph that has few of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from infimum.errors import DataError
from infimum.models.graph._weights import square_table
from infimum.models.neighbors import NearestNeighbors
from infimum.typing import Indices

__all__ = ["ConnectivityAdvice", "connected_components", "connectivity_advice"]


def connected_components(W: Any) -> tuple[int, Indices]:
    """Return how many connected components a graph has, and each vertex' own.

    Directions of edges do not matter. Components are numbered by their first vertex.

    Examples
    --------
    >>> connected_components([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    (2, array([0, 0, 1]))
    """
    weights = square_table("connected_components", W)
    count, labels = csgraph.connected_components(weights, directed=False)
    return int(count), np.asarray(labels, dtype=np.intp)


@dataclass(frozen=True)
class ConnectivityAdvice:
    """What makes a neighbourhood graph of some samples connected.

    Attributes
    ----------
    n_neighbors, n_mutual_neighbors : int
        The smallest numbers of neighbours whose symmetric and mutual graphs are
        connected.
    radius : float
        The smallest radius of a connected epsilon graph: the longest edge of the
        minimum spanning tree.
    start : int
        Where to start looking: log n, the order of what random samples need.
    """

    n_neighbors: int
    n_mutual_neighbors: int
    radius: float
    start: int

    def __str__(self) -> str:
        return (
            f"The symmetric graph is connected from {self.n_neighbors} neighbours on, "
            f"the mutual one from {self.n_mutual_neighbors}, the epsilon graph from "
            f"radius {self.radius:.4g}; log n is about {self.start}."
        )


def connectivity_advice(X: Any, *, metric: Any = "minkowski") -> ConnectivityAdvice:
    """Return the sparsest neighbourhood graphs that do not fall apart.

    Parameters
    ----------
    X : array-like, sparse matrix or collection of n_samples
        Two samples or more.
    metric : str, Kernel or callable, default='minkowski'
        As in `infimum.models.neighbors.NearestNeighbors`.

    Examples
    --------
    >>> advice = connectivity_advice([[0.0], [1.0], [2.0], [5.0], [6.0], [7.0]])
    >>> advice.n_neighbors, advice.radius
    (3, 3.0)
    """
    search = NearestNeighbors(metric=metric).fit(X)
    n = search.n_samples_fit_
    if n < 2:  # noqa: PLR2004
        raise DataError(f"connectivity_advice needs 2 samples or more, got {n}.")
    far, names = search.kneighbors(n_neighbors=n - 1)
    rows = np.repeat(np.arange(n), n - 1)
    # A spanning tree of lengths 0 would vanish from a sparse matrix: ranks do not.
    lengths, ranks = np.unique(far.ravel(), return_inverse=True)
    ranked = sparse.csr_array((ranks.ravel() + 1.0, (rows, names.ravel())), (n, n))
    tree = csgraph.minimum_spanning_tree(ranked)
    return ConnectivityAdvice(
        _least(names, mutual=False),
        _least(names, mutual=True),
        float(lengths[int(tree.data.max()) - 1]),
        max(1, int(np.ceil(np.log(n)))),
    )


def _least(names: Indices, *, mutual: bool) -> int:
    """Bisect: graphs of more neighbours contain those of fewer."""
    low, high = 1, names.shape[1]
    n = len(names)
    while low < high:
        middle = (low + high) // 2
        starts = np.arange(0, n * middle + 1, middle)
        graph = sparse.csr_array(
            (np.ones(n * middle), names[:, :middle].ravel(), starts), shape=(n, n)
        )
        joined = graph.minimum(graph.T) if mutual else graph
        if connected_components(joined)[0] == 1:
            high = middle
        else:
            low = middle + 1
    return low
