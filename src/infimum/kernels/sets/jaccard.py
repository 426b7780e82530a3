"""Jaccard kernel: the share that two bags have in common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from infimum.kernels._pairs import PairKernel

__all__ = ["Jaccard"]


@dataclass(frozen=True)
class Jaccard(PairKernel):
    r"""Common members over all members, of sets or of bags with repetitions.

    .. math:: k(A, B) = \frac{\sum_m \min(A_m, B_m)}{\sum_m \max(A_m, B_m)}

    For sets it is :math:`|A ∩ B| / |A ∪ B|`. Two empty bags are equal: 1.

    Examples
    --------
    >>> Jaccard()([{1, 2, 3}, "aab"], [{2, 3, 4}, "ab"]).round(3)
    array([[0.5  , 0.   ],
           [0.   , 0.667]])
    """

    def _prepare(self, X: Sequence[Any]) -> Sequence[Counter[Any]]:
        return [Counter(thing) for thing in X]

    def _pair(self, x: Counter[Any], z: Counter[Any]) -> float:
        together = (x | z).total()
        return (x & z).total() / together if together else 1.0
