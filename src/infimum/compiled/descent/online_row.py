"""One row of a stream alone: scores, prices and steps in one call, in place.

Calling a formula by pointer costs a call from Python several microseconds, so that the
losses with names are written out here; batches have `online_gradient`.
"""

import numpy as np

from infimum.compiled.descent.online_gradient import (
    _SMALLEST_SCALE,
    _STEEPEST,
    _clip,
    _length,
)
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LOSS_CODES", "meet_row", "meet_thin"]

FAST = {"reassoc", "contract", "nsz"}
#: What is larger might end in infinity; it is left to those who can tell.
LARGEST = 1e100
PERCEPTRON, LOGISTIC, HINGE, SQUARED_HINGE, MODIFIED = range(5)
SQUARED, HUBER, TUBE, SQUARED_TUBE, SHORTFALL = range(5, 10)
LOSS_CODES = {
    "ErrorDriven": PERCEPTRON,
    "Logistic": LOGISTIC,
    "Hinge": HINGE,
    "SquaredHinge": SQUARED_HINGE,
    "ModifiedHuber": MODIFIED,
    "Squared": SQUARED,
    "Huber": HUBER,
    "EpsilonInsensitive": TUBE,
    "SquaredEpsilonInsensitive": SQUARED_TUBE,
    "Shortfall": SHORTFALL,
}
#: Slots of the state, as in `online_gradient`, then mistakes and losses.
TIME, INTERCEPT, INTERCEPTS, TERMS, PULL, MISTAKES, INCURRED = 0, 3, 4, 5, 6, 7, 8
#: Slots of a pace: three of the step length, strengths, and what else is to be known.
RIDGE, LASSO, FREE, FIRST, KNOB, PROXIMAL, LABELS = 3, 4, 5, 6, 7, 8, 9


@inner_loop()
def _of_signs(code: int, y: float, f: float, knob: float) -> tuple[float, float]:
    """Return loss and slope for a label of ±1."""
    if code == PERCEPTRON:
        return max(knob - y * f, 0.0), -y * (y * f <= knob)
    if code == LOGISTIC:
        away = np.exp(-abs(y * f))
        return max(-y * f, 0.0) + np.log1p(away), -0.5 * y * (
            1.0 - np.tanh(0.5 * y * f)
        )
    lack = max(1.0 - y * f, 0.0)
    if code == HINGE:
        return lack, -y * (lack > 0.0)
    if code == MODIFIED and lack > 2.0:
        return -4.0 * y * f, -4.0 * y
    return lack * lack, -2.0 * y * lack


@inner_loop()
def _of_numbers(code: int, y: float, f: float, knob: float) -> tuple[float, float]:
    """Return loss and slope for a number."""
    apart = f - y
    side = float(np.sign(apart))
    if code == SQUARED:
        return 0.5 * apart * apart, apart
    if code == HUBER:
        near = min(abs(apart), knob)
        return 0.5 * near * near + knob * (abs(apart) - near), side * near
    if code == SHORTFALL:
        return max(-apart, 0.0), -1.0 * (apart <= 0.0)
    outside = max(abs(apart) - knob, 0.0)
    if code == TUBE:
        return outside, side * (outside > 0.0)
    return outside * outside, 2.0 * side * outside


@inner_loop()
def _yielding(
    code: int, loss: float, slope: float, squares: float, most: float
) -> float:
    """Return the proximal step along the row, for a loss that is a line or its square.

    A line is left by its excess or by `most` times ‖x‖², whichever is less.
    """
    if squares == 0.0 or slope == 0.0:
        return 0.0
    step = most * squares
    far = min(loss, step)
    if code in (SQUARED_HINGE, SQUARED_TUBE):
        far = np.sqrt(loss) * 2.0 * step / (1.0 + 2.0 * step)
    return float(-np.sign(slope) * far / squares)


