"""Class means, and the spread of samples around them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.typing import Indices, Matrix, Vector

__all__ = ["class_means", "class_medians", "deviations"]

#: Entries of sparse columns that are written out at a time: 32 MiB.
BLOCK = 2**22
#: What rounding may do to a sum of weights.
SLIGHT = 1e-12


def class_means(X: Any, codes: Indices, weights: Vector, sizes: Vector) -> Matrix:
    """Return the weighted mean of each class."""
    rows = (codes, np.arange(len(codes)))
    sums: Any = sparse.csr_array((weights, rows), (len(sizes), len(codes))) @ X
    dense = sums.toarray() if bool(sparse.issparse(sums)) else sums
    return np.asarray(dense / sizes[:, None], dtype=np.float64)


def class_medians(X: Any, codes: Indices, weights: Vector, count: int) -> Matrix:
    """Return the weighted median of each feature in each class."""
    n, d = X.shape
    medians = np.empty((count, d))
    by_columns = X.tocsc() if bool(sparse.issparse(X)) else X
    width = max(1, BLOCK // n)
    for start in range(0, d, width):
        some = slice(start, min(d, start + width))
        block = by_columns[:, some]
        block = block.toarray() if bool(sparse.issparse(block)) else block
        for k in range(count):
            mine = (codes == k) & (weights > 0)
            medians[k, some] = _medians(block[mine], weights[mine])
    return medians


def _medians(block: Matrix, weights: Vector) -> Vector:
    """Return the mean of the two values that halve the weight of each column."""
    order = np.argsort(block, axis=0, kind="stable")
    values = np.take_along_axis(block, order, axis=0).astype(np.float64)
    mass = np.cumsum(weights[order], axis=0)
    half, slight = 0.5 * mass[-1], SLIGHT * mass[-1]
    lower = (mass >= half - slight).argmax(axis=0)
    upper = (mass > half + slight).argmax(axis=0)
    columns = np.arange(block.shape[1])
    low, high = values[lower, columns], values[upper, columns]
    return np.asarray(low + 0.5 * (high - low))


def deviations(
    X: Any, classes: tuple[Indices, Vector, Vector], means: Matrix, centres: Matrix
) -> Vector:
    """Return the standard deviation of each feature about the centres of classes.

    `classes` are the code and the weight of each sample, and the weight of each class.
    """
    codes, weights, sizes = classes
    squares: Any
    if bool(sparse.issparse(X)):
        # Σ c (x - z)² = Σ c x² - 2 z Σ c x + Σ c z², class by class.
        raw = np.asarray(weights @ X.multiply(X)).ravel()
        squares = raw + sizes @ (centres * (centres - 2.0 * means))
        squares[squares <= 1e-14 * raw] = 0.0
    else:
        squares = weights @ (np.asarray(X, dtype=np.float64) - centres[codes]) ** 2
    freedom = max(float(weights.sum()) - len(sizes), 1.0)
    return np.asarray(np.sqrt(squares / freedom))
