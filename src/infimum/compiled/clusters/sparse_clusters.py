"""Nearest centres and sums by label for compressed rows: only entries are read."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["settle_sparse", "sum_sparse"]


@inner_loop(fastmath={"reassoc", "contract"})
def _axpy(factor: float, row: Vector, out: Vector) -> None:
    for j in range(row.size):
        out[j] += factor * row[j]


@loop()
def settle_sparse(
    data: Vector,
    indices: Indices,
    indptr: Indices,
    rows: Indices,
    squares: Vector,
    turned: Matrix,
    norms: Vector,
    labels: Indices,
    upper: Vector,
    lower: Vector,
) -> None:
    """Give rows their nearest centre and two bounds; `turned` is features × centres."""
    k = norms.size
    products = np.empty(k)
    for i in rows:
        products[:] = 0.0
        for place in range(indptr[i], indptr[i + 1]):
            _axpy(np.float64(data[place]), turned[indices[place]], products)
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
    data: Vector,
    indices: Indices,
    indptr: Indices,
    weights: Vector,
    labels: Indices,
    sums: Matrix,
    mass: Vector,
    first: int,
    stop: int,
) -> None:
    """Add the rows from `first` to `stop` to the sums of their labels."""
    for i in range(first, stop):
        own = labels[i]
        weight = weights[i] if weights.size else 1.0
        mass[own] += weight
        for place in range(indptr[i], indptr[i + 1]):
            sums[own, indices[place]] += weight * data[place]
