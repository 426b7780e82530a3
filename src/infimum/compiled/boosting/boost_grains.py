"""Gradients and curvatures as small integers, packed in one or two words a row."""

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_columns import SHORT_BITS
from infimum.compiled.exponentials import RUN, _double
from infimum.compiled.loop import loop
from infimum.typing import Vector

__all__ = ["grind", "logistic_slopes", "measure", "pack"]


@loop()
def measure(slopes: Vector, bends: Vector, out: Vector) -> None:
    """Write the largest |slope| and curvature, and the sums of their squares."""
    top, high, squares, bent = 0.0, 0.0, 0.0, 0.0
    for i in range(slopes.size):
        s, b = slopes[i], bends[i]
        top = max(top, abs(s))
        high = max(high, b)
        squares += s * s
        bent += b * b
    out[0], out[1], out[2], out[3] = top, high, squares, bent


@loop()
def pack(
    slopes: Vector, bends: Vector, per_slope: float, per_bend: float, out: Any
) -> None:
    """Write slope and curvature into one short word for each row."""
    for i in range(slopes.size):
        s = np.int32(np.rint(slopes[i] * per_slope))
        b = np.int32(np.rint(bends[i] * per_bend))
        out[i] = (s << SHORT_BITS) + b


@loop()
def grind(values: Vector, per_unit: float, out: Any) -> None:
    """Write values as whole numbers of small grains."""
    for i in range(values.size):
        out[i] = np.int64(np.rint(values[i] * per_unit))


@loop(error_model="numpy")
def logistic_slopes(signs: Vector, scores: Vector, slopes: Vector, bends: Any) -> None:
    """Write slope and curvature of the logistic loss, for labels -1 and +1."""
    bits = np.empty(RUN, dtype=np.int64)
    powers, tails = bits.view(np.float64), np.empty(RUN)
    for start in range(0, signs.size, RUN):
        stop = min(start + RUN, signs.size)
        size = stop - start
        for t in range(size):
            tails[t] = -abs(scores[start + t])
        _double(tails[:size], tails[:size], bits, powers)
        for t in range(size):
            y = signs[start + t]
            share = 1.0 / (1.0 + tails[t])
            rest = tails[t] * share
            slopes[start + t] = -y * (rest if y * scores[start + t] > 0.0 else share)
            bends[start + t] = share * rest
