"""Gaussian kernel: similarity that fades with squared distance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from infimum.kernels.vectors._distance_kernel import DistanceKernel
from infimum.kernels.vectors._gaussian_rows import GaussianRows
from infimum.kernels.vectors._rows import SERIAL, is_sparse
from infimum.parameters import check_domain, positive
from infimum.typing import Matrix

__all__ = ["Gaussian"]


@dataclass(frozen=True)
class Gaussian(DistanceKernel):
    r"""Gaussian (RBF) kernel with bandwidth `width`.

    .. math:: k(x, z) = \exp\!\left(-\frac{\|x - z\|^2}{2\,\text{width}^2}\right)

    Universal: with enough data it can imitate any continuous function. Points within
    one width are alike (0.61), beyond three widths unlike (0.01). Small widths
    memorise, large widths behave like a linear kernel.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0]])
    >>> Gaussian(width=1.0)(X).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    """

    width: float = field(default=1.0, metadata={"domain": positive})

    careful: ClassVar[bool] = False

    @classmethod
    def from_gamma(cls, gamma: float) -> Self:
        r"""Return the kernel :math:`\exp(-\text{gamma}·\|x - z\|^2)`."""
        check_domain("Gaussian.from_gamma: gamma", gamma, positive)
        return cls(float(np.sqrt(0.5 / gamma)))

    def _filler(self, X: Any, Z: Any) -> Callable[[slice, slice, Matrix], None]:
        # Below that size NumPy's exponential is as good as ours, and always there.
        large = X.shape[0] * Z.shape[0] > SERIAL
        if not large or is_sparse(X) or is_sparse(Z):
            return super()._filler(X, Z)
        return GaussianRows(0.5 / float(self.width) ** 2, X, Z, X.dtype).fill

    def _transform(self, squares: Matrix) -> None:
        squares *= -0.5 / float(self.width) ** 2
        np.exp(squares, out=squares)
