"""Expectation and maximisation with full covariances, in a core's nearest cache.

Rows are read as x̃ = (x, 1), so that a quadratic form with its linear and constant
terms is one sum of tᵢⱼx̃ᵢx̃ⱼ over i ≤ j. Samples lie side by side in memory; five
components and four columns at a time share what is loaded.
"""

import numpy as np

from infimum.compiled.clusters.mixture_pass import _exponentiate
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MIXTURE_TILE", "full_mixture_pass"]

#: Rows at a time; a number known to the compiler, which must see that columns of a
#: block do not overlap.
BLOCK = 128
#: Components and columns of a tile.
MIXTURE_TILE = FIVE, FOUR = 5, 4
_FAST = {"contract", "nsz", "reassoc"}


@inner_loop(fastmath=_FAST)
def _add_scores(one: Vector, x: Vector, t: Vector, scores: Vector) -> None:
    """Add the products of a column with four others to five components' scores."""
    a0, a1, a2, a3 = t[0], t[1], t[2], t[3]
    b0, b1, b2, b3 = t[4], t[5], t[6], t[7]
    c0, c1, c2, c3 = t[8], t[9], t[10], t[11]
    d0, d1, d2, d3 = t[12], t[13], t[14], t[15]
    e0, e1, e2, e3 = t[16], t[17], t[18], t[19]
    for r in range(BLOCK):
        v = one[r]
        p = v * x[r]
        q = v * x[r + BLOCK]
        u = v * x[r + 2 * BLOCK]
        z = v * x[r + 3 * BLOCK]
        scores[r] += a0 * p + a1 * q + a2 * u + a3 * z
        scores[r + BLOCK] += b0 * p + b1 * q + b2 * u + b3 * z
        scores[r + 2 * BLOCK] += c0 * p + c1 * q + c2 * u + c3 * z
        scores[r + 3 * BLOCK] += d0 * p + d1 * q + d2 * u + d3 * z
        scores[r + 4 * BLOCK] += e0 * p + e1 * q + e2 * u + e3 * z


@inner_loop(fastmath=_FAST)
def _add_products(y: Vector, x: Vector, out: Vector) -> None:
    """Add the products of y with four columns."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for r in range(BLOCK):
        one = y[r]
        a += one * x[r]
        b += one * x[r + BLOCK]
        c += one * x[r + 2 * BLOCK]
        d += one * x[r + 3 * BLOCK]
    out[0] += a
    out[1] += b
    out[2] += c
    out[3] += d


@inner_loop()
def _lay_out(rows: Matrix, names: Indices, size: int, x: Vector) -> None:
    """Write columns of the named rows and one of ones; blank what is left over."""
    d = rows.shape[1]
    for r in range(size):
        name = names[r]
        for i in range(d):
            x[i * BLOCK + r] = rows[name, i]
        x[d * BLOCK + r] = 1.0
    for r in range(size, BLOCK):
        for i in range(d + 1):
            x[i * BLOCK + r] = 0.0


@inner_loop()
def _score(x: Vector, width: int, table: Vector, scores: Vector, k: int) -> None:
    scores[:] = 0.0
    at = 0
    for first in range(0, k, FIVE):
        for i in range(width):
            for j in range(i, width, FOUR):
                _add_scores(
                    x[i * BLOCK :], x[j * BLOCK :], table[at:], scores[first * BLOCK :]
                )
                at += FIVE * FOUR


@inner_loop()
def _share_out(scores: Vector, k: int, weights: Vector, size: int) -> float:
    """Turn log joint densities into shares; return the log likelihood."""
    highest, totals = np.empty(BLOCK), np.empty(BLOCK)
    table = scores[: k * BLOCK].reshape(k, BLOCK)
    _exponentiate(table, highest, totals)
    likelihood = 0.0
    for r in range(size):
        weight = weights[r] if weights.size else 1.0
        likelihood += weight * (np.log(totals[r]) + highest[r])
    for r in range(BLOCK):
        totals[r] = 1.0 / totals[r]
    for j in range(k):
        for r in range(BLOCK):
            table[j, r] *= totals[r]
    return likelihood


@inner_loop()
def _add_moments(
    rows: Matrix, names: Indices, masses: Vector, size: int, x: Vector, sums: Matrix
) -> None:
    """Add the weighted products x̃ᵢx̃ⱼ of the named rows, for i ≤ j."""
    width = rows.shape[1] + 1
    y = np.zeros(BLOCK)
    _lay_out(rows, names, size, x)
    for i in range(width):
        for r in range(size):
            y[r] = masses[r] * x[i * BLOCK + r]
        for j in range(i, width, FOUR):
            _add_products(y, x[j * BLOCK :], sums[i, j:])


@inner_loop()
def _enlist(
    row: Vector, weights: Vector, least: float, size: int, names: Indices, out: Vector
) -> int:
    """List which rows a component has a share in, and their mass; return how many."""
    count = 0
    for r in range(size):
        names[count] = r
        out[count] = row[r] * (weights[r] if weights.size else 1.0)
        count += row[r] > least
    return count


@loop()
def full_mixture_pass(
    rows: Matrix,
    weights: Vector,
    shares: Matrix,
    table: Vector,
    least: Vector,
    sums: Matrix,
) -> float:
    """Add the products x̃ᵢx̃ⱼ of the rows to each component by its share in them.

    `sums` is components × width × (width + 3). The shares follow from the log joint
    densities, unless they are given (components × rows); these have the coefficients
    `table`: for every five components, i and four columns from j on, four of each
    component. Return the log likelihood.

    Rows wait in a list of each component whose share in them exceeds its `least`, until
    there is a block of them: where components lie apart, that is one list.
    """
    k, width = sums.shape[0], rows.shape[1] + 1
    x = np.zeros((width + FOUR - 1) * BLOCK)
    scores = np.zeros((k + FIVE - 1) // FIVE * FIVE * BLOCK)
    waiting = np.empty((k, 2 * BLOCK), dtype=np.int64)
    masses, counts = np.zeros((k, 2 * BLOCK)), np.zeros(k, dtype=np.int64)
    every, likelihood = np.arange(BLOCK), 0.0
    for start in range(0, rows.shape[0], BLOCK):
        size = min(rows.shape[0] - start, BLOCK)
        weight = weights[start : start + size]
        if shares.size:
            for j in range(k):
                scores[j * BLOCK : j * BLOCK + size] = shares[j, start : start + size]
        else:
            _lay_out(rows[start:], every, size, x)
            _score(x, width, table, scores, k)
            likelihood += _share_out(scores, k, weight, size)
        for j in range(k):
            at = counts[j]
            more = _enlist(
                scores[j * BLOCK :], weight, least[j], size,
                waiting[j, at:], masses[j, at:],
            )  # fmt: skip
            waiting[j, at : at + more] += start
            counts[j] = at + more
            if at + more >= BLOCK:
                _add_moments(rows, waiting[j], masses[j], BLOCK, x, sums[j])
                counts[j] -= BLOCK
                waiting[j, :BLOCK] = waiting[j, BLOCK:]
                masses[j, :BLOCK] = masses[j, BLOCK:]
    for j in range(k):
        _add_moments(rows, waiting[j], masses[j], counts[j], x, sums[j])
    return likelihood
