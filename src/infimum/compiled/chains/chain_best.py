"""Best labelling of chains: Viterbi's recursion over a block of steps."""

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_best"]


@loop()
def chain_best(
    scores: Matrix, across: Matrix, value: Vector, pointers: Indices
) -> None:
    """Carry `value`, the best score of each state, over the steps of `scores`.

    `pointers` receives the best state before, for each step and state. Ties go to the
    first.
    """
    n_states = scores.shape[1]
    best = np.empty(n_states)
    origin = np.empty(n_states, dtype=np.int64)
    for t in range(scores.shape[0]):
        for j in range(n_states):
            best[j] = value[0] + across[0, j]
            origin[j] = 0
        for i in range(1, n_states):
            known = value[i]
            for j in range(n_states):
                reached = known + across[i, j]
                if reached > best[j]:
                    best[j] = reached
                    origin[j] = i
        for j in range(n_states):
            value[j] = best[j] + scores[t, j]
            pointers[t, j] = origin[j]
