"""Scores of tokens: the weights of their attributes, added up for each label."""

import numpy as np

from infimum.compiled.chains.field_parts import Pairs, Tokens
from infimum.compiled.chains.lanes import FEW, add_scaled
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["field_counts", "field_scores", "fill_scores"]


@inner_loop(fastmath={"contract", "nsz"}, forceinline=True)
def fill_scores(t: int, tokens: Tokens, pairs: Pairs, row: Vector) -> None:
    """Add up the scores of one token.

    An attribute that has all labels has them in order, filled up to blocks of four: no
    index is needed.
    """
    starts, labels, weights = pairs
    row[:] = 0.0
    for e in range(tokens.starts[t], tokens.starts[t + 1]):
        value, a = tokens.values[e], tokens.ids[e]
        start, size = starts[a], starts[a + 1] - starts[a]
        if size == row.size:
            add_scaled(weights, start, value, row, 0, size)
        else:
            for p in range(start, start + size):
                row[labels[p]] += weights[p] * value


@loop(superwords=True)
def field_scores(tokens: Tokens, pairs: Pairs, scores: Matrix) -> None:
    """Fill `scores` with the sum of the weights of every token, for each label."""
    n_labels = scores.shape[1]
    row = np.empty((n_labels + FEW - 1) // FEW * FEW)
    for t in range(tokens.starts.size - 1):
        fill_scores(t, tokens, pairs, row)
        for j in range(n_labels):
            scores[t, j] = row[j]


@loop()
def field_counts(tokens: Tokens, pairs: Pairs, shares: Matrix) -> None:
    """Add to the weights how often pairs are met, given shares of labels by token."""
    starts, labels, counts = pairs
    for t in range(tokens.starts.size - 1):
        for e in range(tokens.starts[t], tokens.starts[t + 1]):
            value, a = tokens.values[e], tokens.ids[e]
            for p in range(starts[a], starts[a + 1]):
                counts[p] += shares[t, labels[p]] * value
