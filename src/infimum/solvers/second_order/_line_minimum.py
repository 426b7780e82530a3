"""The exact minimum of a smooth risk along a line, from scores alone."""

from __future__ import annotations

import numpy as np

from infimum.objectives import Evaluation
from infimum.typing import Vector

__all__ = ["minimum_along", "shifted"]

HALVINGS = 60


def minimum_along(
    here: Evaluation,
    direction: Vector,
    shift: Vector,
    longest: float = np.inf,
    share: float = 0.0,
) -> float:
    """Return the step in [0, longest] that minimises the risk along a direction.

    Bisection on the derivative, which rises along the line because the risk is convex;
    a quadratic penalty counts, any other is taken to be constant on the way. `shift` is
    the change of the scores per unit of step: no product with the design is needed. A
    step that leaves no more than a `share` of the first slope will do.
    """
    first = _slope(here, direction, shift, 0.0)
    if first >= 0.0:
        return 0.0
    low, high, enough = 0.0, min(1.0, longest), -share * first
    while (slope := _slope(here, direction, shift, high)) < -enough:
        if high >= longest or high >= 2.0**HALVINGS:
            return high
        low, high = high, min(2.0 * high, longest)
    if slope <= enough:
        return high
    return _bisected(here, direction, shift, (low, high, enough))


def _bisected(
    here: Evaluation, direction: Vector, shift: Vector, between: tuple[float, ...]
) -> float:
    """Return where between two steps the slope is small enough, or changes its sign."""
    low, high, enough = between
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if middle in {low, high}:
            break
        slope = _slope(here, direction, shift, middle)
        if abs(slope) <= enough:
            return middle
        low, high = (middle, high) if slope < 0.0 else (low, middle)
    return 0.5 * (low + high)


def shifted(here: Evaluation, direction: Vector) -> Vector:
    """Return the change of the scores per unit of step along a direction."""
    offset = 0.0 if here.risk.offset is None else here.risk.offset
    return np.asarray((here.risk.scores(direction).T - offset).T)


def _slope(here: Evaluation, direction: Vector, shift: Vector, step: float) -> float:
    risk = here.risk
    slopes = risk.loss.derivative(risk.y, here.scores + step * shift)
    pull = float(np.sum((slopes * shift).T * risk.weights))
    strength = risk.penalty.quadratic or 0.0
    if strength:
        w = here.point[:-1] + step * direction[:-1]
        pull += strength * float(np.sum(w * direction[:-1]))
    # Beyond the domain of a loss the slopes are no numbers: that is too far.
    return pull if np.isfinite(pull) else np.inf
