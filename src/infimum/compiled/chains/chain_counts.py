"""Counts of chains: both passes joined to probabilities of labels and pairs."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_counts"]


@inner_loop(fastmath={"reassoc", "contract"})
def _join(alpha: Matrix, beta: Matrix, t: int, labels: Matrix) -> float:
    """Fill the probabilities of the labels of one step; return their sum before."""
    n_states, total = alpha.shape[1], 0.0
    for j in range(n_states):
        labels[t, j] = alpha[t, j] * beta[t, j]
        total += labels[t, j]
    turn = 1.0 / total if total > 0.0 else 0.0
    for j in range(n_states):
        labels[t, j] *= turn
    return total


@loop(fastmath={"reassoc", "contract"})
def chain_counts(
    alpha: Matrix,
    beta: Matrix,
    messages: Matrix,
    scales: Vector,
    bounds: Indices,
    weights: Vector,
    across: Matrix,
    labels: Matrix,
    least: Vector,
) -> Matrix:
    """Fill the probabilities of labels; return the expected numbers of pairs.

    Scales are those of the backward pass, weights those of the chains, which may be
    parts of longer ones. `least` receives the least product of both passes in each of
    them: where it is 0, or nearly, digits are lost.
    """
    n_states = alpha.shape[1]
    pairs = np.zeros((n_states, n_states))
    for chain in range(bounds.size - 1):
        least[chain] = np.inf
        for t in range(bounds[chain], bounds[chain + 1]):
            total = _join(alpha, beta, t, labels)
            least[chain] = min(least[chain], total)
            if not scales[t] > 0.0:
                continue
            least[chain] = min(least[chain], scales[t] * total)
            if not scales[t] * total > 0.0:
                continue
            share = weights[chain] / (scales[t] * total)
            for i in range(n_states):
                left = alpha[t, i] * share
                for j in range(n_states):
                    pairs[i, j] += left * messages[t + 1, j]
    return pairs * across
