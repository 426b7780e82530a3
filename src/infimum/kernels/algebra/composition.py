"""Kernel after a map: things compared by what they are turned into."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Composed"]


@dataclass(frozen=True, eq=False)
class Composed(Kernel):
    r"""A kernel of images: :math:`k(ψ(x), ψ(z))` for any map ψ.

    With the linear kernel this is the kernel of the explicit feature map ψ.

    Parameters
    ----------
    kernel : Kernel
        k, a kernel on the images.
    mapping : callable or transformer
        ψ, called with one thing at a time; an object with a method ``transform`` is
        given the whole collection instead.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> sizes = Composed(Linear(), lambda word: [len(word), word.count("a")])
    >>> sizes(["banana", "plum"])
    array([[45., 24.],
           [24., 16.]])
    """

    kernel: Kernel
    mapping: Callable[[Any], Any] | Any

    @property
    def definite(self) -> bool:
        """Whether the kernel on the images is positive semi-definite."""
        return self.kernel.definite

    def _images(self, X: Any) -> Any:
        if hasattr(self.mapping, "transform"):
            return self.mapping.transform(X)
        return [self.mapping(x) for x in X]

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return self.kernel(self._images(X), None if Z is None else self._images(Z))

    def diagonal(self, X: Any) -> Vector:
        return self.kernel.diagonal(self._images(X))
