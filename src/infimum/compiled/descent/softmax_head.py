"""The end of a network of several classes: loss and derivative in one pass."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop

__all__ = ["softmax_head"]


@loop(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def softmax_head(
    Y: Any, scores: Any, weights: Any, least: float, most: float, delta: Any
) -> float:
    """Write the derivative of each sample's loss; return the weighted mean loss.

    Losses are cut off at `least` and `most`; no weights mean equal ones.
    """
    n, k = scores.shape
    loss = total = 0.0
    for i in range(n):
        top = scores[i, 0]
        for j in range(1, k):
            top = max(top, scores[i, j])
        mass = own = scores[i, 0] - scores[i, 0]
        for j in range(k):
            share = np.exp(scores[i, j] - top)
            delta[i, j] = share
            mass += share
            own += scores[i, j] * Y[i, j]
        cost = np.log(mass) + top - own
        if cost < least:  # what is no number stays none
            cost = least
        elif cost > most:
            cost = most
        weight = weights[i] if weights.size else 1.0
        loss += weight * cost
        total += weight
        for j in range(k):
            delta[i, j] = delta[i, j] / mass - Y[i, j]
    return float(loss / total)
