"""One pass over a stream for losses with names, without average and lasso.

A step waits for its score, and the next score waits for the step, so that a call by
pointer and a slow exponential are felt in every row. Here loss and slope are found
together, and what is paid is added up on the way: a sum of logarithms of 1 + e⁻ᵐ is
the logarithm of a product, taken when the product is large.
"""

from typing import Any

import numpy as np

from infimum.compiled.descent.online_gradient import (
    _AHEAD,
    _SMALLEST_SCALE,
    _close,
    _length,
    _opened,
    _push,
)
from infimum.compiled.descent.online_row import (
    FAST,
    LOGISTIC,
    SQUARED,
    _of_numbers,
    _of_signs,
)
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.prefetch import fetch_row
from infimum.typing import Indices, Matrix, Vector

__all__ = ["pass_dense", "pass_sparse"]

_U = np.uint64
#: Powers of 1/2, and the exponent from which on e⁻ᵗ has none of them.
_HALVES = 0.5 ** np.arange(1023)
_FAR = 708.0
_LOG_HIGH, _LOG_LOW = 0.6931471803691238, 1.9082149292705877e-10
#: Products are turned into logarithms before they overflow.
_LARGE = 1e300


@inner_loop(fastmath={"contract"})
def _fading(t: float) -> float:
    """Return e⁻ᵗ for t ≥ 0: short chains of operations instead of few operations."""
    if not t < _FAR:
        return 0.0 if t >= _FAR else t  # what is not a number stays so
    k = int(t * 1.4426950408889634 + 0.5)
    r = (k * _LOG_HIGH - t) + k * _LOG_LOW
    r2 = r * r
    r4 = r2 * r2
    low = (1.0 + r) + (0.5 + r * (1 / 6)) * r2
    middle = (1 / 24 + r * (1 / 120)) + (1 / 720 + r * (1 / 5040)) * r2
    high = (1 / 40320 + r * (1 / 362880)) + (1 / 3628800 + r * (1 / 39916800)) * r2
    power = (low + middle * r4) + (high + r4 * (1 / 479001600)) * (r4 * r4)
    return float(power * _HALVES[_U(k)])


@inner_loop()
def _pay(code: int, y: float, f: float, knob: float) -> tuple[float, float, float]:
    """Return loss, slope, and a factor whose logarithm belongs to the loss."""
    if code == LOGISTIC:
        margin = y * f
        away = _fading(abs(margin))
        share = 1.0 / (1.0 + away)
        error = away * share if margin > 0.0 else share
        return max(-margin, 0.0), -y * error, 1.0 + away
    if code < SQUARED:
        loss, slope = _of_signs(code, y, f, knob)
    else:
        loss, slope = _of_numbers(code, y, f, knob)
    return loss, slope, 1.0


@inner_loop(fastmath=FAST)
def _thin_score(
    places: Indices, entries: Vector, begin: Any, end: Any, stored: Vector
) -> float:
    # Eight sums: one alone would wait for each addition before the next.
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    k, stop = _U(begin), _U(end)
    while k + _U(8) <= stop:
        a += entries[k] * stored[places[k]]
        b += entries[k + _U(1)] * stored[places[k + _U(1)]]
        c += entries[k + _U(2)] * stored[places[k + _U(2)]]
        d += entries[k + _U(3)] * stored[places[k + _U(3)]]
        e += entries[k + _U(4)] * stored[places[k + _U(4)]]
        f += entries[k + _U(5)] * stored[places[k + _U(5)]]
        g += entries[k + _U(6)] * stored[places[k + _U(6)]]
        h += entries[k + _U(7)] * stored[places[k + _U(7)]]
        k += _U(8)
    while k < stop:
        a += entries[k] * stored[places[k]]
        k += _U(1)
    return float(((a + b) + (c + d)) + ((e + f) + (g + h)))


@inner_loop(fastmath=FAST)
def _score(X: Matrix, i: Any, stored: Vector) -> float:
    score = 0.0
    for j in range(_U(stored.size)):
        score += X[_U(i), j] * stored[j]
    return score


@inner_loop()
def _rescale(stored: Vector, scale: float) -> float:
    for j in range(stored.size):
        stored[j] *= scale
    return 1.0


@loop()
def pass_sparse(
    starts: Indices,
    places: Indices,
    entries: Vector,
    y: Vector,
    weights: Vector,
    order: Indices,
    code: int,
    knob: float,
    scores: Vector,
    stored: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> tuple[float, float]:
    """Do the same as `pass_dense` for rows in compressed form."""
    time, scale, lag, b, sums, terms, pull = _opened(state)
    ridge, free = pace[3], pace[5]
    wrong, paid, product = 0.0, 0.0, 1.0
    for place in range(_U(order.size)):
        i = _U(order[place])
        begin, end = _U(starts[i]), _U(starts[i + _U(1)])
        f = scale * _thin_score(places, entries, begin, end, stored) + b
        scores[i] = f
        time += 1.0
        eta = _length(time, pace)
        scale *= max(1.0 - eta * ridge, 0.0)
        if scale < _SMALLEST_SCALE:
            scale = _rescale(stored, scale)
        loss, slope, factor = _pay(code, y[i], f, knob)
        push = _push(eta * weights[i], slope)
        if push != 0.0:
            change = push * (1.0 / scale)
            for k in range(begin, end):
                stored[places[k]] += change * entries[k]
            b += free * push
        wrong += 1.0 if y[i] * f <= 0.0 else 0.0
        paid += loss
        product *= factor
        if product > _LARGE:
            paid, product = paid + np.log(product), 1.0
    _close(state, (time, scale, lag, b, sums, terms, pull))
    return wrong, paid + np.log(product)


@loop()
def pass_dense(
    X: Matrix,
    y: Vector,
    weights: Vector,
    order: Indices,
    code: int,
    knob: float,
    scores: Vector,
    stored: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> tuple[float, float]:
    """Take the steps of `learn_dense`; return how many scores erred, and their losses.

    `code` is the loss and `knob` its number, as in `online_row`.
    """
    time, scale, lag, b, sums, terms, pull = _opened(state)
    ridge, free = pace[3], pace[5]
    wrong, paid, product = 0.0, 0.0, 1.0
    for place in range(order.size):
        i = _U(order[place])
        fetch_row(X, order[min(place + _AHEAD, order.size - 1)])
        f = scale * _score(X, i, stored) + b
        scores[i] = f
        time += 1.0
        eta = _length(time, pace)
        scale *= max(1.0 - eta * ridge, 0.0)
        if scale < _SMALLEST_SCALE:
            scale = _rescale(stored, scale)
        loss, slope, factor = _pay(code, y[i], f, knob)
        push = _push(eta * weights[i], slope)
        if push != 0.0:
            change = push * (1.0 / scale)
            for j in range(_U(stored.size)):
                stored[j] += change * X[i, j]
            b += free * push
        wrong += 1.0 if y[i] * f <= 0.0 else 0.0
        paid += loss
        product *= factor
        if product > _LARGE:
            paid, product = paid + np.log(product), 1.0
    _close(state, (time, scale, lag, b, sums, terms, pull))
    return wrong, paid + np.log(product)
