"""Dominance of ROC curves: which of two classifiers is better, and where."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.evaluation.curves import RocCurve
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Vector

__all__ = ["Dominance", "compare_roc"]


@dataclass(frozen=True)
class Dominance(PlainRecord, told=("verdict", "sentence")):
    """The false positive rates at which each of two ROC curves lies higher.

    `first` and `second` are intervals (from, to), disjoint and in order; where neither
    is listed the curves agree.
    """

    first: tuple[tuple[float, float], ...]
    second: tuple[tuple[float, float], ...]

    @property
    def verdict(self) -> str:
        """Which classifier is superior everywhere, or that the curves cross."""
        if self.first and self.second:
            return "crossing"
        if self.first:
            return "first"
        return "second" if self.second else "equal"

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.verdict == "equal":
            return "The two curves are the same."
        if self.verdict != "crossing":
            return f"The {self.verdict} classifier is at least as good everywhere."
        return (
            f"The first is better for false positive rates in {_listed(self.first)}, "
            f"the second in {_listed(self.second)}."
        )


def compare_roc(first: RocCurve, second: RocCurve) -> Dominance:
    """Compare two ROC curves at every false positive rate.

    Both are straight between their points, so it is enough to look at the points of
    both and at the crossings between them.

    Examples
    --------
    >>> from infimum.evaluation import compare_roc, roc_curve
    >>> truth = [0, 0, 1, 1]
    >>> compare_roc(roc_curve(truth, [1, 2, 3, 4]), roc_curve(truth, [1, 3, 2, 4])).verdict
    'first'
    """  # noqa: E501
    rates = np.union1d(first.false_positive_rate, second.false_positive_rate)
    # The curves may jump: each breakpoint is seen from the left and from the right.
    left = _heights(first, rates, "left") - _heights(second, rates, "left")
    right = _heights(first, rates, "right") - _heights(second, rates, "right")
    pieces: dict[bool, list[list[float]]] = {True: [], False: []}
    for place in range(len(rates) - 1):
        start, end = float(right[place]), float(left[place + 1])
        for low, high, value in _signs(rates[place], rates[place + 1], start, end):
            found = pieces[value > 0]
            if found and found[-1][1] == low:
                found[-1][1] = high
            else:
                found.append([low, high])
    return Dominance(*(tuple((a, b) for a, b in pieces[k]) for k in (True, False)))


def _signs(
    low: Any, high: Any, start: float, end: float
) -> list[tuple[float, float, float]]:
    """Split a stretch, on which the difference is linear, where it changes sign."""
    low, high = float(low), float(high)
    tiny = 1e-12
    start, end = (0.0 if abs(value) < tiny else value for value in (start, end))
    if start * end >= 0:
        either = start or end
        return [(low, high, either)] if either else []
    middle = low + (high - low) * start / (start - end)
    return [(low, middle, start), (middle, high, end)]


def _heights(curve: RocCurve, rates: Vector, side: str) -> Vector:
    """Return the curve's height just left or right of each rate."""
    across, up = curve.false_positive_rate, curve.true_positive_rate
    heights = np.interp(rates, across, up)
    for place, rate in enumerate(rates):
        here = up[across == rate]
        if len(here):
            heights[place] = here.min() if side == "left" else here.max()
    return heights


def _listed(stretches: tuple[tuple[float, float], ...]) -> str:
    return " and ".join(f"[{low:.3g}, {high:.3g}]" for low, high in stretches)
