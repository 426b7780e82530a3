"""Graphs with a story: those whose cuts and spectra are known in advance."""

from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import InvalidParameterError
from infimum.parameters import check_domain, whole
from infimum.typing import Indices

__all__ = [
    "block_graph",
    "clique",
    "cockroach_graph",
    "dangle",
    "path_graph",
    "two_cliques",
]


def clique(n: int, *, loops: bool = True) -> sparse.csr_array:
    """Return the graph of n vertices in which everybody is joined to everybody.

    Examples
    --------
    >>> clique(2).toarray()
    array([[1., 1.],
           [1., 1.]])
    """
    check_domain("clique: n", n, whole(1))
    return sparse.csr_array(np.ones((n, n)) - (0.0 if loops else np.eye(n)))


def two_cliques(n: int, *, loops: bool = True) -> sparse.csr_array:
    """Return two cliques of n/2 vertices each, with one edge between them.

    With loops its Cheeger constant is 1/(n²/4 + 1).

    Examples
    --------
    >>> two_cliques(4, loops=False).toarray()
    array([[0., 1., 0., 0.],
           [1., 0., 1., 0.],
           [0., 1., 0., 1.],
           [0., 0., 1., 0.]])
    """
    check_domain("two_cliques: n", n, whole(4))
    if n % 2:
        raise InvalidParameterError(f"two_cliques: n must be even, got {n}.")
    half = clique(n // 2, loops=loops).toarray()
    W = np.zeros((n, n))
    W[: n // 2, : n // 2] = W[n // 2 :, n // 2 :] = half
    W[n // 2 - 1, n // 2] = W[n // 2, n // 2 - 1] = 1.0
    return sparse.csr_array(W)


def path_graph(n: int, weight: float = 1.0) -> sparse.csr_array:
    """Return n vertices in a row; its Laplacian has the values 2 - 2 cos(πk/n).

    Examples
    --------
    >>> path_graph(3).toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    check_domain("path_graph: n", n, whole(1))
    W = np.zeros((n, n))
    places = np.arange(n - 1)
    W[places, places + 1] = W[places + 1, places] = float(weight)
    return sparse.csr_array(W)


def cockroach_graph(k: int) -> sparse.csr_array:
    """Return two paths of 2k vertices, joined by rungs along their second halves.

    Guattery and Miller's counterexample: the second eigenvector parts the two paths and
    cuts k rungs, while two edges part the legs from the body, k/2 times as well.

    Examples
    --------
    >>> cockroach_graph(4).shape
    (16, 16)
    """
    check_domain("cockroach_graph: k", k, whole(1))
    length = 2 * k
    W = np.zeros((2 * length, 2 * length))
    for first in (0, length):
        for i in range(first, first + length - 1):
            W[i, i + 1] = W[i + 1, i] = 1.0
    for i in range(k, length):
        W[i, length + i] = W[length + i, i] = 1.0
    return sparse.csr_array(W)


def dangle(W: Any, k: int) -> sparse.csr_array:
    """Return a graph with a path of k new vertices hanging on its first one.

    The new ones have cut 1 and volume 2k - 1, hence λ₂ ≤ about 2/(2k - 1): a small
    eigenvalue without a cluster.

    Examples
    --------
    >>> dangle([[0, 1], [1, 0]], 1).toarray()
    array([[0., 1., 1.],
           [1., 0., 0.],
           [1., 0., 0.]])
    """
    check_domain("dangle: k", k, whole(1))
    graph = sparse.block_diag((sparse.csr_array(W), path_graph(k)), format="lil")
    n = graph.shape[0] - k
    graph[0, n] = graph[n, 0] = 1.0
    return sparse.csr_array(graph)


def block_graph(
    sizes: Any, inside: float, between: float, *, random_state: int = 0
) -> tuple[sparse.csr_array, Indices]:
    """Draw a graph with planted clusters; return it and the cluster of each vertex.

    Parameters
    ----------
    sizes : sequence of int
        Vertices of each cluster.
    inside, between : float
        Probabilities of an edge inside a cluster and between two.
    random_state : int, default=0

    Examples
    --------
    >>> W, labels = block_graph([2, 2], 1.0, 0.0)
    >>> labels.tolist(), int(W.sum())
    ([0, 0, 1, 1], 4)
    """
    labels = np.repeat(np.arange(len(sizes)), sizes)
    odds = np.where(labels[:, None] == labels, inside, between)
    drawn = np.triu(np.random.default_rng(random_state).random(odds.shape) < odds, 1)
    return sparse.csr_array((drawn | drawn.T).astype(np.float64)), labels
