"""Newton's method in coefficients and noise scale together."""

from __future__ import annotations

import numpy as np

from infimum.limits import in_time
from infimum.objectives import ConcomitantRisk
from infimum.solvers.second_order._newton_direction import factorized
from infimum.typing import Matrix, Vector

__all__ = ["descend_jointly"]

#: More unknowns than this are left to a method that never makes the whole matrix.
LARGEST_SYSTEM = 500
MOST_STEPS = 4
#: A step that promises less than this share of the value is the last one.
SETTLED = 1e-22
SHORTEST = 1e-3


def descend_jointly(
    joint: ConcomitantRisk, point: Vector, sigma: float
) -> tuple[Vector, float]:
    """Return a point and its best scale a few steps lower, if any step is.

    The scale is always the best one for the point, so that only the coefficients are
    searched; but steps are Newton's for both, which sees the scale move with them.
    """
    residuals = joint.residuals(point)
    value = joint.value(point, sigma)
    if joint.design.shape[1] > LARGEST_SYSTEM or not np.isfinite(value):
        return point, sigma
    for _ in in_time(range(MOST_STEPS)):
        if sigma <= 0.0:
            break
        gradient, hessian = _slopes_and_bends(joint, point, residuals, sigma)
        step = factorized(hessian, gradient)
        if not -float(gradient @ step) > SETTLED * abs(value):
            break
        share = 1.0
        while share >= SHORTEST:
            there = point + share * step[:-1]
            left = joint.residuals(there)
            scale = joint.best_scale(left)
            lower = joint.value(there, scale)
            if lower <= value:
                break
            share *= 0.5
        else:
            break
        settled = lower == value
        point, residuals, sigma, value = there, left, scale, lower
        if settled:
            break
    return point, sigma


def _slopes_and_bends(
    joint: ConcomitantRisk, point: Vector, residuals: Vector, sigma: float
) -> tuple[Vector, Matrix]:
    """Return gradient and Hessian in (w, b, σ)."""
    d = joint.design.shape[1]
    ratio = residuals / sigma
    slopes = np.clip(ratio, -joint.epsilon, joint.epsilon)
    pull = 2.0 * joint.weights * slopes
    gradient = np.empty(d + 2)
    gradient[:d] = joint.design.pull_back(pull)
    gradient[:d] += 2.0 * joint.strength * point[:-1]
    gradient[d] = pull.sum() if joint.intercept else 0.0
    gradient[d + 1] = 1.0 - joint.weights @ slopes**2
    bend = 2.0 * joint.weights / sigma * (np.abs(ratio) <= joint.epsilon)
    hessian = np.zeros((d + 2, d + 2))
    hessian[:d, :d] = joint.design.gram(bend)
    hessian[np.arange(d), np.arange(d)] += 2.0 * joint.strength
    tilted = -bend * ratio
    hessian[:d, d + 1] = hessian[d + 1, :d] = joint.design.pull_back(tilted)
    hessian[d + 1, d + 1] = bend @ ratio**2
    hessian[d, d] = 1.0
    if joint.intercept:
        hessian[:d, d] = hessian[d, :d] = joint.design.pull_back(bend)
        hessian[d, d] = bend.sum()
        hessian[d, d + 1] = hessian[d + 1, d] = tilted.sum()
    return gradient, hessian
