"""The best intercept for given scores: a convex problem in one number."""

from infimum.losses import Loss
from infimum.objectives import LinearRisk
from infimum.typing import Vector

__all__ = ["best_intercept"]

MAX_HALVINGS = 60


def best_intercept(risk: LinearRisk, scores: Vector) -> float:
    """Return the b that minimises the mean loss of ``scores + b``, by bisection.

    Works for every convex scalar loss, kinks included: the weighted sum of slopes is
    an increasing function of b, and its sign tells on which side the minimum lies.
    """
    if not risk.intercept:
        return 0.0
    loss = risk.loss
    assert isinstance(loss, Loss)

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
        slope = total(middle)
        if slope == 0.0:
            return middle
        low, high = (middle, high) if slope < 0 else (low, middle)
    return float(0.5 * (low + high))
