"""Product of kernels: all products of their features."""

from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

from infimum.errors import InvalidParameterError
from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Product"]


@dataclass(frozen=True)
class Product(Kernel):
    r"""Pointwise product of kernels: :math:`k(x, z) = \prod_p k_p(x, z)`.

    Its features are all products of one feature of each part: things are similar
    when every part finds them so. Written ``first * second``.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> (Linear() * Linear())(np.array([[1.0, 2.0]]))
    array([[25.]])
    """

    _hands_on = True

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidParameterError("Product.parts must hold at least one kernel.")

    @classmethod
    def of(cls, *kernels: Kernel) -> "Product":
        """Return the product of kernels, with products among them written out."""
        nested = (k.parts if isinstance(k, Product) else (k,) for k in kernels)
        return cls(tuple(part for parts in nested for part in parts))

    @property
    def definite(self) -> bool:
        """Whether every part is positive semi-definite."""
        return all(part.definite for part in self.parts)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return reduce(mul, (part(X, Z) for part in self.parts))

    def diagonal(self, X: Any) -> Vector:
        return reduce(mul, (part.diagonal(X) for part in self.parts))
