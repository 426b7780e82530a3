"""Jaccard kernel: the share that two bags have in common."""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.kernels._kernel import Kernel, size_of
from infimum.kernels.sets.intersection import SetIntersection
from infimum.typing import Matrix, Vector

__all__ = ["Jaccard"]


@dataclass(frozen=True)
class Jaccard(Kernel):
    r"""Common members over all members, of sets or of bags with repetitions.

    .. math:: k(A, B) = \frac{\sum_m \min(A_m, B_m)}{\sum_m \max(A_m, B_m)}

    For sets it is :math:`|A ∩ B| / |A ∪ B|`. Two empty bags are equal: 1.

    Examples
    --------
    >>> Jaccard()([{1, 2, 3}, "aab"], [{2, 3, 4}, "ab"]).round(3)
    array([[0.5  , 0.   ],
           [0.   , 0.667]])
    """

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        left = [set(_numbered(bag)) for bag in X]
        right = left if Z is None else [set(_numbered(bag)) for bag in Z]
        common = SetIntersection()(left, None if Z is None else right)
        sizes = np.array([len(bag) for bag in left], dtype=np.float64)
        others = np.array([len(bag) for bag in right], dtype=np.float64)
        together = np.add.outer(sizes, others) - common
        return np.divide(common, together, out=np.ones_like(common), where=together > 0)

    def diagonal(self, X: Any) -> Vector:
        return np.ones(size_of(X))


def _numbered(bag: Any) -> Iterator[tuple[Hashable, int]]:
    """Yield the members, the copies of one told apart by numbers: a set again."""
    for member, times in Counter(bag).items():
        yield from ((member, copy) for copy in range(times))
