"""Best labellings of many chains: Viterbi's recursion, and its way back."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["best_labels", "chain_labels"]


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


@inner_loop()
def best_labels(
    scores: Matrix,
    first: Vector,
    across: Matrix,
    last: Vector,
    pointers: Indices,
    labels: Indices,
) -> float:
    """Fill the best labels of one chain; return their score. Ties go to the first."""
    steps, n_states = scores.shape
    value, best = np.empty(n_states), np.empty(n_states)
    origin = np.empty(n_states)
    for j in range(n_states):
        value[j] = first[j] + scores[0, j]
    for t in range(1, steps):
        _reach(value, across, best, origin)
        for j in range(n_states):
            value[j] = best[j] + scores[t, j]
            pointers[t, j] = int(origin[j])
    value += last
    label = int(np.argmax(value))
    worth = value[label]
    for t in range(steps - 1, 0, -1):
        labels[t] = label
        label = int(pointers[t, label])
    labels[0] = label
    return float(worth)


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
    values = np.empty(bounds.size - 1)
    for chain in range(bounds.size - 1):
        part = slice(bounds[chain], bounds[chain + 1])
        values[chain] = best_labels(
            scores[part], first, across, last, pointers, labels[part]
        )
    return values
