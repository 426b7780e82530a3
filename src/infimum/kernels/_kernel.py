"""`Kernel`: Gram matrix, diagonal, and the algebra that all kernels inherit."""

from abc import ABC, abstractmethod
from typing import Any

from infimum.parameters import check_domains
from infimum.typing import Matrix, Vector

__all__ = ["Kernel", "size_of"]


class Kernel(ABC):
    """k(x, z): an inner product ⟨Φ(x), Φ(z)⟩ in some feature space.

    A kernel sees two collections of things of one kind (rows of a matrix, strings,
    graphs, sets, …) and never needs Φ itself. Replacing ⟨x, z⟩ by k(x, z) turns a
    linear method into a kernel method. Kernels are closed under ``+``, ``*``, ``**``
    and scaling by numbers that are not negative. Subclasses are frozen dataclasses;
    the laws of `tests/laws` prove symmetry and positive semi-definiteness.
    """

    #: Whether it hands its things on to the kernels that it is made of.
    _hands_on = False

    __post_init__ = check_domains

    @property
    def definite(self) -> bool:
        """Whether every Gram matrix is positive semi-definite."""
        return True

    @property
    def reads_rows(self) -> bool:
        """Whether it, or a kernel that it is made of, compares rows of a table."""
        if not self._hands_on:
            return False
        inner = getattr(self, "parts", None) or (getattr(self, "kernel", None),)
        return any(getattr(part, "reads_rows", False) for part in inner)

    @abstractmethod
    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        """Return the Gram matrix of k(xᵢ, zⱼ); None stands for X, exactly symmetric."""

    @abstractmethod
    def diagonal(self, X: Any) -> Vector:
        """Return k(xᵢ, xᵢ) without forming the Gram matrix."""

    def __add__(self, other: "Kernel | float") -> "Kernel":
        from infimum.kernels.algebra.addition import Sum

        return Sum.of(self, _as_kernel(other))

    def __radd__(self, other: float) -> "Kernel":
        return self if other == 0 else _as_kernel(other) + self

    def __mul__(self, other: "Kernel | float") -> "Kernel":
        from infimum.kernels.algebra.multiplication import Product
        from infimum.kernels.algebra.scaling import Scaled

        if isinstance(other, Kernel):
            return Product.of(self, other)
        return Scaled(self, other)

    def __rmul__(self, other: float) -> "Kernel":
        return self * other

    def __pow__(self, degree: int) -> "Kernel":
        from infimum.kernels.algebra.power import Power

        return Power(self, degree)


def size_of(X: Any) -> int:
    """Return how many things a collection holds: rows of a matrix, items of a list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _as_kernel(part: Kernel | float) -> Kernel:
    from infimum.kernels.algebra.constant import Constant

    return part if isinstance(part, Kernel) else Constant(part)
