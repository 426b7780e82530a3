"""Power of a kernel: all products of so many of its features."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.parameters import whole
from infimum.typing import Matrix, Vector

__all__ = ["Power"]


@dataclass(frozen=True)
class Power(Kernel):
    r"""A kernel raised to a whole power: :math:`k(x, z)^d`.

    Fractional powers of kernels are no kernels in general, so they are refused.
    Written ``kernel ** 3``.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> (Linear() ** 3)(np.array([[2.0]]))
    array([[64.]])
    """

    _hands_on = True

    kernel: Kernel
    degree: int = field(metadata={"domain": whole(1)})

    @property
    def definite(self) -> bool:
        """Whether the kernel that is raised is positive semi-definite."""
        return self.kernel.definite

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return np.asarray(self.kernel(X, Z) ** int(self.degree))

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(self.kernel.diagonal(X) ** int(self.degree))
