"""One pass over a stream of rows: a proximal step on the loss of each as it comes."""

from typing import Any

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, add, dot, entry, span
from infimum.typing import Indices, Vector

__all__ = ["yield_stream"]

#: The slots of a run's state that are used here; see `online_gradient`.
_TIME, _SCALE, _LAG, _INTERCEPT, _INTERCEPTS, _TERMS = range(6)


@inner_loop()
def _push(
    score: float, squares: float, y: float, prox: Any, parameters: Vector, most: float
) -> float:
    """Return how far along the row the score moves to its proximal point."""
    if squares == 0.0:
        return 0.0
    moved: float = (prox(y, score, most * squares, parameters) - score) / squares
    return moved


@inner_loop()
def _end_step(state: Vector, push: float, pace: tuple[float, ...]) -> None:
    state[_TIME] += 1.0
    state[_INTERCEPT] += pace[1] * push
    if 0.0 < pace[2] <= state[_TIME]:
        state[_LAG] += 1.0
        state[_INTERCEPTS] += state[_INTERCEPT]
        state[_TERMS] += 1.0


@loop()
def yield_stream(
    rows: Rows,
    samples: tuple[Vector, Vector],
    order: Indices,
    prox: Any,
    parameters: Vector,
    scores: Vector,
    memory: tuple[Vector, Vector, Vector],
    pace: tuple[float, ...],
) -> None:
    """Move for each row that `order` names no further than its loss asks.

    `samples` are targets and weights; `memory` the stored vector, the running sum and
    the state. `pace` is (C, 1 with an intercept, the step at
    which averaging starts).
    """
    (y, weights), (stored, total, state) = samples, memory
    for i in order:
        score, squares = dot(rows, i, stored) + state[_INTERCEPT], 0.0
        begin, end = span(rows, i)
        for k in range(begin, end):
            squares += entry(rows, i, k) * entry(rows, i, k)
        scores[i] = score
        push = weights[i] * _push(score, squares, y[i], prox, parameters, pace[0])
        if push != 0.0:
            add(rows, i, push, stored)
            if total.size > 0:
                add(rows, i, -state[_LAG] * push, total)
        _end_step(state, push, pace)
