"""Interval bisection of a slope, with a certificate."""

from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, nonnegative
from infimum.study.convexity.convex_function import ConvexFunction
from infimum.typing import Matrix

__all__ = ["Bracket", "bisect"]


@dataclass(frozen=True, eq=False)
class Bracket:
    """An interval that holds a minimiser, and the intervals it was cut from."""

    intervals: Matrix
    steepest: float

    @property
    def point(self) -> float:
        """The middle of the last interval."""
        return float(np.mean(self.intervals[-1]))

    @property
    def iterations(self) -> int:
        """The number of halvings."""
        return len(self.intervals) - 1

    @property
    def bound(self) -> float:
        """An upper bound on value minus minimum, anywhere in the last interval."""
        low, high = self.intervals[-1]
        return float(high - low) * self.steepest


def bisect(
    function: ConvexFunction, low: float, high: float, tolerance: float = 1e-8
) -> Bracket:
    r"""Halve an interval by the sign of the slope until the value is certain.

    With slopes :math:`f'(L) < 0 < f'(U)`, each point of an interval that holds the
    minimiser is worse than it by at most the width times the steepest slope
    :math:`G = \max(-f'(L), f'(U))`. So :math:`\log_2((U - L) G / \epsilon)` halvings,
    rounded up, certify :math:`\epsilon`; the slope at one end alone would not do. With
    tolerance 0 the interval shrinks until no number lies between its ends.

    >>> import numpy as np
    >>> from infimum.study.convexity import Quadratic
    >>> bowl = Quadratic(np.eye(1), np.array([-1.0]))
    >>> bracket = bisect(bowl, -4.0, 4.0, tolerance=1e-6)
    >>> abs(bracket.point - 1.0) < 1e-6, bracket.iterations
    (True, 26)
    """
    check_domain("bisect tolerance", tolerance, nonnegative)
    at_low, at_high = _slope(function, low), _slope(function, high)
    if not at_low < 0.0 < at_high:
        raise DataError(
            "bisect needs a negative slope at the low end and a positive one at the "
            f"high end, got {at_low:.3g} at {low:g} and {at_high:.3g} at {high:g}."
        )
    steepest = max(-at_low, at_high)
    intervals = [(low, high)]
    while (high - low) * steepest > tolerance:
        middle = low + 0.5 * (high - low)
        if middle in (low, high):
            break
        if _slope(function, middle) > 0.0:
            high = middle
        else:
            low = middle
        intervals.append((low, high))
    return Bracket(np.array(intervals), steepest)


def _slope(function: ConvexFunction, t: float) -> float:
    return float(function.gradient(np.array([t]))[0])
