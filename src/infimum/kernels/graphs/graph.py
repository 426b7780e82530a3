"""Graphs: an adjacency matrix, and what may be written on its vertices."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["Graph", "as_graph"]

MATRIX = 2


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph with optional labels and optional ends of random walks.

    Kernels on graphs also take bare adjacency matrices, dense or sparse.

    Parameters
    ----------
    adjacency : (n, n) array or sparse matrix
        Weights of the edges, not negative; entry (i, j) is the edge from i to j.
    labels : sequence of n hashables or None, default=None
        What is written on the vertices.
    start, stop : array of n numbers or None, default=None
        Where a random walk starts, as probabilities, and the probability that it
        stops at each vertex; None starts anywhere and stops anywhere alike.

    Examples
    --------
    >>> Graph([[0, 1], [1, 0]], labels="CO").size
    2
    """

    adjacency: Any
    labels: Sequence[Hashable] | None = None
    start: Any = None
    stop: Any = None

    def __post_init__(self) -> None:
        given = self.adjacency
        A: Any = given.toarray() if hasattr(given, "toarray") else np.asarray(given)
        A = np.zeros((0, 0)) if A.size == 0 else A.astype(np.float64)
        if A.ndim != MATRIX or A.shape[0] != A.shape[1]:
            raise DataError(
                f"A graph is a square adjacency matrix, got shape {A.shape}."
            )
        if not (np.isfinite(A).all() and (A >= 0).all()):
            raise DataError("The weights of a graph must be finite and not negative.")
        object.__setattr__(self, "adjacency", A)
        for name in ("labels", "start", "stop"):
            value = getattr(self, name)
            if value is not None and len(value) != len(A):
                raise DataError(
                    f"Graph.{name} must have one entry per vertex ({len(A)}), got "
                    f"{len(value)}."
                )

    @property
    def size(self) -> int:
        """The number of vertices."""
        return len(self.adjacency)

    @property
    def degrees(self) -> Vector:
        """The total weight of the edges that leave each vertex."""
        return np.asarray(self.adjacency.sum(axis=1))

    @property
    def transitions(self) -> Matrix:
        """The matrix D⁻¹A of a random walk: rows sum to 1, or to 0 at a dead end."""
        degrees = self.degrees[:, None]
        A: Matrix = self.adjacency
        return np.divide(
            A,
            degrees,
            out=np.zeros_like(A),
            where=degrees > 0,
        )

    @property
    def laplacian(self) -> Matrix:
        """The matrix D - A."""
        return np.asarray(np.diag(self.degrees) - self.adjacency)

    def undirected(self, owner: str) -> Matrix:
        """Return the 0-1 adjacency matrix, refusing directions and loops."""
        edges = self.adjacency != 0
        if (edges != edges.T).any() or edges.diagonal().any():
            raise DataError(
                f"{owner} expects undirected graphs without loops: the adjacency "
                "matrix must be symmetric with a zero diagonal."
            )
        return np.asarray(edges, dtype=np.float64)


def as_graph(thing: Any) -> Graph:
    """Return a graph as it is, and an adjacency matrix as a graph without labels."""
    return thing if isinstance(thing, Graph) else Graph(thing)
