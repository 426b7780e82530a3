"""Sequential minimal optimisation on a square of kernel values."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Matrix, Vector

__all__ = ["descend_pairs"]

_FAST = {"reassoc", "contract", "nnan", "nsz", "arcp"}
#: Extremes are kept for so many lanes side by side: entry t belongs to lane t modulo
#: LANES. So they run on vector registers, and the place of the extreme is known but
#: for its lane. Loops touch few arrays each: the compiler gives up on vector registers
#: where too many might overlap.
LANES = 128
#: Curvature below which a direction counts as flat.
FLAT = 1e-12


@inner_loop(fastmath=_FAST)
def _move(
    gradient: Vector,
    left: Vector,
    right: Vector,
    rise: Vector,
    fall: Vector,
    step: float,
    lows: Matrix,
    highs: Matrix,
) -> None:
    """Follow a step, and note the extremes among the variables that may move."""
    size, factor = gradient.size, gradient.dtype.type(step)
    lows[:], highs[:] = np.inf, -np.inf
    for first in range(0, size, LANES):
        last = min(size, first + LANES)
        g, a, b = gradient[first:last], left[first:last], right[first:last]
        for t in range(last - first):
            g[t] += factor * (a[t] - b[t])
        _least(g, rise[first:last], lows)
        _most(g, fall[first:last], highs)


@inner_loop(fastmath=_FAST)
def _least(values: Vector, masks: Vector, lanes: Matrix) -> None:
    """Lower each lane to its masked value.

    In two rows, for writing back what was read would become a masked store, which some
    processors do very slowly.
    """
    old, new = lanes[0], lanes[1]
    for t in range(values.size):
        v, known = values[t] + masks[t], old[t]
        new[t] = v if v < known else known
    for t in range(values.size):
        old[t] = new[t]


@inner_loop(fastmath=_FAST)
def _most(values: Vector, masks: Vector, lanes: Matrix) -> None:
    """Raise each lane to its masked value."""
    old, new = lanes[0], lanes[1]
    for t in range(values.size):
        v, known = values[t] + masks[t], old[t]
        new[t] = v if v > known else known
    for t in range(values.size):
        old[t] = new[t]


@inner_loop(fastmath=_FAST)
def _best_partner(
    gradient: Vector,
    fall: Vector,
    row: Vector,
    diagonal: Vector,
    gains: Vector,
    own: float,
    least: float,
    none: Vector,
    best: Matrix,
) -> int:
    """Return the partner that promises most, by its own parabola."""
    kind = gradient.dtype.type
    flat, zero, two = kind(FLAT), kind(0.0), kind(2.0)
    bend, low = kind(own), kind(least)
    best[:] = 0.0
    for first in range(0, gradient.size, LANES):
        last = min(gradient.size, first + LANES)
        g, d = gradient[first:last], fall[first:last]
        k, q, out = row[first:last], diagonal[first:last], gains[first:last]
        for t in range(last - first):
            drop = g[t] + d[t] - low
            drop = drop if drop > zero else zero
            curve = bend + q[t] - two * k[t]
            curve = curve if curve > flat else flat
            out[t] = drop * drop / curve
        _most(out, none[first:last], best)
    lane = best[0].argmax()
    where: int = _find(gains, none, lane, best[0, lane])
    return where


@inner_loop()
def _find(values: Vector, masks: Vector, lane: int, wanted: float) -> int:
    t = lane
    while values[t] + masks[t] != wanted:
        t += LANES
    return t


@inner_loop()
def _step(
    point: Vector, low: Vector, high: Vector, pair: tuple[int, int], wanted: float
) -> float:
    """Raise one, lower the other by as much, as far as their boxes allow."""
    i, j = pair
    above, below = high[i] - point[i], point[j] - low[j]
    step: float = min(wanted, above, below)
    point[i] = high[i] if step >= above else point[i] + step
    point[j] = low[j] if step >= below else point[j] - step
    return step


@inner_loop()
def _mark(
    t: int, point: Vector, low: Vector, high: Vector, rise: Vector, fall: Vector
) -> None:
    """Note whether a variable may rise and may fall: 0 if so, else an infinity."""
    rise[t] = 0.0 if point[t] < high[t] else np.inf
    fall[t] = 0.0 if point[t] > low[t] else -np.inf


@loop(error_model="numpy")
def descend_pairs(
    square: Matrix,
    gradient: Vector,
    point: Vector,
    box: tuple[Vector, Vector],
    split: int,
    second_order: bool,  # noqa: FBT001
    tolerance: float,
    shrinkage: float,
    max_steps: int,
) -> tuple[int, float, float]:
    """Minimise a quadratic over a box, two variables at a time, their sum kept.

    Variables before `split` and from there on are two groups, each with a sum of its
    own. The one raised is that of least gradient; its partner is the one of largest
    gradient (first order) or of largest promised decrease (second order). Stops when
    the largest difference of gradients that a pair could still use falls below
    `tolerance` or below `shrinkage` times what it was. `point` and `gradient` are
    updated in place. Returns the steps made and that difference, before and after.
    """
    (low, high), size, kind = box, gradient.size, square.dtype
    rise, fall = np.zeros(size, kind), np.zeros(size, kind)
    diagonal, none = np.diag(square).copy(), np.zeros(size, kind)
    gains, best = np.empty(size, kind), np.empty((2, LANES), kind)
    for t in range(size):
        _mark(t, point, low, high, rise, fall)
    bounds = (0, split, size)
    lows, highs = np.empty((2, 2, LANES), kind), np.empty((2, 2, LANES), kind)
    left, right, step, steps, before = square[0], square[0], 0.0, 0, -1.0
    while True:
        widest, group = -np.inf, 0
        for k in range(2):
            a, b = bounds[k], bounds[k + 1]
            if a < b:
                parts = gradient[a:b], left[a:b], right[a:b], rise[a:b], fall[a:b]
                _move(*parts, step, lows[k], highs[k])
                width = highs[k, 0].max() - lows[k, 0].min()
                widest, group = (width, k) if width > widest else (widest, group)
        if before < 0.0:
            before, tolerance = widest, max(tolerance, shrinkage * widest)
        if widest <= tolerance or steps >= max_steps:
            return steps, before, widest
        a, b = bounds[group], bounds[group + 1]
        lane = lows[group, 0].argmin()
        least = lows[group, 0, lane]
        i = a + _find(gradient[a:b], rise[a:b], lane, least)
        left = square[i]
        if second_order:
            parts = gradient[a:b], fall[a:b], left[a:b], diagonal[a:b], gains[a:b]
            j = a + _best_partner(*parts, diagonal[i], least, none, best)
        else:
            lane = highs[group, 0].argmax()
            j = a + _find(gradient[a:b], fall[a:b], lane, highs[group, 0, lane])
        right = square[j]
        bend = max(diagonal[i] + diagonal[j] - 2.0 * left[j], FLAT)
        step = _step(point, low, high, (i, j), (gradient[j] - gradient[i]) / bend)
        _mark(i, point, low, high, rise, fall)
        _mark(j, point, low, high, rise, fall)
        steps += 1
