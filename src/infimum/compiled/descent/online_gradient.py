"""One pass over a stream of rows: a step down the loss of each as it comes."""

from typing import Any

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.prefetch import fetch_row
from infimum.typing import Indices, Matrix, Vector

__all__ = ["learn_dense", "learn_sparse"]

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
    j: int,
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
def _clip_thin(
    places: Indices,
    entries: Vector,
    stored: Vector,
    total: Vector,
    debts: Vector,
    now: tuple[float, float, float],
) -> None:
    for k in range(places.size):
        if entries[k] != 0.0:
            _clip(places[k], stored, total, debts, now)


@inner_loop(fastmath={"reassoc", "contract", "nsz"})
def _product(row: Vector, stored: Vector) -> float:
    score = 0.0
    for j in range(stored.size):
        score += row[j] * stored[j]
    return score


@inner_loop(fastmath={"reassoc", "contract", "nsz"})
def _thin_product(places: Indices, entries: Vector, stored: Vector) -> float:
    # Four sums: one alone would wait for each addition before the next.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    quarter = places.size // 4 * 4
    for k in range(0, quarter, 4):
        a += entries[k] * stored[places[k]]
        b += entries[k + 1] * stored[places[k + 1]]
        c += entries[k + 2] * stored[places[k + 2]]
        d += entries[k + 3] * stored[places[k + 3]]
    for k in range(quarter, places.size):
        a += entries[k] * stored[places[k]]
    return (a + b) + (c + d)


@inner_loop()
def _add(row: Vector, change: float, stored: Vector) -> None:
    for j in range(stored.size):
        stored[j] += change * row[j]


@inner_loop()
def _add_thin(places: Indices, entries: Vector, change: float, stored: Vector) -> None:
    if stored.size == 0:
        return
    for k in range(places.size):
        stored[places[k]] += change * entries[k]


@loop()
def learn_dense(
    X: Matrix,
    y: Vector,
    weights: Vector,
    order: Indices,
    slope: Any,
    parameters: Vector,
    scores: Vector,
    stored: Vector,
    total: Vector,
    debts: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> None:
    """Take one step for each row that `order` names; keep the score it found.

    Weights are scale·`stored`. `pace` is (numerator, shift, power) of the step length
    numerator/(shift + time)^power, the ridge, the lasso, 1 with an intercept, and the
    step at which averaging starts. An empty `total` or `debts` is not kept. The stored
    vector v enters the running sum lazily: Σ scale·v = total + lag·v, corrected
    whenever v changes.
    """
    time, scale, lag, b, sums, terms, pull = _opened(state)
    ridge, lasso, free, first = pace[3], pace[4], pace[5], pace[6]
    for place in range(order.size):
        i = order[place]
        row = X[i]
        fetch_row(X, order[min(place + _AHEAD, order.size - 1)])
        f = scale * _product(row, stored) + b
        scores[i] = f
        time += 1.0
        eta = _length(time, pace)
        pull += eta * lasso
        scale *= max(1.0 - eta * ridge, 0.0)
        if scale < _SMALLEST_SCALE:
            _write_out(stored, total, scale, lag)
            scale, lag = 1.0, 0.0
        push = _push(eta * weights[i], slope(y[i], f, parameters))
        if push != 0.0:
            _add(row, push / scale, stored)
            b += free * push
            _add(row, -lag * push / scale, total)
        for j in range(debts.size):
            if row[j] != 0.0:
                _clip(j, stored, total, debts, (scale, lag, pull))
        if 0.0 < first <= time:
            lag, sums, terms = lag + scale, sums + b, terms + 1.0
    _close(state, (time, scale, lag, b, sums, terms, pull))


@loop()
def learn_sparse(
    starts: Indices,
    places: Indices,
    entries: Vector,
    y: Vector,
    weights: Vector,
    order: Indices,
    slope: Any,
    parameters: Vector,
    scores: Vector,
    stored: Vector,
    total: Vector,
    debts: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> None:
    """Do the same as `learn_dense` for rows in compressed form."""
    time, scale, lag, b, sums, terms, pull = _opened(state)
    ridge, lasso, free, first = pace[3], pace[4], pace[5], pace[6]
    for i in order:
        begin, end = starts[i], starts[i + 1]
        where, row = places[begin:end], entries[begin:end]
        f = scale * _thin_product(where, row, stored) + b
        scores[i] = f
        time += 1.0
        eta = _length(time, pace)
        pull += eta * lasso
        scale *= max(1.0 - eta * ridge, 0.0)
        if scale < _SMALLEST_SCALE:
            _write_out(stored, total, scale, lag)
            scale, lag = 1.0, 0.0
        push = _push(eta * weights[i], slope(y[i], f, parameters))
        if push != 0.0:
            _add_thin(where, row, push / scale, stored)
            b += free * push
            _add_thin(where, row, -lag * push / scale, total)
        if debts.size > 0:
            _clip_thin(where, row, stored, total, debts, (scale, lag, pull))
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
