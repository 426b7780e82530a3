"""Which coefficients to work on: those that move, and those that may."""

import numpy as np

from infimum.certificates import feasible_correlation
from infimum.objectives import Evaluation
from infimum.penalties import SeparablePenalty
from infimum.typing import Indices, Mask, Vector

__all__ = ["choose_columns", "screen"]

#: Gram matrices of working sets do not grow beyond this many columns.
LARGEST_SET = 2_000
SMALLEST_SET = 50


def screen(here: Evaluation, alive: Mask, norms: Vector) -> None:
    """Strike out the features that are provably 0 at the optimum (gap-safe rule).

    The dual objective is strongly concave, so the optimal slopes lie in a ball around
    any feasible ones, with a radius given by the gap; a feature whose correlation stays
    below the corner of the penalty throughout that ball has coefficient 0.
    """
    penalty, loss = here.risk.penalty, here.risk.loss
    assert isinstance(penalty, SeparablePenalty)
    if not np.any(penalty.corner) or not np.isfinite(loss.curvature):
        return
    dual, correlation = feasible_correlation(here)
    radius = np.sqrt(2.0 * loss.curvature * max(here.value - dual, 0.0))
    if np.isfinite(radius):
        alive &= np.abs(correlation) + radius * norms >= penalty.corner


def choose_columns(here: Evaluation, alive: Mask) -> Indices:
    """Return the features in use and the most promising others, in order."""
    penalty, w = here.risk.penalty, here.point[:-1]
    assert isinstance(penalty, SeparablePenalty)
    candidates = np.flatnonzero(alive)
    if not np.any(penalty.corner) and len(candidates) <= LARGEST_SET:
        return candidates
    promise = (np.abs(here.pulled_back) - penalty.corner)[candidates]
    if not np.any(penalty.corner):
        residual = w - penalty.prox(w - here.pulled_back, 1.0)
        promise = np.abs(residual)[candidates]
    used = w[candidates] != 0.0
    promise[used] = np.inf
    size = int(np.clip(2 * used.sum(), SMALLEST_SET, LARGEST_SET))
    if size >= len(candidates):
        return candidates
    best = np.argpartition(-promise, size - 1)[:size]
    return np.sort(candidates[best])
