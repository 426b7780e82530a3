"""Additive χ² kernel: bars of histograms compared by their harmonic mean."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels.vectors._histograms import accept_histograms
from infimum.kernels.vectors._rows import VectorKernel, fill_by_dense_blocks
from infimum.typing import Matrix, Vector

__all__ = ["AdditiveChiSquared"]


@dataclass(frozen=True)
class AdditiveChiSquared(VectorKernel):
    r"""χ² similarity of two histograms, positive semi-definite as it stands.

    .. math:: k(x, z) = \sum_j \frac{2 x_j z_j}{x_j + z_j}
              = \tfrac12 \sum_j \Big(x_j + z_j - \frac{(x_j - z_j)^2}{x_j + z_j}\Big)

    with 0/0 read as 0. The bare negative distance, which some call the additive χ²
    kernel, is not positive semi-definite; this is its kernel with origin 0.

    Examples
    --------
    >>> import numpy as np
    >>> AdditiveChiSquared()(np.array([[1.0, 0.0]]), np.array([[3.0, 2.0]]))
    array([[1.5]])
    """

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        accept_histograms(self, X, Z)

        # Late: it loads numba.
        from infimum.compiled.chi_squared import chi_squared_distances

        def formula(left: Matrix, right: Matrix, out: Matrix) -> None:
            sums = np.add.outer(left.sum(axis=1), right.sum(axis=1))
            out[...] = 0.5 * (sums - chi_squared_distances(left, right))

        return fill_by_dense_blocks(X, Z, formula)

    def _diagonal(self, X: Any) -> Vector:
        accept_histograms(self, X)
        return np.asarray(X.sum(axis=1)).ravel()
