"""Tensor product: pairs compared component by component."""

from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["TensorProduct"]


@dataclass(frozen=True)
class TensorProduct(Kernel):
    r"""A kernel on tuples, one kernel per component.

    .. math:: k\big((x_1, …, x_P), (z_1, …, z_P)\big) = \prod_p k_p(x_p, z_p)

    The components may be things of different kinds: a vector and a string, a user and
    an item. Unlike the pointwise product, each kernel sees its own component only.

    Examples
    --------
    >>> from infimum.kernels import Delta, Linear
    >>> both = TensorProduct((Delta(), Linear()))
    >>> both([("a", [2.0]), ("b", [1.0])], [("a", [3.0])])
    array([[6.],
           [0.]])
    """

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise InvalidParameterError("TensorProduct.parts must hold a kernel.")

    @property
    def definite(self) -> bool:
        """Whether every part is positive semi-definite."""
        return all(part.definite for part in self.parts)

    def _components(self, X: Any) -> list[list[Any]]:
        size = len(self.parts)
        if any(len(item) != size for item in X):
            raise DataError(
                f"TensorProduct of {size} kernels expects tuples of {size} components."
            )
        return [[item[p] for item in X] for p in range(size)]

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = self._components(X)
        right = [None] * len(left) if Z is None else self._components(Z)
        triples = zip(self.parts, left, right, strict=True)
        return reduce(mul, (part(x, z) for part, x, z in triples))

    def diagonal(self, X: Any) -> Vector:
        pairs = zip(self.parts, self._components(X), strict=True)
        return reduce(mul, (part.diagonal(x) for part, x in pairs))
