"""Steps where the curvature at a point says little: its mean over a window does.

A loss that is flat in places (Huber's beyond delta, the squared hinge beyond its
margin) bends at few samples at a time, and which these are changes within a step. The
quadratic model of such a point is right for a tiny neighbourhood only. The mean
curvature over the distance that the scores have just moved is right for a step of that
length, and turns into the curvature at the point as the steps get short.
"""

from __future__ import annotations

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation
from infimum.solvers._line_search import backtrack
from infimum.solvers.second_order._line_minimum import minimum_along, shifted
from infimum.typing import Vector

__all__ = ["fits", "next_width", "wide_search", "widened"]

#: A model fits when its step leaves at most this share of the slope along it.
LEFT = 0.5
#: A line search may leave this share of the slope.
ROUGHLY = 0.1
#: The half width of the next window, as a share of the distance the scores have moved.
SHARE = 0.5


def fits(here: Evaluation, there: Evaluation, direction: Vector) -> bool:
    """Tell whether a whole step went about as far as its quadratic model promised.

    How steep it is there follows from the scores, without another product with X.
    """
    before = np.vdot(here.gradient, direction)
    after = np.vdot(there.weighted_slopes, there.scores - here.scores)
    pull = here.risk.penalty.quadratic or 0.0
    after += pull * np.vdot(there.point[:-1], direction[:-1])
    return bool(abs(after) <= LEFT * abs(before))


def widened(here: Evaluation, width: float) -> Evaluation:
    """Return the same point with mean curvatures over scores up to `width` away."""
    risk = here.risk
    assert isinstance(risk.loss, Loss)
    return here.under(risk).told(bends=_mean_bends(here, risk.loss, width))


def _mean_bends(here: Evaluation, loss: Loss, width: float) -> Vector:
    y, f = here.risk.y, here.scores
    if np.isfinite(width):
        ahead, behind = loss.derivative(y, f + width), loss.derivative(y, f - width)
        bends = (ahead - behind) / (2.0 * width)
        if np.isfinite(bends).all():
            return np.maximum(bends, 0.0)
    most = loss.curvature
    if not np.isfinite(most):
        most = float(here.bends.max(initial=0.0)) or 1.0
    return np.full(len(y), most)


def wide_search(
    here: Evaluation, direction: Vector, promised: float
) -> tuple[Evaluation, float] | None:
    """Return about the best point along `direction` and the width of the next window.

    None when no step helps.
    """
    shift = shifted(here, direction)
    step = minimum_along(here, direction, shift, share=ROUGHLY)
    found = backtrack(here, direction, promised, step, shift) if step > 0.0 else None
    if found is None:
        return None
    return found[0], next_width(here, found[0])


def next_width(here: Evaluation, there: Evaluation) -> float:
    """Return the width of the window for the step after one that ended there."""
    moved = there.scores - here.scores
    return SHARE * float(np.sqrt(here.risk.weights @ moved**2)) or np.inf
