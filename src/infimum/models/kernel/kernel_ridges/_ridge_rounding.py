r"""Bounds on what rounding adds to the proof of kernel ridge regression.

References
----------
Higham (2002), Accuracy and Stability of Numerical Algorithms, chapters 3 and 4.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.typing import Matrix, Vector

__all__ = ["RidgeDoubt", "added_in_blocks", "roundings_in_blocks"]

#: Half a unit in the last place of 1, the largest relative error of an operation.
UNIT = 0.5 * float(np.finfo(np.float64).eps)
#: Products of errors, and the rounding of a bound itself, are a small share of this.
SECOND_ORDER = 1.01
#: Operations on a number before it is added.
BEFORE = 8
#: Columns that are added up at once, so that fewer roundings follow each other.
BLOCK = 64


class RidgeDoubt(NamedTuple):
    """What is known of sums of kernel values.

    Attributes
    ----------
    lengths : ndarray of shape (n_samples,)
        √k(x, x); no value exceeds the product of two.
    blur : ndarray of shape (n_samples,) or float
        The error of a value at most, as a share of that product.
    roundings : int
        That follow each other in a sum, at most.
    """

    lengths: Vector
    blur: Vector | float
    roundings: int

    def of_products(self, columns: Matrix) -> Matrix:
        """Return by how much products of the kernel matrix may be wrong."""
        share = (self.blur + _gamma(self.roundings + BEFORE)) * self.lengths
        return np.outer(share, self.lengths @ np.abs(columns))

    def of_risk(self, shares: Matrix, slopes: Matrix, errors: Matrix) -> Vector:
        """Return by how much Σ q s²/2 may be wrong, for s with errors."""
        sizes = np.abs(slopes)
        lost = (shares * errors * (sizes + 0.5 * errors)).sum(axis=0)
        summed = 0.5 * (shares * slopes**2).sum(axis=0)
        return np.asarray(SECOND_ORDER * (lost + _gamma(len(slopes) + BEFORE) * summed))

    def of_bound(
        self, shares: Matrix, slopes: Matrix, targets: Matrix, farthest: Vector
    ) -> Vector:
        """Return by how much -Σ q (s²/2 + sy) may be wrong, with Σ qs = 0 but rounded.

        A sum that is not quite 0 costs its error times the best intercept, at most the
        `farthest`.
        """
        sizes, many = np.abs(slopes), _gamma(len(slopes) + BEFORE)
        terms = shares * sizes * (0.5 * sizes + np.abs(targets))
        left = np.abs((shares * slopes).sum(axis=0)) + many * (shares * sizes).sum(0)
        return np.asarray(SECOND_ORDER * (many * terms.sum(axis=0) + left * farthest))


def added_in_blocks(gram: Matrix, columns: Matrix) -> Matrix:
    """Return the product of a kernel matrix with columns, added up block by block."""
    total = np.zeros((len(gram), *columns.shape[1:]))
    for first in range(0, gram.shape[1], BLOCK):
        some = slice(first, first + BLOCK)
        total += gram[:, some] @ columns[some]
    return total


def roundings_in_blocks(count: int) -> int:
    """Return how many roundings follow each other in such a product, at most."""
    return min(count, BLOCK) + count // BLOCK + 1


def _gamma(count: int) -> float:
    return count * UNIT / (1.0 - count * UNIT)
