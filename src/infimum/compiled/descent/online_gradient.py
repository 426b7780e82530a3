"""One pass over a stream of rows: a step down the loss of each as it comes."""

from typing import Any

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, add, dot, entry, fetch, place, span
from infimum.typing import Indices, Vector

__all__ = ["learn_stream"]

#: State of a run, one slot each: steps taken, scale of the stored weights, weight of
#: the stored vector in the running sum, intercept, sum of intercepts, number of terms
#: in both sums, pull of the lasso so far.
_SMALLEST_SCALE = 1e-9
#: Slopes beyond this are cut: one extreme row must not end in infinity.
_STEEPEST = 1e12
#: Rows between the one that is learnt and the one that is sent for.
_AHEAD = 4


@loop(inline="always")
def _length(time: float, pace: tuple[float, ...]) -> float:
    """Return the length of the step at that time."""
    numerator, shift, power = pace[0], pace[1], pace[2]
    if power == 0.0:
        return numerator
    if power == 1.0:
        return numerator / (shift + time)
    length: float = numerator / (shift + time) ** power
    return length


@inner_loop()
def _write_out(stored: Vector, total: Vector, scale: float, lag: float) -> None:
    """Write the weights out, so that the scale can start again."""
    for j in range(total.size):
        total[j] += lag * stored[j]
    for j in range(stored.size):
        stored[j] *= scale


@inner_loop()
def _clip(
    j: Any,
    stored: Vector,
    total: Vector,
    debts: Vector,
    now: tuple[float, float, float],
) -> None:
    """Pull one weight towards 0 by what the lasso asked and has not received yet."""
    scale, lag, pull = now
    before = scale * stored[j]
    after = before
    if before > 0.0:
        after = max(0.0, before - (pull + debts[j]))
    elif before < 0.0:
        after = min(0.0, before + (pull - debts[j]))
    debts[j] += after - before
    change = (after - before) / scale
    stored[j] += change
    if total.size > 0:
        total[j] -= lag * change


@inner_loop()
def _clip_row(
    rows: Any,
    i: Any,
    stored: Vector,
    total: Vector,
    debts: Vector,
    now: tuple[float, float, float],
) -> None:
    begin, end = span(rows, i)
    for k in range(begin, end):
        if entry(rows, i, k) != 0.0:
            _clip(place(rows, k), stored, total, debts, now)


@loop()
def learn_stream(
    rows: Rows,
    samples: tuple[Vector, Vector],
    order: Indices,
    derivative: Any,
    parameters: Vector,
    scores: Vector,
    memory: tuple[Vector, Vector, Vector, Vector],
    pace: tuple[float, ...],
) -> None:
    """Take one step for each row that `order` names; keep the score it found.

    `samples` are targets and weights; `memory` the stored vector, the running sum,
    debts and state. Weights of the model are the scale times what is stored. `pace` is
    (numerator, shift, power) of the step length numerator/(shift + time)^power, the
    ridge, the lasso, 1 with an intercept, and the step at which averaging starts. An
    empty `total` or `debts` is not kept. The stored vector v enters the running sum
    lazily: Σ scale·v = total + lag·v, corrected whenever v changes.
    """
    (y, weights), (stored, total, debts, state) = samples, memory
    time, scale, lag, b, sums, terms, pull = _opened(state)
    ridge, lasso, free, first = pace[3], pace[4], pace[5], pace[6]
    for visit in range(order.size):
        i = order[visit]
        fetch(rows, order[min(visit + _AHEAD, order.size - 1)])
        f = scale * dot(rows, i, stored) + b
        scores[i] = f
        time += 1.0
        eta = _length(time, pace)
        pull += eta * lasso
        scale *= max(1.0 - eta * ridge, 0.0)
        if scale < _SMALLEST_SCALE:
            _write_out(stored, total, scale, lag)
            scale, lag = 1.0, 0.0
        push = _push(eta * weights[i], derivative(y[i], f, parameters))
        if push != 0.0:
            add(rows, i, push / scale, stored)
            b += free * push
            if total.size > 0:
                add(rows, i, -lag * push / scale, total)
        if debts.size > 0:
            _clip_row(rows, i, stored, total, debts, (scale, lag, pull))
        if 0.0 < first <= time:
            lag, sums, terms = lag + scale, sums + b, terms + 1.0
    _close(state, (time, scale, lag, b, sums, terms, pull))


@loop(inline="always")
def _push(most: float, steep: float) -> float:
    """Return how far along its row the weights move."""
    return -most * min(max(steep, -_STEEPEST), _STEEPEST)


@inner_loop()
def _opened(state: Vector) -> tuple[float, ...]:
    """Return the state in numbers, which the loop keeps in registers."""
    return state[0], state[1], state[2], state[3], state[4], state[5], state[6]


@inner_loop()
def _close(state: Vector, now: tuple[float, ...]) -> None:
    for slot in range(7):
        state[slot] = now[slot]
