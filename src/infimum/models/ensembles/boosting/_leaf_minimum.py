"""The number that, added to some scores, lowers a convex loss most."""

from __future__ import annotations

import numpy as np

from infimum.losses import Loss
from infimum.typing import Vector

__all__ = ["leaf_minimum"]

#: Slopes this small, relative to all slopes together, are 0.
ROUNDING = 1e-12
STEPS = 100


def leaf_minimum(
    loss: Loss, y: Vector, scores: Vector, weights: Vector, l2: float
) -> float:
    """Return the v that minimises Σ w·ℓ(y, scores + v) + l2·v²/2.

    For a sum of kinks this is exact: a weighted median or quantile of where the kinks
    lie; in the middle, where a whole interval is best. Otherwise slopes are followed
    by Newton's steps that stay between points known to lie on both sides.
    """
    pieces = loss.pieces(y)
    if pieces is not None:
        kinks = np.concatenate([kink - scores for kink, _, _ in pieces])
        low = np.concatenate([low * weights for _, low, _ in pieces])
        high = np.concatenate([high * weights for _, _, high in pieces])
        return _among_kinks(kinks, low, high, l2)
    return _between(loss, y, scores, weights, l2)


def _among_kinks(kinks: Vector, low: Vector, high: Vector, l2: float) -> float:
    order = np.argsort(kinks, kind="stable")
    kinks, jumps = kinks[order], (high - low)[order]
    after = low.sum() + np.cumsum(jumps)
    blur = ROUNDING * float(np.abs(low).sum() + np.abs(high).sum())
    at = int(np.searchsorted(after + l2 * kinks, -blur))
    if at == len(kinks):  # the loss falls forever
        return float(kinks[-1])
    before = after[at] - jumps[at]
    if l2 > 0 and before + l2 * kinks[at] > blur:
        return float(-before / l2)
    if l2 == 0 and abs(after[at]) <= blur:
        # Flat from here to the next kink that bends: any point of it is best.
        ahead = np.flatnonzero(after[at:] > blur)
        if len(ahead):
            return float(0.5 * (kinks[at] + kinks[at + ahead[0]]))
    return float(kinks[at])


def _between(
    loss: Loss, y: Vector, scores: Vector, weights: Vector, l2: float
) -> float:
    def slope(v: float) -> float:
        return float(weights @ loss.derivative(y, scores + v)) + l2 * v

    low, high, width = -np.inf, np.inf, 1.0
    v, here = 0.0, slope(0.0)
    scale = float(weights.sum())
    for _ in range(STEPS):
        if abs(here) <= ROUNDING * scale:
            break
        low, high = (v, high) if here < 0 else (low, v)
        step = -here / _bend(loss, y, scores + v, weights, l2)
        if not low < v + step < high or abs(step) > 1e6 * width:
            width *= 2.0
            step = (
                (width if here < 0 else -width)
                if np.isinf(high - low)
                else (0.5 * (low + high) - v)
            )
        if v + step == v:
            break
        v += step
        here = slope(v)
    return v


def _bend(loss: Loss, y: Vector, f: Vector, weights: Vector, l2: float) -> float:
    if not loss.smooth:
        return 1e-300
    return max(float(weights @ loss.hessian(y, f)) + l2, 1e-300)
