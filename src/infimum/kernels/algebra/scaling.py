"""Scaled kernel: the same features, longer or shorter."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.parameters import nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["Scaled"]


@dataclass(frozen=True)
class Scaled(Kernel):
    r"""A kernel times a number that is not negative: :math:`c\,k(x, z)`.

    Written ``2.0 * kernel``.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> (3.0 * Linear())(np.array([[2.0]]))
    array([[12.]])
    """

    _hands_on = True

    kernel: Kernel
    factor: float = field(metadata={"domain": nonnegative})

    @property
    def definite(self) -> bool:
        """Whether the scaled kernel is positive semi-definite."""
        return self.kernel.definite

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return np.asarray(float(self.factor) * self.kernel(X, Z))

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(float(self.factor) * self.kernel.diagonal(X))
