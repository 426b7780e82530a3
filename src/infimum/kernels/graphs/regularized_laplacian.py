"""Regularised Laplacian kernel: the smoother of functions on a graph."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels.graphs._node_kernel import NodeKernel
from infimum.kernels.graphs.graph import Graph
from infimum.parameters import nonnegative
from infimum.typing import Matrix

__all__ = ["RegularizedLaplacian"]


@dataclass(frozen=True, eq=False)
class RegularizedLaplacian(NodeKernel):
    r"""Kernel whose norm is size plus roughness along the edges.

    .. math:: K = (I + λL)^{-1}, \qquad
              \|f\|^2 = \sum_i f_i^2 + \tfrac λ2 \sum_{i,j} A_{ij} (f_i - f_j)^2

    Unlike diffusion it remembers long paths: it sums walks of all lengths.

    Examples
    --------
    >>> RegularizedLaplacian([[0, 1], [1, 0]])([0], [0, 1]).round(3)
    array([[0.667, 0.333]])
    """

    graph: Any
    strength: float = field(default=1.0, metadata={"domain": nonnegative})

    def _matrix(self, graph: Graph) -> Matrix:
        self._symmetric()
        values, vectors = np.linalg.eigh(graph.laplacian)
        half = vectors / np.sqrt(1.0 + float(self.strength) * np.maximum(values, 0.0))
        return np.asarray(half @ half.T)
