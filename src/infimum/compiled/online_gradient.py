"""One pass over a stream of rows: a step down the loss of each as it comes."""

from typing import Any

from numba import njit

from infimum.typing import Indices, Matrix, Vector

__all__ = ["learn_dense", "learn_sparse"]

#: State of a run, one slot each: steps taken, scale of the stored weights, weight of
#: the stored vector in the running sum, intercept, sum of intercepts, number of terms
#: in both sums, pull of the lasso so far.
_TIME, _SCALE, _LAG, _INTERCEPT, _INTERCEPTS, _TERMS, _PULL = range(7)
_SMALLEST_SCALE = 1e-9
#: Slopes beyond this are cut: one wild row must not end in infinity.
_STEEPEST = 1e12


@njit(cache=True)
def _begin_step(
    stored: Vector, total: Vector, state: Vector, pace: tuple[float, ...]
) -> float:
    """Shrink the weights by the ridge; return the length of this step."""
    numerator, shift, power, ridge, lasso, _, _ = pace
    state[_TIME] += 1.0
    eta = numerator
    if power == 1.0:
        eta = numerator / (shift + state[_TIME])
    elif power > 0.0:
        eta = numerator / (shift + state[_TIME]) ** power
    state[_PULL] += eta * lasso
    if ridge > 0.0:
        state[_SCALE] *= max(1.0 - eta * ridge, 0.0)
        if state[_SCALE] < _SMALLEST_SCALE:
            # Write the weights out, so that the scale can start anew.
            for j in range(total.size):
                total[j] += state[_LAG] * stored[j]
            for j in range(stored.size):
                stored[j] *= state[_SCALE]
            state[_SCALE], state[_LAG] = 1.0, 0.0
    return eta


@njit(cache=True)
def _end_step(state: Vector, first: float) -> None:
    """Add the weights to the running sum, from step `first` on (0 means never).

    The stored vector v enters lazily: Σ scale·v = total + lag·v, corrected whenever v
    changes.
    """
    if 0.0 < first <= state[_TIME]:
        state[_LAG] += state[_SCALE]
        state[_INTERCEPTS] += state[_INTERCEPT]
        state[_TERMS] += 1.0


@njit(cache=True)
def _clip(j: int, stored: Vector, total: Vector, debts: Vector, state: Vector) -> None:
    """Pull one weight towards 0 by what the lasso asked and has not received yet."""
    before = state[_SCALE] * stored[j]
    after = before
    if before > 0.0:
        after = max(0.0, before - (state[_PULL] + debts[j]))
    elif before < 0.0:
        after = min(0.0, before + (state[_PULL] - debts[j]))
    debts[j] += after - before
    change = (after - before) / state[_SCALE]
    stored[j] += change
    if total.size > 0:
        total[j] -= state[_LAG] * change


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def _score(X: Matrix, i: int, stored: Vector) -> float:
    score = 0.0
    for j in range(stored.size):
        score += X[i, j] * stored[j]
    return score


@njit(cache=True)
def _add_dense(
    X: Matrix, i: int, push: float, stored: Vector, total: Vector, state: Vector
) -> None:
    change = push / state[_SCALE]
    for j in range(stored.size):
        stored[j] += change * X[i, j]
    change *= state[_LAG]
    if total.size > 0 and change != 0.0:
        for j in range(stored.size):
            total[j] -= change * X[i, j]


@njit(cache=True)
def _add_sparse(
    row: tuple[Indices, Vector],
    push: float,
    stored: Vector,
    total: Vector,
    state: Vector,
) -> None:
    places, entries = row
    change = push / state[_SCALE]
    for j, entry in zip(places, entries):  # noqa: B905 - numba has no strict
        stored[j] += change * entry
    change *= state[_LAG]
    if total.size > 0 and change != 0.0:
        for j, entry in zip(places, entries):  # noqa: B905
            total[j] -= change * entry


@njit(cache=True, nogil=True)
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
    step at which averaging starts. An empty `total` or `debts` is not kept.
    """
    free, first = pace[5], pace[6]
    for i in order:
        f = state[_SCALE] * _score(X, i, stored) + state[_INTERCEPT]
        scores[i] = f
        eta = _begin_step(stored, total, state, pace)
        steep = slope(y[i], f, parameters)
        push = -eta * weights[i] * min(max(steep, -_STEEPEST), _STEEPEST)
        if push != 0.0:
            _add_dense(X, i, push, stored, total, state)
            state[_INTERCEPT] += free * push
        if debts.size > 0:
            for j in range(stored.size):
                if X[i, j] != 0.0:
                    _clip(j, stored, total, debts, state)
        _end_step(state, first)


@njit(cache=True, nogil=True)
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
    free, first = pace[5], pace[6]
    for i in order:
        start, end = starts[i], starts[i + 1]
        f = 0.0
        for place in range(start, end):
            f += entries[place] * stored[places[place]]
        f = state[_SCALE] * f + state[_INTERCEPT]
        scores[i] = f
        eta = _begin_step(stored, total, state, pace)
        steep = slope(y[i], f, parameters)
        push = -eta * weights[i] * min(max(steep, -_STEEPEST), _STEEPEST)
        if push != 0.0:
            around = places[start:end], entries[start:end]
            _add_sparse(around, push, stored, total, state)
            state[_INTERCEPT] += free * push
        if debts.size > 0:
            for place in range(start, end):
                if entries[place] != 0.0:
                    _clip(places[place], stored, total, debts, state)
        _end_step(state, first)
