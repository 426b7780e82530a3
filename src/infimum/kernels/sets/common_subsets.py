"""Common subsets: sets compared by everything they both contain."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel
from infimum.kernels.sets.intersection import SetIntersection
from infimum.typing import Matrix, Vector

__all__ = ["CommonSubsets"]


@dataclass(frozen=True)
class CommonSubsets(Kernel):
    r"""Number of common subsets: :math:`k(A, B) = 2^{|A ∩ B|}`.

    Its features are all subsets, the empty one included. Normalise it for sets of
    many members.

    Examples
    --------
    >>> CommonSubsets()([{1, 2, 3}], [{2, 3, 4}, set()])
    array([[4., 1.]])
    """

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        return np.asarray(np.exp2(SetIntersection()(X, Z)))

    def diagonal(self, X: Any) -> Vector:
        return np.asarray(np.exp2(SetIntersection().diagonal(X)))
