"""Random walk kernel: walks that two graphs have in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels._pairs import PairKernel
from infimum.kernels.graphs.graph import Graph, as_graph
from infimum.kernels.graphs.walks import start_of, stop_of
from infimum.parameters import Interval, check_domain, nonnegative
from infimum.typing import Matrix

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
    replaced by the part of it where labels agree. The product graph is never built; a
    step costs two products of small matrices.

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

    def _prepare(self, X: Sequence[Any]) -> Sequence[Graph]:
        graphs = [as_graph(thing) for thing in X]
        if len({graph.labels is None for graph in graphs}) > 1:
            # A graph without labels would be like all, and all not like each other.
            raise DataError(
                "RandomWalk compares graphs that all have labels, or none of them."
            )
        return graphs

    def _pair(self, x: Graph, z: Graph) -> float:
        if x.size == 0 or z.size == 0:
            return 0.0
        alike = _agreement(x, z)
        stop = np.multiply.outer(stop_of(x), stop_of(z))
        here = np.multiply.outer(start_of(x), start_of(z)) * alike
        left, right = x.transitions.T, z.transitions
        total = 0.0
        for weight in self._weights():
            total += weight * float(np.vdot(stop, here))
            # vec(AᵀXB) = (A ⊗ B)ᵀ vec(X), for pairs numbered row by row.
            here = (left @ here @ right) * alike
        return total

    def _weights(self) -> Sequence[float]:
        if self.weights is not None:
            return self.weights
        decay = float(self.decay)
        if decay == 0.0:
            return (1.0,)
        last = int(np.log(ROUNDING * (1.0 - decay)) / np.log(decay)) + 1
        return [decay**t for t in range(last + 1)]


def _agreement(x: Graph, z: Graph) -> Matrix:
    if x.labels is None or z.labels is None:
        return np.ones((x.size, z.size))
    same = [[a == b for b in z.labels] for a in x.labels]
    return np.array(same, dtype=np.float64)
