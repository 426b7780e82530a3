"""Backward pass along chains: how well every state explains what follows."""

import numpy as np

from infimum.compiled.chains.lanes import filled_up, mix_rows
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_backward"]


@loop(superwords=True, fastmath={"reassoc", "contract"})
def chain_backward(
    factors: Matrix,
    back: Matrix,
    last: Vector,
    bounds: Indices,
    messages: Matrix,
    beta: Matrix,
) -> Vector:
    """Fill `beta`, scaled step by step, and `messages` with factors times beta.

    Returns the scale of every row: the sum of the messages after it, 0 where a chain
    ends. `back` is the transposed table of transitions, `last` what a chain's end is
    worth. The forward pass is not needed: both can run at the same time.
    """
    n_states = factors.shape[1]
    scales = np.zeros(factors.shape[0])
    wide = filled_up(back)
    value = np.zeros(wide.shape[1])
    for chain in range(bounds.size - 1):
        total = 0.0
        for t in range(bounds[chain + 1] - 1, bounds[chain] - 1, -1):
            turn, scales[t] = 1.0 / total if total > 0.0 else 0.0, total
            if t == bounds[chain + 1] - 1:
                value[:n_states], turn = last, 1.0
            else:
                mix_rows(messages, t + 1, wide, value)
            total = 0.0
            for j in range(n_states):
                beta[t, j] = value[j] * turn
            for j in range(n_states):  # apart: the compiler joins either by itself
                message = value[j] * (factors[t, j] * turn)
                messages[t, j] = message
                total += message
    return scales
