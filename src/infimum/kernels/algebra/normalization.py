"""Normalised kernel: cosines in feature space."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel
from infimum.typing import Matrix, Vector

__all__ = ["Normalized", "normalize_gram"]


@dataclass(frozen=True)
class Normalized(Kernel):
    r"""A kernel whose things all have length 1 in feature space.

    .. math:: \hat k(x, z) = \frac{k(x, z)}{\sqrt{k(x, x)\,k(z, z)}}

    The cosine of the angle between the two feature vectors. A thing without length,
    such as an empty string, is similar to nothing, itself included: its values are 0.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.kernels import Linear
    >>> Normalized(Linear())(np.array([[3.0, 4.0]]), np.array([[2.0, 0.0]])).round(6)
    array([[0.6]])
    """

    _hands_on = True

    kernel: Kernel

    @property
    def definite(self) -> bool:
        """Whether the kernel before normalisation is positive semi-definite."""
        return self.kernel.definite

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        gram = self.kernel(X, Z)
        left = _inverse_lengths(self.kernel.diagonal(X))
        right = left if Z is None else _inverse_lengths(self.kernel.diagonal(Z))
        # The outer product first: multiplying by one side, then the other would
        # round (i, j) and (j, i) differently.
        out = np.asarray(gram * np.multiply.outer(left, right).astype(gram.dtype))
        if Z is None:
            np.fill_diagonal(out, left > 0)
        return out

    def diagonal(self, X: Any) -> Vector:
        lengths = self.kernel.diagonal(X)
        return np.asarray((_inverse_lengths(lengths) > 0).astype(lengths.dtype))


def normalize_gram(gram: Matrix) -> Matrix:
    """Return a square Gram matrix with 1 on its diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> normalize_gram(np.array([[4.0, 3.0], [3.0, 9.0]]))
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    factors = _inverse_lengths(np.asarray(gram).diagonal())
    return np.asarray(gram * np.multiply.outer(factors, factors))


def _inverse_lengths(diagonal: Vector) -> Vector:
    if (diagonal < 0).any():
        raise DataError(
            "Normalized needs k(x, x) ≥ 0, got a negative one: the kernel is not "
            "positive semi-definite."
        )
    lengths = np.sqrt(diagonal)
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
