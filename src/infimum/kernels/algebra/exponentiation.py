"""Exponential of a kernel: products of its features of every order."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Exponentiated"]


@dataclass(frozen=True)
class Exponentiated(Kernel):
    r"""Exponential of a kernel: :math:`\exp k(x, z) = \sum_d k(x, z)^d / d!`.

    A limit of sums of powers, hence a kernel. Scale the kernel down first if its
    values are large. Of the linear kernel over width², normalised, it is the Gaussian.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> Exponentiated(Linear())(np.array([[1.0]])).round(4)
    array([[2.7183]])
    """

    _hands_on = True

    kernel: Kernel

    @property
    def definite(self) -> bool:
        """Whether the kernel in the exponent is positive semi-definite."""
        return self.kernel.definite

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return np.asarray(np.exp(self.kernel(X, Z)))

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(np.exp(self.kernel.diagonal(X)))
