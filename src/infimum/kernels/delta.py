"""Delta kernel: 1 for equal things, 0 otherwise."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel, size_of
from infimum.typing import Matrix, Vector

__all__ = ["Delta"]


@dataclass(frozen=True)
class Delta(Kernel):
    r"""1 for equal things, 0 for different ones: :math:`k(x, z) = 1[x = z]`.

    For labels, letters and anything hashable. The part from which kernels on
    structures are built.

    Examples
    --------
    >>> Delta()("ab", "ba")
    array([[0., 1.],
           [1., 0.]])
    """

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        known: dict[Hashable, int] = {}
        left = _codes(X, known)
        right = left if Z is None else _codes(Z, known)
        return np.equal.outer(left, right).astype(np.float64)

    def diagonal(self, X: Any) -> Vector:
        return np.ones(size_of(X))


def _codes(X: Any, known: dict[Hashable, int]) -> NDArray[np.int64]:
    try:
        codes = [known.setdefault(x, len(known)) for x in X]
    except TypeError:
        raise DataError("Delta compares texts, numbers and tuples, no rows.") from None
    return np.array(codes, dtype=np.int64)