@inner_loop()
def _decide(
    product: float,
    squares: float,
    y: float,
    code: int,
    pace: Vector,
    state: Vector,
    move: Vector,
) -> bool:
    """Write push, scale, pull, loss and mistake of a step; say if it is a usual one."""
    f = product + state[INTERCEPT]
    if not (abs(f) < LARGEST and squares < LARGEST):
        return False
    if code < SQUARED:
        loss, slope = _of_signs(code, y, f, pace[KNOB])
    else:
        loss, slope = _of_numbers(code, y, f, pace[KNOB])
    move[1], move[2] = 1.0, state[PULL]
    if pace[PROXIMAL]:
        move[0] = _yielding(code, loss, slope, squares, pace[0])
    else:
        eta = _length(state[TIME] + 1.0, (pace[0], pace[1], pace[2]))
        move[0] = -eta * min(max(slope, -_STEEPEST), _STEEPEST)
        move[1] = max(1.0 - eta * pace[RIDGE], 0.0)
        move[2] += eta * pace[LASSO]
    move[3], move[4] = loss, 1.0 if pace[LABELS] and y * f <= 0.0 else 0.0
    return bool(abs(move[0]) < LARGEST and move[1] >= _SMALLEST_SCALE)


@inner_loop()
def _book(move: Vector, pace: Vector, state: Vector) -> float:
    """Enter a step into the state; return 1 if it counts for the mean, else 0."""
    state[TIME] += 1.0
    state[INTERCEPT] += pace[FREE] * move[0]
    state[PULL] = move[2]
    state[INCURRED] += move[3]
    state[MISTAKES] += move[4]
    if not 0.0 < pace[FIRST] <= state[TIME]:
        return 0.0
    state[INTERCEPTS] += state[INTERCEPT]
    state[TERMS] += 1.0
    return 1.0


@inner_loop()
def _settle(stored: Vector, total: Vector, scale: float, counts: float) -> None:
    """Add the weights to the sum if that counts, and write the scale out."""
    if counts:
        for j in range(total.size):
            total[j] += scale * stored[j]
    if scale != 1.0:
        for j in range(stored.size):
            stored[j] *= scale


@inner_loop(fastmath=FAST)
def _look(row: Vector, stored: Vector) -> tuple[float, float]:
    product, squares = 0.0, 0.0
    for j in range(stored.size):
        product += row[j] * stored[j]
        squares += row[j] * row[j]
    return product, squares


@inner_loop()
def _look_thin(places: Indices, entries: Vector, stored: Vector) -> tuple[float, float]:
    product, squares = 0.0, 0.0
    for t in range(places.size):
        if not 0 <= places[t] < stored.size:
            return np.nan, np.nan
        product += entries[t] * stored[places[t]]
        squares += entries[t] * entries[t]
    return product, squares


@loop()
def meet_row(
    row: Vector,
    targets: Vector,
    code: int,
    pace: Vector,
    stored: Matrix,
    total: Matrix,
    debts: Matrix,
    state: Matrix,
) -> bool:
    """Take the step of each score on one row; change nothing unless all can.

    Weights are as stored: there is no scale and no lag.
    """
    moves = np.empty((targets.size, 5))
    for k in range(targets.size):
        product, squares = _look(row, stored[k])
        given = product, squares, targets[k], code, pace, state[k], moves[k]
        if not _decide(*given):
            return False
    for k in range(targets.size):
        counts = _book(moves[k], pace, state[k])
        scale, change = moves[k, 1], moves[k, 0] / moves[k, 1]
        w = stored[k]
        if change != 0.0:
            for j in range(w.size):
                w[j] += change * row[j]
        for j in range(debts.shape[1]):
            if row[j] != 0.0:
                _clip(j, w, total[k], debts[k], (scale, 0.0, moves[k, 2]))
        _settle(w, total[k], scale, counts)
    return True


@loop()
def meet_thin(
    places: Indices,
    entries: Vector,
    targets: Vector,
    code: int,
    pace: Vector,
    stored: Matrix,
    total: Matrix,
    debts: Matrix,
    state: Matrix,
) -> bool:
    """Do the same for a compressed row, whose places are looked at, too."""
    moves = np.empty((targets.size, 5))
    for k in range(targets.size):
        product, squares = _look_thin(places, entries, stored[k])
        given = product, squares, targets[k], code, pace, state[k], moves[k]
        if not _decide(*given):
            return False
    for k in range(targets.size):
        counts = _book(moves[k], pace, state[k])
        scale, change = moves[k, 1], moves[k, 0] / moves[k, 1]
        w = stored[k]
        for t in range(places.size):
            w[places[t]] += change * entries[t]
        for t in range(places.size if debts.shape[1] else 0):
            if entries[t] != 0.0:
                _clip(places[t], w, total[k], debts[k], (scale, 0.0, moves[k, 2]))
        _settle(w, total[k], scale, counts)
    return True
