"""Skewed χ² kernel: a product over bars, each compared by its logarithm."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels.vectors._rows import VectorKernel, fill_by_dense_blocks
from infimum.parameters import positive
from infimum.typing import Matrix, Vector

__all__ = ["SkewedChiSquared"]

#: Entries of the differences of two blocks of rows held at a time.
HELD = 2**20


@dataclass(frozen=True)
class SkewedChiSquared(VectorKernel):
    r"""Product over the columns of how near they are on a logarithmic scale.

    .. math:: k(x, z) = \prod_j \frac{2 \sqrt{x_j + c} \sqrt{z_j + c}}{x_j + z_j + 2c}
              = \prod_j \operatorname{sech}
              \tfrac12\bigl(\log(x_j + c) - \log(z_j + c)\bigr)

    with c the `skewness`, which says how large a bar must be to count as more than
    none. Entries must be above -c.

    Examples
    --------
    >>> import numpy as np
    >>> SkewedChiSquared(1.0)(np.array([[0.0, 0.0]]), np.array([[3.0, 0.0]]))
    array([[0.8]])
    """

    skewness: float = field(default=1.0, metadata={"domain": positive})

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        for table in (X, Z):
            self._refuse_low(table)

        def formula(left: Matrix, right: Matrix, out: Matrix) -> None:
            first, second = (np.log(part + self.skewness) for part in (left, right))
            step = max(1, HELD // max(1, second.size))
            for start in range(0, len(first), step):
                some = slice(start, start + step)
                apart = np.abs(first[some, None] - second) / 2
                # log cosh a without the overflow of cosh.
                logs = apart + np.log1p(np.exp(-2 * apart)) - np.log(2.0)
                out[some] = np.exp(-logs.sum(axis=2))

        return fill_by_dense_blocks(X, Z, formula)

    def _diagonal(self, X: Any) -> Vector:
        self._refuse_low(X)
        return np.ones(X.shape[0], dtype=X.dtype)

    def _refuse_low(self, X: Any) -> None:
        if min(X.shape) and X.min() <= -self.skewness:
            raise DataError(
                "SkewedChiSquared expects entries above minus its skewness "
                f"({-self.skewness:g}); the smallest is {X.min():g}."
            )
