"""A pass along one chain in logarithms: slower than scales, it never underflows."""

import math

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["chain_logarithms"]


@loop()
def chain_logarithms(
    scores: Matrix, edge: Vector, across: Matrix, incoming: Matrix
) -> None:
    """Fill the logarithm of what reaches every state, its own score left out.

    Backwards it is the same with scores reversed and transitions transposed.
    """
    steps, n_states = scores.shape
    incoming[0] = edge
    for t in range(1, steps):
        for j in range(n_states):
            top = -np.inf
            for i in range(n_states):
                top = max(top, incoming[t - 1, i] + scores[t - 1, i] + across[i, j])
            if top > -np.inf:
                total = 0.0
                for i in range(n_states):
                    reached = incoming[t - 1, i] + scores[t - 1, i] + across[i, j]
                    total += math.exp(reached - top)
                top += math.log(total)
            incoming[t, j] = top
