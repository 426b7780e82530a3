"""Vertex kernel: vertices are alike when many short paths connect them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels.graphs._node_kernel import NodeKernel
from infimum.kernels.graphs.graph import Graph
from infimum.parameters import Choice, whole
from infimum.typing import Matrix

__all__ = ["VertexPaths"]


@dataclass(frozen=True, eq=False)
class VertexPaths(NodeKernel):
    r"""Total weight of the paths between two vertices of a directed graph.

    .. math:: s(v, u) = \sum_{\text{paths } v → u,\; \text{length} ≤ k}\;
              \prod_{\text{edges}} w, \qquad S = (s(v, u))

    The natural symmetric similarity :math:`s(v, u) + s(u, v)` is **not** positive
    semi-definite in general (a single edge without the trivial path has eigenvalues
    ±2), so what is done about it is the caller's choice.

    Parameters
    ----------
    graph : Graph or adjacency matrix
        Edge weights in [0, 1] read as similarities.
    length : int, default=2
        k, the longest path.
    variant : {"product", "shift", "sum"}, default="product"
        "product" is :math:`S S^\top`: vertices are alike when paths lead from them to
        the same vertices; positive semi-definite. "shift" is
        :math:`S + S^\top - \min(0, λ_{\min}) I`: the least change of the diagonal that
        makes the sum positive semi-definite. "sum" is :math:`S + S^\top` as it is.
    walks : bool, default=True
        Whether a path may visit a vertex twice; simple paths are listed one by one.
    trivial : bool, default=True
        Whether the path of length 0 counts.

    Examples
    --------
    >>> VertexPaths([[0, 0.5], [0, 0]], length=1, variant="sum")([0, 1])
    array([[2. , 0.5],
           [0.5, 2. ]])
    """

    graph: Any
    length: int = field(default=2, metadata={"domain": whole(0)})
    variant: str = field(
        default="product", metadata={"domain": Choice(("product", "shift", "sum"))}
    )
    walks: bool = True
    trivial: bool = True

    @property
    def definite(self) -> bool:
        """Whether the variant is positive semi-definite on every graph."""
        return self.variant != "sum"

    def _matrix(self, graph: Graph) -> Matrix:
        A = np.asarray(graph.adjacency)
        paths = _walks(A, int(self.length)) if self.walks else self._simple(A)
        S = paths + (np.eye(len(A)) if self.trivial else 0.0)
        if self.variant == "product":
            return np.asarray(S @ S.T)
        both = S + S.T
        if self.variant == "sum":
            return np.asarray(both)
        lowest = np.linalg.eigvalsh(both).min(initial=0.0)
        return np.asarray(both - lowest * np.eye(len(A)))

    def _simple(self, A: Matrix) -> Matrix:
        total = np.zeros_like(A)
        ends = [np.flatnonzero(row) for row in A]
        for source in range(len(A)):
            stack: list[tuple[tuple[int, ...], float]] = [((source,), 1.0)]
            while stack:
                path, weight = stack.pop()
                if len(path) > int(self.length):
                    continue
                for vertex in ends[path[-1]]:
                    if vertex not in path:
                        further = weight * float(A[path[-1], vertex])
                        total[source, vertex] += further
                        stack.append(((*path, int(vertex)), further))
        return total


def _walks(A: Matrix, length: int) -> Matrix:
    total, power = np.zeros_like(A), np.eye(len(A))
    for _ in range(length):
        power = power @ A
        total += power
    return total
