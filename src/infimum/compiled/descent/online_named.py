"""One pass over a stream for losses with names, without average and lasso.

A step waits for its score, and the next score waits for the step, so that a call by
pointer and a slow exponential are felt in every row. Here loss and slope are found
together, and what is paid is added up on the way: a sum of logarithms of 1 + e⁻ᵐ is
the logarithm of a product, taken when the product is large.
"""

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
    LOGISTIC,
    SQUARED,
    _of_numbers,
    _of_signs,
)
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.rows import Rows, add, dot, fetch
from infimum.typing import Indices, Vector

__all__ = ["pass_named"]

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


@inner_loop()
def _rescale(stored: Vector, scale: float) -> float:
    for j in range(stored.size):
        stored[j] *= scale
    return 1.0


@loop()
def pass_named(
    rows: Rows,
    samples: tuple[Vector, Vector],
    order: Indices,
    loss: tuple[int, float],
    scores: Vector,
    stored: Vector,
    state: Vector,
    pace: tuple[float, ...],
) -> tuple[float, float]:
    """Take the steps of `learn_stream`; return how many scores erred, and their losses.

    `loss` is its code and its number, as in `online_row`.
    """
    y, weights = samples
    code, knob = loss
    time, scale, lag, b, sums, terms, pull = _opened(state)
    ridge, free = pace[3], pace[5]
    wrong, paid, product = 0.0, 0.0, 1.0
    for visit in range(order.size):
        i = _U(order[visit])
        fetch(rows, order[min(visit + _AHEAD, order.size - 1)])
        f = scale * dot(rows, i, stored) + b
        scores[i] = f
        time += 1.0
        eta = _length(time, pace)
        scale *= max(1.0 - eta * ridge, 0.0)
        if scale < _SMALLEST_SCALE:
            scale = _rescale(stored, scale)
        value, slope, factor = _pay(code, y[i], f, knob)
        push = _push(eta * weights[i], slope)
        if push != 0.0:
            add(rows, i, push * (1.0 / scale), stored)
            b += free * push
        wrong += 1.0 if y[i] * f <= 0.0 else 0.0
        paid += value
        product *= factor
        if product > _LARGE:
            paid, product = paid + np.log(product), 1.0
    _close(state, (time, scale, lag, b, sums, terms, pull))
    return wrong, paid + np.log(product)
