"""Minimising a convex function of one number that may be infinite almost anywhere."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from infimum.typing import Vector

__all__ = ["golden_section", "minimize_on_line"]

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
