"""Linear kernel: the inner product itself."""

from dataclasses import dataclass

from infimum.kernels.vectors._dot_kernel import DotKernel
from infimum.typing import Matrix

__all__ = ["Linear"]


@dataclass(frozen=True)
class Linear(DotKernel):
    r"""Linear kernel: the inner product of the vectors themselves.

    .. math:: k(x, z) = ⟨x, z⟩ = \sum_j x_j z_j

    With it every kernel method is the linear method it came from. Sparse rows cost
    only their common nonzeros.

    Examples
    --------
    >>> import numpy as np
    >>> Linear()(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]))
    array([[11.]])
    """

    def _transform(self, products: Matrix) -> None:
        pass
