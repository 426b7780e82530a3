"""Nearest centres and sums by label for compressed rows: only entries are read."""

import numpy as np

from infimum.compiled.clusters.two_nearest import Found
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.rows import SparseRows, entry, place, span
from infimum.typing import Indices, Matrix, Vector

__all__ = ["settle_sparse", "sum_sparse"]


@inner_loop(fastmath={"reassoc", "contract"})
def _axpy(factor: float, row: Vector, out: Vector) -> None:
    for j in range(row.size):
        out[j] += factor * row[j]


@loop()
def settle_sparse(
    rows: SparseRows,
    asked: Indices,
    squares: Vector,
    turned: Matrix,
    norms: Vector,
    found: Found,
) -> None:
    """Give rows their nearest centre and two bounds; `turned` is features × centres."""
    labels, upper, lower = found
    k = norms.size
    products = np.empty(k)
    for i in asked:
        products[:] = 0.0
        begin, end = span(rows, i)
        for at in range(begin, end):
            _axpy(np.float64(entry(rows, i, at)), turned[place(rows, at)], products)
        who, nearest, second = 0, np.inf, np.inf
        for j in range(k):
            value = norms[j] - 2.0 * products[j]
            if value < nearest:
                who, second, nearest = j, nearest, value
            else:
                second = min(second, value)
        slip = 2.0**-44 * (squares[i] + norms[who])
        labels[i] = who
        upper[i] = np.sqrt(max(0.0, nearest + squares[i] + slip))
        lower[i] = np.sqrt(max(0.0, second + squares[i] - slip))


@loop()
def sum_sparse(
    rows: SparseRows, weights: Vector, labels: Indices, sums: Matrix, mass: Vector
) -> None:
    """Add rows to the sums of their labels."""
    for i in range(labels.size):
        own = labels[i]
        weight = weights[i] if weights.size else 1.0
        mass[own] += weight
        begin, end = span(rows, i)
        for at in range(begin, end):
            sums[own, place(rows, at)] += weight * entry(rows, i, at)
