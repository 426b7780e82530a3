"""The taut string: the shortest path through a tube, in one sweep."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Vector

__all__ = ["pull_taut"]


@loop()
def pull_taut(signal: Vector, slack: float) -> Vector:
    """Return the minimiser over u of ‖u - signal‖²/2 + slack·Σ|u[j+1] - u[j]|.

    The cumulative sum of u is the shortest path that stays within `slack` of that of
    the signal, tied at both ends.
    """
    out = np.empty(signal.size)
    start, wall = 0, 0.0
    while start < signal.size:
        end, level, wall = _stretch(signal, slack, start, wall)
        out[start : end + 1] = level
        start = end + 1
    return out


@inner_loop()
def _stretch(
    signal: Vector, slack: float, start: int, wall: float
) -> tuple[int, float, float]:
    """Return where a straight stretch of the string ends, its level, and its wall.

    It starts on the upper wall of the tube (+1), on the lower (-1), or tied (0). The
    sweep keeps the highest and lowest level that it may have; when they cross, the
    string bends at the wall it touched last.
    """
    low, high = -np.inf, np.inf
    low_at, high_at = start, start
    total = -wall * slack
    last = signal.size - 1
    for j in range(start, signal.size):
        total += signal[j]
        length = j - start + 1
        reach = 0.0 if j == last else slack
        bottom, top = (total - reach) / length, (total + reach) / length
        if bottom > high:
            return high_at, high, 1.0
        if top < low:
            return low_at, low, -1.0
        if bottom >= low:
            low, low_at = bottom, j
        if top <= high:
            high, high_at = top, j
    return last, low, 0.0
