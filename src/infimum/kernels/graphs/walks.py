"""Random walks on graphs, and on two graphs at once."""

import numpy as np

from infimum.kernels.graphs.graph import Graph
from infimum.typing import Vector

__all__ = ["direct_product", "stopping_probability", "walk_distribution"]


def walk_distribution(graph: Graph, steps: int) -> Vector:
    r"""Return where a random walk is after so many steps.

    .. math:: p_t = (\tilde A^\top)^t p_0, \qquad \tilde A = D^{-1} A

    Entry (i, j) of :math:`\tilde A` is the probability to go from i to j.

    Examples
    --------
    >>> walk_distribution(Graph([[0, 1], [1, 0]], start=[1.0, 0.0]), 3)
    array([0., 1.])
    """
    here, transitions = start_of(graph), graph.transitions
    for _ in range(steps):
        here = here @ transitions
    return here


def stopping_probability(graph: Graph, steps: int) -> float:
    """Return qᵀpₜ, the probability that a walk stops after so many steps."""
    return float(stop_of(graph) @ walk_distribution(graph, steps))


def direct_product(first: Graph, second: Graph) -> Graph:
    r"""Return the graph of pairs of vertices, joined where both pairs are joined.

    .. math:: A_× = A ⊗ A', \quad p_× = p ⊗ p', \quad q_× = q ⊗ q'

    A walk on it is a pair of walks that keep step. Vertex (i, r) has number
    i·n' + r; its label is the pair of labels.

    Examples
    --------
    >>> edge = Graph([[0, 1], [1, 0]])
    >>> direct_product(edge, edge).adjacency.astype(int)
    array([[0, 0, 0, 1],
           [0, 0, 1, 0],
           [0, 1, 0, 0],
           [1, 0, 0, 0]])
    """
    labels = None
    if first.labels is not None and second.labels is not None:
        labels = [(a, b) for a in first.labels for b in second.labels]
    return Graph(
        np.kron(first.adjacency, second.adjacency),
        labels,
        np.kron(start_of(first), start_of(second)),
        np.kron(stop_of(first), stop_of(second)),
    )


def start_of(graph: Graph) -> Vector:
    """Return where walks start; anywhere alike when nothing is said."""
    return _ends(graph.start, graph.size)


def stop_of(graph: Graph) -> Vector:
    """Return the probability to stop at each vertex; alike when nothing is said."""
    return _ends(graph.stop, graph.size)


def _ends(given: Vector | None, size: int) -> Vector:
    if given is not None:
        return np.asarray(given, dtype=np.float64)
    return np.full(size, 1.0 / max(1, size))
