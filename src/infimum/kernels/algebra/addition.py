"""Sum of kernels: the features of all of them, side by side."""

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Sum"]


@dataclass(frozen=True)
class Sum(Kernel):
    r"""Sum of kernels: :math:`k(x, z) = \sum_p k_p(x, z)`.

    Its feature map is the feature maps of its parts, one after the other. Written
    ``first + second``; a number stands for a constant kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> (Linear() + 1.0)(np.array([[1.0, 2.0]]))
    array([[6.]])
    """

    _hands_on = True

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidParameterError("Sum.parts must hold at least one kernel.")

    @classmethod
    def of(cls, *kernels: Kernel) -> "Sum":
        """Return the sum of kernels, with sums among them written out."""
        nested = (k.parts if isinstance(k, Sum) else (k,) for k in kernels)
        return cls(tuple(part for parts in nested for part in parts))

    @property
    def definite(self) -> bool:
        """Whether every part is positive semi-definite."""
        return all(part.definite for part in self.parts)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return reduce(add, (part(X, Z) for part in self.parts))

    def diagonal(self, X: Any) -> Vector:
        return reduce(add, (part.diagonal(X) for part in self.parts))
