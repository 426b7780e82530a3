"""Scores of tokens: the weights of their attributes, added up for each label."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["field_counts", "field_scores"]


@loop()
def field_scores(
    tokens: Indices,
    ids: Indices,
    values: Vector,
    starts: Indices,
    labels: Indices,
    weights: Vector,
    scores: Matrix,
) -> None:
    """Add to `scores` the weight of every pair of an attribute and a label.

    The attributes of a token stand from ``tokens[t]`` on in `ids`, with their values;
    the pairs of an attribute from ``starts[a]`` on in `labels` and `weights`.
    """
    for t in range(tokens.size - 1):
        for e in range(tokens[t], tokens[t + 1]):
            value = values[e]
            for p in range(starts[ids[e]], starts[ids[e] + 1]):
                scores[t, labels[p]] += weights[p] * value


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
