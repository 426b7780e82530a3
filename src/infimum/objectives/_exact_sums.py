r"""Sums of products in twice the working precision, and by how much they are wrong.

References
----------
Ogita, Rump & Oishi (2005), Accurate sum and dot product, SIAM J. Sci. Comput. 26.
"""

from __future__ import annotations

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["sums_of_products"]

#: Half a unit in the last place of 1.
UNIT = 0.5 * float(np.finfo(np.float64).eps)
#: Splits a number into two of half the digits.
SPLITTER = 134217729.0
#: Columns at a time.
COLUMNS = 16


def sums_of_products(factors: Vector, X: Matrix) -> tuple[Vector, Vector]:
    """Return the sum of the rows of X, each times its factor, and its errors at most.

    Every product and every sum of two numbers is a number and a known error; the errors
    are added up beside. What is lost is one rounding of the result, and a share of the
    terms of the order of the square of a rounding.

    Examples
    --------
    >>> sums, errors = sums_of_products(np.array([1.0, 1e-20, -1.0]), np.ones((3, 1)))
    >>> sums.tolist(), bool(errors[0] < 1e-28)
    ([1e-20], True)
    """
    found, errors = np.empty(X.shape[1]), np.empty(X.shape[1])
    deep = (4.0 * (len(factors).bit_length() + 4) * UNIT) ** 2
    for first in range(0, X.shape[1], COLUMNS):
        some = slice(first, first + COLUMNS)
        high, low = _products(factors[:, None], X[:, some])
        terms = np.abs(high).sum(axis=0)
        found[some] = _added(high, low)
        errors[some] = 2.0 * UNIT * np.abs(found[some]) + deep * terms
    return found, errors


def _products(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix]:
    """Return products, rounded, and what rounding took from each (Dekker, Veltkamp)."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(x: Matrix) -> tuple[Matrix, Matrix]:
    large = SPLITTER * x
    high = large - (large - x)
    return high, x - high


def _added(high: Matrix, low: Matrix) -> Vector:
    """Add up rows by twos; what rounding takes from a sum (Knuth) is added up, too."""
    while len(high) > 1:
        if len(high) % 2:
            nothing = np.zeros((1, high.shape[1]))
            high, low = np.vstack([high, nothing]), np.vstack([low, nothing])
        a, b = high[0::2], high[1::2]
        high = a + b
        virtual = high - a
        lost = (a - (high - virtual)) + (b - virtual)
        low = (low[0::2] + low[1::2]) + lost
    return np.asarray((high + low).sum(axis=0))
