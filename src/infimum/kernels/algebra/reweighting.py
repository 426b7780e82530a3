"""Reweighted kernel: each thing made longer or shorter by a factor of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Reweighted"]


@dataclass(frozen=True, eq=False)
class Reweighted(Kernel):
    r"""A kernel between two copies of a function: :math:`f(x)\,k(x, z)\,f(z)`.

    Any real function f will do, negative values included. With a constant kernel it is
    the kernel :math:`f(x) f(z)` of the single feature f.

    Examples
    --------
    >>> from infimum.kernels import Constant
    >>> Reweighted(Constant(), len)(["ab", "c"])
    array([[4., 2.],
           [2., 1.]])
    """

    _hands_on = True

    kernel: Kernel
    factor: Callable[[Any], float]

    @property
    def definite(self) -> bool:
        """Whether the kernel between the factors is positive semi-definite."""
        return self.kernel.definite

    def _factors(self, X: Any) -> Vector:
        return np.array([float(self.factor(x)) for x in X], dtype=np.float64)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = self._factors(X)
        right = left if Z is None else self._factors(Z)
        return np.asarray(self.kernel(X, Z) * np.multiply.outer(left, right))

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(self.kernel.diagonal(X) * self._factors(X) ** 2)
