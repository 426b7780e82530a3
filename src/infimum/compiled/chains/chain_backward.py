"""Backward pass along chains: how well every state explains what follows."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_backward"]


@loop()
def chain_backward(
    factors: Matrix,
    back: Matrix,
    last: Vector,
    scales: Vector,
    bounds: Indices,
    messages: Matrix,
    beta: Matrix,
) -> None:
    """Fill `beta`, and `messages`: factors times beta over the scale of the step.

    `back` is the transposed table of transitions, `last` what a chain's end is worth.
    """
    n_states = factors.shape[1]
    value = np.zeros(n_states)
    for chain in range(bounds.size - 1):
        for t in range(bounds[chain + 1] - 1, bounds[chain] - 1, -1):
            if t == bounds[chain + 1] - 1:
                value[:] = last
            else:
                value[:] = 0.0
                for j in range(n_states):
                    message = messages[t + 1, j]
                    for i in range(n_states):
                        value[i] += message * back[j, i]
            turn = 1.0 / scales[t] if scales[t] > 0.0 else 0.0
            for j in range(n_states):
                beta[t, j] = value[j]
                messages[t, j] = factors[t, j] * value[j] * turn
