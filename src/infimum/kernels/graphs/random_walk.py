"""Random walk kernel: walks that two graphs have in common."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels._pairs import PairKernel
from infimum.kernels.graphs.graph import Graph, as_graph
from infimum.kernels.graphs.walks import start_of, stop_of
from infimum.parameters import Interval, check_domain, nonnegative
from infimum.typing import Indices, Matrix, Vector

__all__ = ["RandomWalk"]

#: What is left out of the infinite sum is below this share of its value.
ROUNDING = 1e-16


@dataclass(frozen=True)
class RandomWalk(PairKernel):
    r"""Random walks on two graphs at once, on their product graph.

    .. math:: k(G, G') = \sum_{t ≥ 0} μ(t)\; q_×^\top (\tilde A_×^\top)^t\, p_×

    with :math:`\tilde A_× = \tilde A ⊗ \tilde A'`, start :math:`p_× = p ⊗ p'` and
    stop :math:`q_× = q ⊗ q'` (see `Graph`). Where the graphs have labels, only pairs
    of vertices with the same label are walked through: the product of transitions is
    replaced by the part of it where labels agree. The product graph is never built: of
    labelled graphs a step costs two products of small matrices a pair, of others one
    product of a matrix and a vector a graph.

    Parameters
    ----------
    decay : float, default=0.5
        λ in [0, 1) of the geometric weights μ(t) = λᵗ.
    weights : tuple of float or None, default=None
        μ(0), μ(1), …, μ(T) instead, not negative.

    Examples
    --------
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> RandomWalk(0.5)([triangle]).round(6)
    array([[0.222222]])
    """

    decay: float = field(
        default=0.5, metadata={"domain": Interval(0, 1, open_high=True)}
    )
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None and not self.weights:
            raise InvalidParameterError("RandomWalk.weights must hold a number.")
        for weight in self.weights or ():
            check_domain("RandomWalk.weights", weight, nonnegative)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = [as_graph(thing) for thing in X]
        right = left if Z is None else [as_graph(thing) for thing in Z]
        if any(graph.labels is not None for graph in [*left, *right]):
            return super().__call__(left, None if Z is None else right)
        # Without labels a walk on both graphs is a walk on each, and they part.
        roots = np.sqrt(self._weights())
        half = self._stops(left) * roots
        if Z is not None:
            return np.asarray(half @ (self._stops(right) * roots).T)
        out = half @ half.T
        return np.asarray(np.tril(out) + np.tril(out, -1).T)

    def diagonal(self, X: Any) -> Vector:
        graphs = [as_graph(thing) for thing in X]
        if any(graph.labels is not None for graph in graphs):
            return super().diagonal(graphs)
        return np.asarray(self._stops(graphs) ** 2 @ np.array(self._weights()))

    def _stops(self, graphs: Sequence[Graph]) -> Matrix:
        """Return the chance that a walk stops after 0, 1, … steps, a row a graph."""
        out = np.zeros((len(graphs), len(self._weights())))
        for row, graph in zip(out, graphs, strict=True):
            here, stop, transitions = start_of(graph), stop_of(graph), graph.transitions
            for t in range(len(row)):
                row[t] = stop @ here
                here = here @ transitions
        return out

    def _prepare(self, X: Sequence[Any]) -> Sequence["_Walk"]:
        if any(graph.labels is None for graph in X):
            # A graph without labels would be like all, and all not like each other.
            raise DataError(
                "RandomWalk compares graphs that all have labels, or none of them."
            )
        codes: dict[Hashable, int] = {}
        return [
            _Walk(
                start_of(graph),
                stop_of(graph),
                graph.transitions,
                np.array([codes.setdefault(a, len(codes)) for a in graph.labels]),
            )
            for graph in X
        ]

    def _pair(self, x: "_Walk", z: "_Walk") -> float:
        if not len(x.labels) or not len(z.labels):
            return 0.0
        alike = np.equal.outer(x.labels, z.labels).astype(np.float64)
        stop = np.multiply.outer(x.stop, z.stop)
        here = np.multiply.outer(x.start, z.start) * alike
        left = x.transitions.T
        total = 0.0
        for weight in self._weights():
            total += weight * float(np.vdot(stop, here))
            # vec(AᵀXB) = (A ⊗ B)ᵀ vec(X), for pairs numbered row by row.
            here = (left @ here @ z.transitions) * alike
        return total

    def _weights(self) -> Sequence[float]:
        if self.weights is not None:
            return self.weights
        decay = float(self.decay)
        if decay == 0.0:
            return (1.0,)
        last = int(np.log(ROUNDING * (1.0 - decay)) / np.log(decay)) + 1
        return [decay**t for t in range(last + 1)]


class _Walk(NamedTuple):
    """A random walk on a graph, its labels numbered."""

    start: Vector
    stop: Vector
    transitions: Matrix
    labels: Indices
