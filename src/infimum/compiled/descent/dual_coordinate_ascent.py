"""One pass of dual coordinate ascent: each sample improves its own slope in turn."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ascend_dense", "ascend_sparse"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}
#: Changes of a slope this small are rounding.
STILL = 1e-14


@loop(fastmath=_REORDER)
def ascend_dense(
    X: Matrix,
    y: Vector,
    shares: Vector,
    steps: Vector,
    order: Indices,
    slopes: Vector,
    idle: Indices,
    w: Vector,
    intercept: float,
    pace: tuple[float, float, int],
    prox: Any,
    loss_parameters: Vector,
) -> float:
    """Update the slopes in `order`, with w and the intercept kept in step.

    `pace` is (1/strength, gain of the intercept, patience): a sample that stood still
    more than `patience` times in a row is passed over. Returns the intercept.
    """
    gain, push, patience = pace
    features = X.shape[1]
    for i in order:
        if idle[i] > patience:
            continue
        score = intercept
        for j in range(features):
            score += X[i, j] * w[j]
        ahead = score + steps[i] * slopes[i]
        nearer = prox(y[i], ahead, steps[i], loss_parameters)
        change = (ahead - nearer) / steps[i] - slopes[i]
        if abs(change) <= STILL:
            idle[i] += 1
            continue
        idle[i] = 0
        slopes[i] += change
        weighted = shares[i] * change
        for j in range(features):
            w[j] -= gain * weighted * X[i, j]
        intercept -= push * weighted
    return intercept


@loop(fastmath=_REORDER)
def ascend_sparse(
    starts: Indices,
    places: Indices,
    entries: Vector,
    y: Vector,
    shares: Vector,
    steps: Vector,
    order: Indices,
    slopes: Vector,
    idle: Indices,
    w: Vector,
    intercept: float,
    pace: tuple[float, float, int],
    prox: Any,
    loss_parameters: Vector,
    hinge: bool,  # noqa: FBT001
) -> float:
    """Do the same as `ascend_dense` for rows in compressed form.

    The hinge loss, for which such tables are made, has its formula here: behind a
    pointer it takes a fifth of the time.

    Places are unsigned here: to ask of each whether it counts from the end would cost
    as much as the product.
    """
    gain, push, patience = pace
    for i in order:
        if idle[i] > patience:
            continue
        begin, end = np.uintp(starts[i]), np.uintp(starts[i + 1])
        score = intercept
        for place in range(begin, end):
            score += entries[place] * w[np.uintp(places[place])]
        ahead = score + steps[i] * slopes[i]
        if hinge:
            pull = (1.0 - y[i] * ahead) / steps[i]
            change = -y[i] * min(max(pull, 0.0), 1.0) - slopes[i]
        else:
            nearer = prox(y[i], ahead, steps[i], loss_parameters)
            change = (ahead - nearer) / steps[i] - slopes[i]
        if abs(change) <= STILL:
            idle[i] += 1
            continue
        idle[i] = 0
        slopes[i] += change
        weighted = shares[i] * change
        intercept -= push * weighted
        weighted *= gain
        for place in range(begin, end):
            w[np.uintp(places[place])] -= weighted * entries[place]
    return intercept
