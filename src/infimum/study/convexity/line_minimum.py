"""Minimising a convex function of one number that may be infinite almost anywhere."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Vector

__all__ = ["Enclosure", "enclose_minimum", "golden_section", "minimize_on_line"]

_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
_FARTHEST = 1e9
_FINEST = 1e-18


def minimize_on_line(
    function: Callable[[float], float], centres: Sequence[float] = (0.0,)
) -> float:
    """Return the minimiser of a convex function, to a relative 1e-8 of its position.

    The search starts from points at every scale around the given centres; convexity
    makes the neighbours of the best one a bracket. One centre should lie in the domain
    or within its own size of it. Infinity is returned, with its sign, when the
    function still falls at 1e9.
    """
    seeds = _seeds(centres)
    values = np.array([function(float(t)) for t in seeds])
    # Of equal values the one nearest to the first centre: a flat end is no descent.
    best = int(np.lexsort((np.abs(seeds - centres[0]), values))[0])
    if best in (0, seeds.size - 1) and np.isfinite(values[best]):
        return float(np.copysign(np.inf, seeds[best]))
    inner = float(seeds[best])
    candidates = [
        inner,
        golden_section(function, float(seeds[max(best - 1, 0)]), inner),
        golden_section(function, float(seeds[min(best + 1, seeds.size - 1)]), inner),
    ]
    return min(candidates, key=function)


def golden_section(
    function: Callable[[float], float],
    outer: float,
    inner: float,
    tolerance: float = 1e-12,
) -> float:
    """Return the minimiser between two ends, shrinking by 0.618 a step.

    Among equal values, finite or infinite, the search keeps to the side of `inner`,
    which must belong to the domain when the function is infinite somewhere.

    >>> round(golden_section(lambda t: (t - 1.0) ** 2, 0.0, 3.0), 6)
    1.0
    """
    near = inner + _GOLDEN**2 * (outer - inner)
    far = inner + _GOLDEN * (outer - inner)
    at_near, at_far = function(near), function(far)
    while abs(outer - inner) > tolerance * (abs(outer) + abs(inner)) + _FINEST:
        if at_near <= at_far:
            outer, far, at_far = far, near, at_near
            near = inner + _GOLDEN**2 * (outer - inner)
            at_near = function(near)
        else:
            inner, near, at_near = near, far, at_far
            far = inner + _GOLDEN * (outer - inner)
            at_far = function(far)
    return min((near, far, inner), key=function)


def _seeds(centres: Sequence[float]) -> Vector:
    scales = np.logspace(-9, 9, 73)
    ladder = np.concatenate([-scales[::-1], [0.0], scales])
    spread = np.concatenate([centre + ladder for centre in centres])
    return np.unique(np.clip(spread, -_FARTHEST, _FARTHEST))


@dataclass(frozen=True)
class Enclosure:
    """An interval that holds a minimiser, its best point, and a proof of how good.

    `gap` bounds the value at the point minus the minimum over the first interval.
    """

    low: float
    high: float
    point: float
    value: float
    gap: float
    evaluations: int


def enclose_minimum(
    function: Callable[[float], float],
    low: float,
    high: float,
    tolerance: float = 1e-8,
) -> Enclosure:
    r"""Minimise a convex function on an interval by its values alone, with a proof.

    A chord of a convex function, extended beyond its ends, lies below the function. So
    with :math:`a < b < c` and the least value at b, the minimum is at most

    .. math:: \max\Bigl(\frac{f(c)-f(b)}{c-b}(b-a),\; \frac{f(a)-f(b)}{b-a}(c-b)\Bigr)

    below f(b). The longer of the two parts is cut by the golden section until that is
    within the tolerance, or until floating point has no number in between.

    >>> found = enclose_minimum(lambda t: abs(t - 1.0), 0.0, 3.0)
    >>> found.gap <= 1e-8, abs(found.point - 1.0) <= 1e-8
    (True, True)
    """
    check_domain("enclose_minimum tolerance", tolerance, nonnegative)
    if not low < high:
        raise DataError(
            "enclose_minimum needs a low end below the high end, "
            f"got {low:g} and {high:g}."
        )
    middle = low + _GOLDEN**2 * (high - low)
    points = [(t, function(t)) for t in (float(low), middle, float(high))]
    evaluations = 3
    while _shortfall(points) > tolerance:
        (a, _), (b, _), (c, _) = points
        t = b + _GOLDEN**2 * (c - b) if c - b > b - a else b - _GOLDEN**2 * (b - a)
        if t in (a, b, c):
            break
        points = _around_least(sorted([*points, (t, function(t))]))
        evaluations += 1
    point, value = min(points, key=lambda pair: pair[1])
    gap = max(_shortfall(points), 0.0)
    return Enclosure(points[0][0], points[-1][0], point, value, gap, evaluations)


def _around_least(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Keep the three neighbours among four points that hold the minimiser."""
    least = min(range(4), key=lambda i: points[i][1])
    first = min(max(least - 1, 0), 1)
    return points[first : first + 3]


def _shortfall(points: list[tuple[float, float]]) -> float:
    """Return how far below its least value a convex function may be on an interval.

    Where an end is least, the chord through the others bounds the part next to it.
    """
    (a, at_a), (b, at_b), (c, at_c) = points
    right, left = (at_c - at_b) / (c - b), (at_b - at_a) / (b - a)
    lowest = min(at_a, at_b, at_c)
    on_left = at_b - max(right, 0.0) * (b - a)
    on_right = at_b + min(left, 0.0) * (c - b)
    return lowest - min(lowest, on_left, on_right)
