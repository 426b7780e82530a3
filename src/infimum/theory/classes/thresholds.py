"""Half-lines: all numbers from a threshold on."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.theory.classes._cuts import cut_between, cut_patterns, least_cut
from infimum.theory.classes._hypothesis_class import HypothesisClass, Minimum
from infimum.typing import Mask, Matrix, Vector

__all__ = ["HalfPlanesAbove", "Thresholds"]


@dataclass(frozen=True)
class Thresholds(HypothesisClass):
    """Functions that call a number positive if it is at least t.

    The VC dimension is 1 and n distinct points have n + 1 labellings.

    Examples
    --------
    >>> from infimum.theory import Thresholds
    >>> Thresholds().patterns([3.0, 1.0]).tolist()
    [[-1, -1], [1, -1], [1, 1]]
    >>> Thresholds().minimize([1, 2, 3, 4], [-1, 1, -1, 1])
    Minimum(parameters=2.0, risk=0.25)
    """

    dimension = 1
    vc_dimension = 1.0

    def _realize(self, points: Matrix, positive: Mask) -> Any:
        return cut_between(points[:, -1], positive)

    def _predict(self, parameters: Any, points: Matrix) -> Mask:
        return np.asarray(points[:, -1] >= parameters)

    def _patterns(self, points: Matrix) -> Mask:
        return cut_patterns(points[:, -1])

    def _minimize(self, points: Matrix, labels: Vector, weights: Vector) -> Minimum:
        return least_cut(points[:, -1], labels, weights)


@dataclass(frozen=True)
class HalfPlanesAbove(Thresholds):
    """Functions that call a point of the plane positive if it is high enough.

    Only the second number matters: points of equal height have equal labels, so that
    the count of labellings depends on the data.

    Examples
    --------
    >>> from infimum.theory import HalfPlanesAbove
    >>> len(HalfPlanesAbove().patterns([[0, 1], [5, 2], [9, 3]]))
    4
    >>> len(HalfPlanesAbove().patterns([[0, 1], [5, 1], [9, 1]]))
    2
    """

    dimension = 2
