"""Kernels that are a formula of the inner product."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from infimum.kernels.vectors._rows import (
    VectorKernel,
    multiply_rows,
    squared_lengths,
)
from infimum.typing import Matrix, Vector

__all__ = ["DotKernel"]


class DotKernel(VectorKernel):
    """A kernel that depends on ⟨x, z⟩ alone; BLAS does the work."""

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        def fill(rows: slice, columns: slice, out: Matrix) -> None:
            multiply_rows(X[rows], Z[columns], out)
            self._transform(out)

        return fill

    def _diagonal(self, X: Any) -> Vector:
        values = squared_lengths(X)
        self._transform(values)
        return values

    @abstractmethod
    def _transform(self, products: Matrix) -> None:
        """Turn inner products into kernel values, in place."""
