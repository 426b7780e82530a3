"""Expectation and maximisation over some rows: two matrix products for each block."""

import numpy as np
from numba import njit

from infimum.compiled.exponentials import _double
from infimum.compiled.quadratic_features import square_columns
from infimum.typing import Indices, Matrix, Vector

__all__ = ["mixture_pass"]

#: Rows at a time: with a few hundred features they stay in a core's second cache.
BLOCK = 256


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _share_out(
    scores: Matrix, weights: Vector, bits: Indices, powers: Vector, totals: Vector
) -> float:
    """Turn log joint densities into weighted shares; return the log likelihood."""
    k, size = scores.shape
    highest = scores[0].copy()
    for j in range(1, k):
        for r in range(size):
            highest[r] = scores[j, r] if scores[j, r] > highest[r] else highest[r]
    for r in range(size):
        totals[r] = 0.0
    for j in range(k):
        row = scores[j]
        for r in range(size):
            row[r] -= highest[r]
        _double(row, row, bits[:size], powers[:size])
        for r in range(size):
            totals[r] += row[r]
    likelihood = 0.0
    for r in range(size):
        weight = weights[r] if weights.size else 1.0
        likelihood += weight * (np.log(totals[r]) + highest[r])
        totals[r] = weight / totals[r]
    for j in range(k):
        for r in range(size):
            scores[j, r] *= totals[r]
    return likelihood


@njit(cache=True, nogil=True)
def mixture_pass(
    rows: Matrix,
    weights: Vector,
    shares: Matrix,
    table: Matrix,
    mixed: bool,
    sums: Matrix,
) -> float:
    """Add the features of the rows to each component by its share in them.

    The shares follow from the log joint densities, which have the coefficients `table`,
    unless they are given (components × rows). Return the log likelihood.
    """
    k, count = table.shape
    room, scored = np.empty(count * BLOCK), np.empty(k * BLOCK)
    part, likelihood = np.empty_like(sums), 0.0
    bits = np.empty(BLOCK, dtype=np.int64)
    powers, totals = bits.view(np.float64), np.empty(BLOCK)
    for start in range(0, rows.shape[0], BLOCK):
        stop = min(rows.shape[0], start + BLOCK)
        size = stop - start
        features = room[: count * size].reshape(count, size)
        scores = scored[: k * size].reshape(k, size)
        square_columns(rows[start:stop], mixed, features)
        weight = weights[start:stop]
        if shares.size:
            for j in range(k):
                for r in range(size):
                    scores[j, r] = shares[j, start + r]
                    if weights.size:
                        scores[j, r] *= weight[r]
        else:
            np.dot(table, features, scores)
            likelihood += _share_out(scores, weight, bits, powers, totals)
        np.dot(scores, features.T, part)
        sums += part
    return likelihood
