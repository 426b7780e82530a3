"""Expectation and maximisation without correlations: two products for each block."""

import numpy as np

from infimum.compiled.exponentials import _double
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["mixture_pass"]

#: Rows at a time: with a few hundred features they stay in a core's second cache.
BLOCK = 256


@inner_loop()
def _exponentiate(scores: Matrix, highest: Vector, totals: Vector) -> None:
    """Write exp(score - highest score) over the scores, and their sums."""
    k, size = scores.shape
    bits = np.empty(size, dtype=np.int64)
    highest[:] = scores[0]
    for j in range(1, k):
        for r in range(size):
            highest[r] = scores[j, r] if scores[j, r] > highest[r] else highest[r]
    totals[:] = 0.0
    for j in range(k):
        row = scores[j]
        for r in range(size):
            row[r] -= highest[r]
        _double(row, row, bits, bits.view(np.float64))
        for r in range(size):
            totals[r] += row[r]


@inner_loop()
def _share_out(scores: Matrix, weights: Vector) -> float:
    """Turn log joint densities into weighted shares; return the log likelihood."""
    k, size = scores.shape
    highest, totals = np.empty(size), np.empty(size)
    _exponentiate(scores, highest, totals)
    likelihood = 0.0
    for r in range(size):
        weight = weights[r] if weights.size else 1.0
        likelihood += weight * (np.log(totals[r]) + highest[r])
        totals[r] = weight / totals[r]
    for j in range(k):
        for r in range(size):
            scores[j, r] *= totals[r]
    return likelihood


@inner_loop()
def _lay_out(rows: Matrix, out: Matrix) -> None:
    """Write x², x and 1 of each row into a column."""
    n, d = rows.shape
    for r in range(n):
        for i in range(d):
            out[d + i, r] = rows[r, i]
        out[2 * d, r] = 1.0
    for i in range(d):
        for r in range(n):
            out[i, r] = out[d + i, r] * out[d + i, r]


@loop()
def mixture_pass(
    rows: Matrix,
    weights: Vector,
    shares: Matrix,
    table: Matrix,
    sums: Matrix,
) -> float:
    """Add x², x and 1 of the rows to each component by its share in them.

    The shares follow from the log joint densities, which have the coefficients `table`,
    unless they are given (components × rows). Return the log likelihood.
    """
    k, count = table.shape
    room, scored = np.empty(count * BLOCK), np.empty(k * BLOCK)
    part, likelihood = np.empty_like(sums), 0.0
    for start in range(0, rows.shape[0], BLOCK):
        stop = min(rows.shape[0], start + BLOCK)
        size = stop - start
        features = room[: count * size].reshape(count, size)
        scores = scored[: k * size].reshape(k, size)
        _lay_out(rows[start:stop], features)
        weight = weights[start:stop]
        if shares.size:
            for j in range(k):
                for r in range(size):
                    scores[j, r] = shares[j, start + r]
                    if weights.size:
                        scores[j, r] *= weight[r]
        else:
            np.dot(table, features, scores)
            likelihood += _share_out(scores, weight)
        np.dot(scores, features.T, part)
        sums += part
    return likelihood
