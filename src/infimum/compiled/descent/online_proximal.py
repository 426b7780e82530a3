"""One pass over a stream of rows: a proximal step on the loss of each as it comes."""

from typing import Any

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["yield_dense", "yield_sparse"]

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
def yield_dense(
    X: Matrix,
    y: Vector,
    weights: Vector,
    order: Indices,
    prox: Any,
    parameters: Vector,
    scores: Vector,
    stored: Vector,
    total: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> None:
    """Move for each row that `order` names no further than its loss asks.

    `pace` is (C, 1 with an intercept, the step at which averaging starts).
    """
    for i in order:
        score, squares = state[_INTERCEPT], 0.0
        for j in range(stored.size):
            score += X[i, j] * stored[j]
            squares += X[i, j] * X[i, j]
        scores[i] = score
        push = weights[i] * _push(score, squares, y[i], prox, parameters, pace[0])
        if push != 0.0:
            for j in range(stored.size):
                stored[j] += push * X[i, j]
            if total.size > 0:
                for j in range(stored.size):
                    total[j] -= state[_LAG] * push * X[i, j]
        _end_step(state, push, pace)


@loop()
def yield_sparse(
    starts: Indices,
    places: Indices,
    entries: Vector,
    y: Vector,
    weights: Vector,
    order: Indices,
    prox: Any,
    parameters: Vector,
    scores: Vector,
    stored: Vector,
    total: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> None:
    """Do the same as `yield_dense` for rows in compressed form."""
    for i in order:
        row = range(starts[i], starts[i + 1])
        score, squares = state[_INTERCEPT], 0.0
        for place in row:
            score += entries[place] * stored[places[place]]
            squares += entries[place] * entries[place]
        scores[i] = score
        push = weights[i] * _push(score, squares, y[i], prox, parameters, pace[0])
        if push != 0.0:
            for place in row:
                stored[places[place]] += push * entries[place]
            if total.size > 0:
                for place in row:
                    total[places[place]] -= state[_LAG] * push * entries[place]
        _end_step(state, push, pace)
