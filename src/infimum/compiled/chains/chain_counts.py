"""Counts of chains: both passes joined to probabilities of labels and pairs."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_counts"]

#: Steps whose pairs are multiplied out at once.
TOGETHER = 128


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


@inner_loop()
def _gather(
    t: int,
    share: float,
    alpha: Matrix,
    messages: Matrix,
    left: Matrix,
    right: Matrix,
    row: int,
) -> None:
    """Lay the two factors of the pairs of one step beside those of other steps."""
    for j in range(alpha.shape[1]):
        left[row, j] = alpha[t, j] * share
        right[row, j] = messages[t + 1, j]


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
    them: where it is 0, or nearly, digits are lost. Pairs of many steps are one product
    of tables.
    """
    n_states, row = alpha.shape[1], 0
    pairs, part = np.zeros((n_states, n_states)), np.empty((n_states, n_states))
    left, right = np.empty((TOGETHER, n_states)), np.empty((TOGETHER, n_states))
    for chain in range(bounds.size - 1):
        least[chain] = np.inf
        for t in range(bounds[chain], bounds[chain + 1]):
            total = _join(alpha, beta, t, labels)
            least[chain] = min(least[chain], total)
            if not scales[t] > 0.0:
                continue
            least[chain] = min(least[chain], scales[t] * total)
            if not scales[t] * total > 0.0 or weights[chain] == 0.0:
                continue
            share = weights[chain] / (scales[t] * total)
            _gather(t, share, alpha, messages, left, right, row)
            row += 1
            if row == TOGETHER:
                np.dot(left.T, right, part)
                pairs += part
                row = 0
    if row > 0:
        np.dot(left[:row].T, right[:row], part)
        pairs += part
    return pairs * across
