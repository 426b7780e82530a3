"""Counts of chains: both passes joined to probabilities of labels and pairs."""

import numpy as np

from infimum.compiled.chains.lanes import LANES, add_outer, scale_row
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["chain_counts"]

#: Steps whose pairs are multiplied out at once.
TOGETHER = 128
#: States beyond which BLAS multiplies faster.
NARROW = 32
_FAST = {"reassoc", "contract", "nsz"}


@inner_loop(fastmath=_FAST, error_model="numpy")
def _join(
    alpha: Matrix, beta: Matrix, low: int, high: int, labels: Matrix, totals: Vector
) -> None:
    """Fill the products of both passes from step to step, and their sums."""
    for t in range(low, high):
        total = 0.0
        for j in range(alpha.shape[1]):
            labels[t, j] = alpha[t, j] * beta[t, j]
            total += labels[t, j]
        totals[t - low] = total


@inner_loop(fastmath=_FAST, error_model="numpy")
def _turns(
    totals: Vector, scales: Vector, weight: float, turns: Vector, shares: Vector
) -> float:
    """Fill what steps are multiplied by, their labels and their pairs; 0 if lost.

    The least product of both passes is returned; chains end where the scale is 0.
    """
    least = np.inf
    for i in range(scales.size):
        total, both = totals[i], totals[i] * scales[i]
        turns[i] = 1.0 / total if total > 0.0 else 0.0
        shares[i] = weight / both if both > 0.0 else 0.0
        worst = both if scales[i] > 0.0 and both < total else total
        least = worst if worst < least else least
    return least


@inner_loop()
def _multiply(left: Matrix, right: Matrix, rows: int, sums: Matrix) -> None:
    """Add the product of the first rows of both tables, the left one transposed."""
    if sums.shape[0] > NARROW:
        sums += np.dot(left[:rows].T, right[:rows])
        return
    for i in range(0, left.shape[1], 2):
        for j in range(0, right.shape[1], LANES):
            add_outer(left, i, right, j, rows, sums)


@loop(superwords=True, fastmath=_FAST, error_model="numpy")
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
    of tables, whose widths are filled up to what the lanes take.
    """
    n_states, row = alpha.shape[1], 0
    width = (n_states + LANES - 1) // LANES * LANES
    sums = np.zeros((width, width))
    left, right = np.zeros((TOGETHER, width)), np.zeros((TOGETHER, width))
    totals, turns = np.empty(TOGETHER), np.empty(TOGETHER)
    shares = np.empty(TOGETHER)
    for chain in range(bounds.size - 1):
        least[chain] = np.inf
        for low in range(bounds[chain], bounds[chain + 1], TOGETHER):
            high = min(low + TOGETHER, bounds[chain + 1])
            _join(alpha, beta, low, high, labels, totals)
            worst = _turns(totals, scales[low:high], weights[chain], turns, shares)
            least[chain] = min(least[chain], worst)
            for t in range(low, high):
                scale_row(labels, t, turns[t - low], labels, t)
                if shares[t - low] > 0.0:
                    scale_row(alpha, t, shares[t - low], left, row)
                    scale_row(messages, t + 1, 1.0, right, row)
                    row += 1
                if row == TOGETHER:
                    _multiply(left, right, row, sums)
                    row = 0
    _multiply(left, right, row, sums)
    return sums[:n_states, :n_states] * across
