"""Histogram intersection: how much two histograms overlap."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.kernels.vectors._histograms import accept_histograms
from infimum.kernels.vectors._rows import VectorKernel, fill_by_dense_blocks
from infimum.typing import Matrix, Vector

__all__ = ["HistogramIntersection"]


@dataclass(frozen=True)
class HistogramIntersection(VectorKernel):
    r"""Overlap of two histograms, for vectors without negative entries.

    .. math:: k(x, z) = \sum_j \min(x_j, z_j)

    For counts it is the number of things that the two bags have in common; its
    features are the units of each bar, one by one.

    Examples
    --------
    >>> import numpy as np
    >>> HistogramIntersection()(np.array([[3.0, 1.0]]), np.array([[2.0, 5.0]]))
    array([[3.]])
    """

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        accept_histograms(self, X, Z)

        def formula(left: Matrix, right: Matrix, out: Matrix) -> None:
            # min(a, b) = (a + b - |a - b|) / 2
            sums = np.add.outer(left.sum(axis=1), right.sum(axis=1))
            out[...] = 0.5 * (sums - cdist(left, right, "cityblock"))

        return fill_by_dense_blocks(X, Z, formula)

    def _diagonal(self, X: Any) -> Vector:
        accept_histograms(self, X)
        return np.asarray(X.sum(axis=1)).ravel()
