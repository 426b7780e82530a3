"""Diffusion kernel: heat that spreads along the edges."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels.graphs._node_kernel import NodeKernel
from infimum.kernels.graphs.graph import Graph
from infimum.parameters import nonnegative
from infimum.typing import Matrix

__all__ = ["Diffusion"]


@dataclass(frozen=True, eq=False)
class Diffusion(NodeKernel):
    r"""How much of the heat put on one vertex is on another after some `time`.

    .. math:: K = e^{-βL}, \qquad L = D - A

    Two vertices are similar when many short paths connect them. Positive definite for
    every symmetric adjacency matrix and every time.

    Examples
    --------
    >>> Diffusion([[0, 1], [1, 0]], time=0.5)([0], [0, 1]).round(3)
    array([[0.684, 0.316]])
    """

    graph: Any
    time: float = field(default=1.0, metadata={"domain": nonnegative})

    def _matrix(self, graph: Graph) -> Matrix:
        self._symmetric()
        values, vectors = np.linalg.eigh(graph.laplacian)
        half = vectors * np.exp(-0.5 * float(self.time) * values)
        return np.asarray(half @ half.T)
