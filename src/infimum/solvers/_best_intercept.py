"""The best intercept for given scores: a convex problem in one number."""

import numpy as np

from infimum.losses import Loss
from infimum.objectives import LinearRisk
from infimum.typing import Vector

__all__ = ["best_intercept"]

MAX_HALVINGS = 60


def best_intercept(risk: LinearRisk, scores: Vector) -> float:
    """Return the b that minimises the mean loss of ``scores + b``.

    For piecewise linear losses a sort finds it exactly; else bisection, which works for
    every convex scalar loss: the weighted sum of slopes is an increasing function of b,
    and its sign tells on which side the minimum lies.
    """
    if not risk.intercept:
        return 0.0
    loss = risk.loss
    assert isinstance(loss, Loss)
    if (pieces := loss.pieces(risk.y)) is not None:
        return _weighted_quantile(risk.weights, scores, pieces)

    return _bisect(risk, loss, scores)


def _bisect(risk: LinearRisk, loss: Loss, scores: Vector) -> float:
    def total(b: float) -> float:
        return float(risk.weights @ loss.derivative(risk.y, scores + b))

    width = 1.0
    low, high = -width, width
    while total(low) > 0 and width < 2.0**60:
        width *= 2.0
        low, high = -width, low
    while total(high) < 0 and width < 2.0**60:
        width *= 2.0
        low, high = high, width
    for _ in range(MAX_HALVINGS):
        middle = 0.5 * (low + high)
        if high - low <= 1e-12 * max(1.0, abs(middle)):
            break
        low, high = (middle, high) if total(middle) < 0 else (low, middle)
    return 0.5 * (low + high)


def _weighted_quantile(
    weights: Vector, scores: Vector, pieces: list[tuple[Vector, Vector, Vector]]
) -> float:
    """Return the first breakpoint at which the total slope stops being negative."""
    places = np.concatenate([kink - scores for kink, _, _ in pieces])
    jumps = np.concatenate([weights * (high - low) for _, low, high in pieces])
    start = float(sum(weights @ low for _, low, _ in pieces))
    order = np.argsort(places)
    slope = start + np.cumsum(jumps[order])
    first = min(int(np.searchsorted(slope, 0.0)), len(order) - 1)
    return float(places[order[first]])
