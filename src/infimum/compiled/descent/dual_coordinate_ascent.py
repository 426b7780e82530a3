"""One pass of dual coordinate ascent: each sample improves its own slope in turn."""

from typing import Any

from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, add, dot
from infimum.typing import Indices, Vector

__all__ = ["ascend"]

#: Reductions may be reordered, so that they run on vector registers; infinities and
#: NaN keep their meaning.
_REORDER = {"reassoc", "contract"}
#: Changes of a slope this small are rounding.
STILL = 1e-14


@loop(fastmath=_REORDER)
def ascend(
    rows: Rows,
    samples: tuple[Vector, Vector, Vector],
    order: Indices,
    state: tuple[Vector, Indices, Vector],
    intercept: float,
    pace: tuple[float, float, int],
    prox: Any,
    parameters: Vector,
    hinge: bool,  # noqa: FBT001
) -> float:
    """Update the slopes in `order`, with w and the intercept kept in step.

    `samples` are targets, shares and steps; `state` slopes, how often in a row each
    stood still, and w. `pace` is (1/strength, gain of the
    intercept, patience): a sample that stood still more than `patience` times in a row
    is passed over. The hinge has its formula here: behind a pointer it takes a fifth
    of the time of a pass over short rows. Returns the intercept.
    """
    (y, shares, steps), (slopes, idle, w) = samples, state
    gain, push, patience = pace
    for i in order:
        if idle[i] > patience:
            continue
        ahead = intercept + dot(rows, i, w) + steps[i] * slopes[i]
        if hinge:
            pull = (1.0 - y[i] * ahead) / steps[i]
            change = -y[i] * min(max(pull, 0.0), 1.0) - slopes[i]
        else:
            nearer = prox(y[i], ahead, steps[i], parameters)
            change = (ahead - nearer) / steps[i] - slopes[i]
        if abs(change) <= STILL:
            idle[i] += 1
            continue
        idle[i] = 0
        slopes[i] += change
        weighted = shares[i] * change
        add(rows, i, -gain * weighted, w)
        intercept -= push * weighted
    return intercept
