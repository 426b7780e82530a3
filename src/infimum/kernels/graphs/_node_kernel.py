"""Kernels between the vertices of one graph."""

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.kernels._positions import accept_positions
from infimum.kernels.graphs.graph import Graph, as_graph
from infimum.typing import Indices, Matrix, Vector

__all__ = ["NodeKernel"]


class NodeKernel(Kernel):
    """A kernel on the vertices 0, 1, …, n - 1 of a graph, given by their numbers."""

    graph: Any

    @cached_property
    def _whole(self) -> Graph:
        return as_graph(self.graph)

    @cached_property
    def matrix(self) -> Matrix:
        """The Gram matrix of all vertices."""
        return self._matrix(self._whole)

    @abstractmethod
    def _matrix(self, graph: Graph) -> Matrix:
        """Compute the Gram matrix of all vertices."""

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        rows = self._vertices(X)
        columns = rows if Z is None else self._vertices(Z)
        return np.asarray(self.matrix[np.ix_(rows, columns)])

    def diagonal(self, X: Any) -> Vector:
        vertices = self._vertices(X)
        return np.asarray(self.matrix[vertices, vertices])

    def _vertices(self, X: Any) -> Indices:
        return accept_positions(X, self._whole.size, type(self).__name__, "vertices")

    def _symmetric(self) -> Matrix:
        A: Matrix = self._whole.adjacency
        if not np.array_equal(A, A.T):
            raise DataError(
                f"{type(self).__name__} expects an undirected graph: the adjacency "
                "matrix must be symmetric."
            )
        return A
