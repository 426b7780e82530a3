"""Best labellings of many chains: Viterbi's recursion, and its way back."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_labels"]


@inner_loop()
def _reach(value: Vector, across: Matrix, best: Vector, origin: Vector) -> None:
    """Fill the best score with which each state is reached, and where from."""
    n_states = value.size
    for j in range(n_states):
        best[j] = value[0] + across[0, j]
        origin[j] = 0.0
    for i in range(1, n_states):
        known, named = value[i], float(i)
        for j in range(n_states):
            reached = known + across[i, j]
            higher = reached > best[j]
            best[j] = reached if higher else best[j]
            origin[j] = named if higher else origin[j]


@loop()
def chain_labels(
    scores: Matrix,
    first: Vector,
    across: Matrix,
    last: Vector,
    bounds: Indices,
    pointers: Indices,
    labels: Indices,
) -> Vector:
    """Fill the best labels of every chain; return their scores.

    `pointers` holds the best state before, for each step of the longest chain. Ties go
    to the first.
    """
    n_states = scores.shape[1]
    values = np.empty(bounds.size - 1)
    value, best = np.empty(n_states), np.empty(n_states)
    origin = np.empty(n_states)
    for chain in range(bounds.size - 1):
        start, end = bounds[chain], bounds[chain + 1]
        for j in range(n_states):
            value[j] = first[j] + scores[start, j]
        for t in range(start + 1, end):
            _reach(value, across, best, origin)
            for j in range(n_states):
                value[j] = best[j] + scores[t, j]
                pointers[t - start, j] = int(origin[j])
        value += last
        label = int(np.argmax(value))
        values[chain] = value[label]
        for t in range(end - 1, start, -1):
            labels[t] = label
            label = int(pointers[t - start, label])
        labels[start] = label
    return values
