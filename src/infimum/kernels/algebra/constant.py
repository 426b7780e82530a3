"""Constant kernel: everything is equally similar."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel, size_of
from infimum.parameters import nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["Constant"]


@dataclass(frozen=True)
class Constant(Kernel):
    r"""The same value for every pair: :math:`k(x, z) = c`.

    Added to another kernel it acts as a penalised intercept.

    Examples
    --------
    >>> Constant(2.0)(["a", "b"], [3])
    array([[2.],
           [2.]])
    """

    value: float = field(default=1.0, metadata={"domain": nonnegative})

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return np.full((size_of(X), size_of(X if Z is None else Z)), float(self.value))

    def diagonal(self, X: Any) -> Vector:
        return np.full(size_of(X), float(self.value))
