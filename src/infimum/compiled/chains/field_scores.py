"""Scores of tokens: the weights of their attributes, added up for each label."""

import numpy as np

from infimum.compiled.chains.lanes import FEW, add_scaled
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["field_counts", "field_scores", "fill_scores"]


@inner_loop(fastmath={"contract", "nsz"}, forceinline=True)
def fill_scores(
    t: int,
    tokens: Indices,
    ids: Indices,
    values: Vector,
    starts: Indices,
    labels: Indices,
    weights: Vector,
    row: Vector,
) -> None:
    """Add up the scores of one token.

    An attribute that has all labels has them in order, filled up to blocks of four: no
    index is needed.
    """
    row[:] = 0.0
    for e in range(tokens[t], tokens[t + 1]):
        value, start = values[e], starts[ids[e]]
        size = starts[ids[e] + 1] - start
        if size == row.size:
            add_scaled(weights, start, value, row, 0, size)
        else:
            for p in range(start, start + size):
                row[labels[p]] += weights[p] * value


@loop(superwords=True)
def field_scores(
    tokens: Indices,
    ids: Indices,
    values: Vector,
    starts: Indices,
    labels: Indices,
    weights: Vector,
    scores: Matrix,
) -> None:
    """Fill `scores` with the sum of the weights of every token, for each label.

    The attributes of a token stand from ``tokens[t]`` on in `ids`, with their values;
    the pairs of an attribute from ``starts[a]`` on in `labels` and `weights`.
    """
    n_labels = scores.shape[1]
    row = np.empty((n_labels + FEW - 1) // FEW * FEW)
    for t in range(tokens.size - 1):
        fill_scores(t, tokens, ids, values, starts, labels, weights, row)
        for j in range(n_labels):
            scores[t, j] = row[j]


@loop()
def field_counts(
    tokens: Indices,
    ids: Indices,
    values: Vector,
    starts: Indices,
    labels: Indices,
    shares: Matrix,
    counts: Vector,
) -> None:
    """Add to `counts` how often each pair is met, given shares of labels by token."""
    for t in range(tokens.size - 1):
        for e in range(tokens[t], tokens[t + 1]):
            value = values[e]
            for p in range(starts[ids[e]], starts[ids[e] + 1]):
                counts[p] += shares[t, labels[p]] * value
