"""Exponential χ² kernel: a Gaussian whose distance is made for histograms."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels.vectors._histograms import accept_histograms
from infimum.kernels.vectors._rows import VectorKernel, fill_by_dense_blocks
from infimum.parameters import positive
from infimum.typing import Matrix, Vector

__all__ = ["ExponentialChiSquared"]


@dataclass(frozen=True)
class ExponentialChiSquared(VectorKernel):
    r"""Exponential of the negative χ² distance of two histograms.

    .. math:: k(x, z) = \exp\!\Big(-γ \sum_j \frac{(x_j - z_j)^2}{x_j + z_j}\Big)

    with 0/0 read as 0. The usual choice for bags of visual words.

    Examples
    --------
    >>> import numpy as np
    >>> ExponentialChiSquared()(np.array([[1.0, 0.0]]), np.array([[3.0, 0.0]])).round(4)
    array([[0.3679]])
    """

    gamma: float = field(default=1.0, metadata={"domain": positive})

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        accept_histograms(self, X, Z)

        # Late: it loads numba.
        from infimum.compiled.chi_squared import chi_squared_distances

        def formula(left: Matrix, right: Matrix, out: Matrix) -> None:
            out[...] = chi_squared_distances(left, right)
            out *= -float(self.gamma)
            np.exp(out, out=out)

        return fill_by_dense_blocks(X, Z, formula)

    def _diagonal(self, X: Any) -> Vector:
        accept_histograms(self, X)
        return np.ones(X.shape[0], dtype=X.dtype)
